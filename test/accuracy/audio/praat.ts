import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SCRIPT = join(import.meta.dirname, 'measures.praat')
const run = promisify(execFile)

async function script(path: string, part: string): Promise<string[]> {
  const { stdout } = await run('praat', ['--run', SCRIPT, path, part], { maxBuffer: 2 ** 26 })
  return stdout.split('\n').filter((line) => line !== '')
}

/** What Praat makes of a wav file: features by their names, and counts. What it cannot measure is NaN. */
export async function measureWithPraat(path: string): Promise<Map<string, number>> {
  const [most, cpps] = await Promise.all([script(path, 'all but CPPS'), script(path, 'CPPS')])
  return new Map(
    [...most, ...cpps].map((line) => {
      const [name = '', value = ''] = line.split(' ')
      return [name, Number(value)]
    }),
  )
}

/** The centres, in seconds, of the frames to which Praat gives a pitch. */
export async function voicedFrames(path: string): Promise<number[]> {
  return (await script(path, 'voiced frames')).map(Number)
}
