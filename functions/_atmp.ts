import { openSync, readSync, statSync, readFileSync } from 'node:fs'
import { probeRecording, planSlices, analyzeSlice, mergeSlices } from './_shared/audio/index.ts'
const engines = { loadAsset: async (n: string) => new Uint8Array(readFileSync('/work/main/engines/assets/' + n)) }
const json = process.argv.includes('--json'); const maxS = Number(process.env.MAXS ?? 60)
const all: Record<string, unknown> = {}
for (const f of process.argv.slice(2).filter(a => !a.startsWith('--'))) {
  const fd = openSync(f, 'r'); const size = statSync(f).size
  const source = { size, read: async (s: number, e: number) => { const o = new Uint8Array(e - s); readSync(fd, o, 0, e - s, s); return o } }
  const info = await probeRecording(source)
  const outs = []
  for (const s of planSlices(info.durationS, maxS).slice(0, Number(process.env.MAXN ?? 999))) {
    const c0 = process.cpuUsage(); const o = await analyzeSlice(source, info, s, engines); const c = process.cpuUsage(c0)
    if (!json) console.error('slice', s.index, ((c.user + c.system) / 1e6).toFixed(3), 's', JSON.stringify(o).length, 'bytes', (process.memoryUsage().rss / 1e6).toFixed(0), 'MB')
    outs.push(o)
  }
  const c0 = process.cpuUsage()
  const a = mergeSlices(outs, info.durationS)
  const c = process.cpuUsage(c0)
  if (!json) { console.log(f.split('/').pop(), 'merge', ((c.user + c.system) / 1e6).toFixed(3)); console.log(a) } else all[f] = { ...a.features, q: a.quality, duration: info.durationS }
}
if (json) console.log(JSON.stringify(all))
