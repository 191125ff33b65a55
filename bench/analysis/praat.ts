import { join } from 'node:path'
import { median } from '../../harness/measuring/figures.ts'
import { ROOT } from '../../scripts/root.ts'
import { output } from './measure.ts'

/** The script that the accuracy is tested with. */
const SCRIPT = join(ROOT, 'test', 'accuracy', 'audio', 'measures.praat')

export interface PraatResult {
  /** User and system time of the whole program, seconds, with and without the smoothed cepstral peak prominence. */
  cpuS: { all: number; withoutCpps: number }
  features: Record<string, number>
}

/** Measures a wav file with Praat; CPU is the median of the repeats. */
export async function praat(path: string, repeats: number): Promise<PraatResult> {
  const most = await runScript(path, 'all but CPPS', repeats)
  const cpps = await runScript(path, 'CPPS', repeats)
  return {
    cpuS: { all: most.cpuS + cpps.cpuS, withoutCpps: most.cpuS },
    features: { ...most.features, ...cpps.features },
  }
}

async function runScript(path: string, part: string, repeats: number) {
  const cpus: number[] = []
  const features: Record<string, number> = {}
  for (let repeat = 0; repeat < repeats; repeat++) {
    // The shell's `times` prints, last, the user and system time of its children.
    const printed = await output('sh', ['-c', '"$@" && times', 'sh', 'praat', '--run', SCRIPT, path, part])
    const lines = printed.trim().split('\n')
    cpus.push(secondsOf(lines.pop() ?? ''))
    for (const line of lines) {
      const [name = '', value = ''] = line.split(' ')
      if (/^[a-z]\w*$/.test(name)) features[name] = Number(value)
    }
  }
  return { cpuS: median(cpus), features }
}

/** Of `0m1.230000s 0m0.050000s`. */
function secondsOf(times: string): number {
  return Array.from(times.matchAll(/(\d+)m([\d.]+)s/g)).reduce(
    (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
    0,
  )
}
