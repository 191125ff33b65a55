import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from 'local-supabase'
import { signInDemonstrationStudent } from '../demo/account.ts'
import { demonstrationImages } from '../demo/images.ts'
import { audioFile, imageFiles } from '../demo/media.ts'
import { checkIn, grantConsents } from '../demo/mobile-client.ts'
import { startStack } from '../demo/stack.ts'
import { ROOT } from '../scripts/root.ts'

/**
 * `npm run bench:stack`: time to boot the local stack with an empty and with an existing database, time from submitting a
 * check-in to its result with cold and warm functions, and peak memory of all processes together.
 */
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
const speech = join(ROOT, 'corpora', 'speech')
const figures: Record<string, number> = {}
let peakMb = 0
const sampler = setInterval(() => {
  peakMb = Math.max(peakMb, treeMemoryMb(process.pid))
}, 200)

try {
  for (const kind of ['empty', 'existing']) {
    const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
    const began = performance.now()
    const stack = await startStack(
      { port, dbPort, inboxPort, dataDir, reset: false, watch: false },
      { progress: () => {}, log: () => {} },
    )
    figures[`boot, ${kind} database, s`] = seconds(began)
    try {
      const supabase = await signInDemonstrationStudent(stack)
      await grantConsents(supabase, ['audio', 'camera', 'text'])
      const recording = {
        audio: audioFile(join(speech, 'neutral.m4a')),
        images: imageFiles(await demonstrationImages(join(dataDir, 'images'))),
        transcript: readFileSync(join(speech, 'neutral.txt'), 'utf8'),
        moodScore: null,
      }
      for (const warmth of ['cold', 'warm', 'warm', 'warm']) {
        let submitted = 0
        await checkIn(supabase, recording, () => {
          submitted ||= performance.now()
        })
        const name = `submitted to result, ${warmth} functions, s`
        figures[name] = Math.min(figures[name] ?? Number.POSITIVE_INFINITY, seconds(submitted))
      }
      await supabase.removeAllChannels()
    } finally {
      await stack.stop()
    }
  }
  figures['peak memory of all processes, MB'] = Math.round(peakMb)
} finally {
  clearInterval(sampler)
  rmSync(dataDir, { recursive: true, force: true })
}

const over = Object.entries(figures).filter(([name, value]) => value > limitOf(name))
console.table(figures)
console.log(JSON.stringify(figures))
for (const [name, value] of over) console.error(`Over its limit of ${limitOf(name)}: ${name}, ${value}`)
process.exit(over.length > 0 ? 1 : 0)

/** Limits: boot 20 s, result 15 s, memory 1.5 GB. */
function limitOf(name: string): number {
  if (name.startsWith('boot')) return 20
  return name.startsWith('peak') ? 1500 : 15
}

function seconds(since: number): number {
  return Math.round((performance.now() - since) / 100) / 10
}

/**
 * Resident memory of a process and all its descendants, MB (Linux). Shared pages are counted once, in proportion (PSS),
 * where the kernel reports that; otherwise the resident size counts.
 */
function treeMemoryMb(root: number): number {
  const children = new Map<number, number[]>()
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry)
    if (!Number.isInteger(pid)) continue
    const parent = parentOf(pid)
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  let total = 0
  const queue = [root]
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    total += memoryKb(pid)
    queue.push(...(children.get(pid) ?? []))
  }
  return total / 1024
}

function parentOf(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[1])
  } catch {
    return null
  }
}

function memoryKb(pid: number): number {
  for (const [file, field] of [
    ['smaps_rollup', 'Pss'],
    ['status', 'VmRSS'],
  ]) {
    try {
      const found = readFileSync(`/proc/${pid}/${file}`, 'utf8').match(
        new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'),
      )
      if (found) return Number(found[1])
    } catch {
      // Not readable for this user, or already gone.
    }
  }
  return 0
}
