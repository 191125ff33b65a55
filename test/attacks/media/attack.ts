import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { denoBinary, heapFlag, hostedLimits } from 'local-supabase'
import { cpuSeconds } from '../../../harness/stack/processes.ts'
import type { Batch, Line } from './batch.ts'

/** What one request of a check-in may take, and what may be kept of the second half of the files. */
export const LIMITS = { cpuS: 1.5, requestMb: 200, keptMb: 10 }

/**
 * Of the memory at rest, in the second and in the last quarter of the files. It goes up and down by what the allocator keeps, so the
 * lowest of a quarter counts. In the first one every worker takes more, such as a decoder's larger memory, which is no leak.
 */
const READINGS_OF_A_QUARTER = 5

/** Makes the C library return what was freed, so that memory at rest is what the worker holds and not what the library keeps. */
export const RETURN_FREED = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
}

type Limits = typeof LIMITS

/**
 * A request that takes so much CPU, in seconds, is taken for one that never ends; so is one that is only waited for, in milliseconds.
 * Beside other work, a second of CPU may take a minute.
 */
const ENDLESS = { cpuS: 20, ms: 1_200_000 }

/** From one look at the CPU of a request to the next, in milliseconds. */
const LOOK_MS = 2000

const ROOT = join(import.meta.dirname, '..', '..', '..')

export interface Report {
  files: number
  requests: number
  /** Of all requests. */
  cpuS: number
  /** How many requests ended how. */
  outcomes: Record<string, number>
  mostCpuS: { name: string; value: number }
  mostMb: { name: string; value: number }
  /** Memory at rest, before half of the files and at the end; null where a worker ended before. */
  restMb: [half: number, end: number] | null
  failures: string[]
}

interface AttackOptions {
  limits?: Limits
  from?: number
  mostSliceS?: number
  onFile?: (done: number, report: Report) => void
}

/**
 * Gives hostile files to workers, a new one after each that dies, and measures them.
 *
 * `from` is the number of the first file; `mostSliceS` shortens each slice that is analysed, seconds; `onFile` hears how many files
 * are done, and what is known so far.
 */
export async function attack(
  kind: Batch['kind'],
  seed: number,
  files: number,
  { limits = LIMITS, from = 0, mostSliceS, onFile }: AttackOptions = {},
): Promise<Report> {
  const report: Report = {
    files,
    requests: 0,
    cpuS: 0,
    outcomes: {},
    mostCpuS: { name: '', value: 0 },
    mostMb: { name: '', value: 0 },
    restMb: null,
    failures: [],
  }
  let next = from
  while (next < from + files) {
    const restAfter = readingsOf(from + files - next)
    const batch = { kind, seed, from: next, to: from + files, restAfter, ...(mostSliceS && { mostSliceS }) }
    const died = await runWorker(batch, report, limits, (number) => onFile?.(number - from, report))
    if (died === null) break
    report.failures.push(`${died.name}: the process ended (${died.how})`)
    // One that dies before it is given any file would die again.
    next = died.number === null ? from + files : died.number + 1
  }
  if (report.restMb) {
    const [half, end] = report.restMb
    if (end - half > limits.keptMb) {
      report.failures.push(`memory at rest went from ${half.toFixed(0)} MB to ${end.toFixed(0)} MB`)
    }
  }
  return report
}

/** After how many of so many files memory at rest is read; that after the last one is read anyway. */
function readingsOf(files: number): number[] {
  const places = Array.from(
    { length: READINGS_OF_A_QUARTER },
    (_, index) => (index + 1) / READINGS_OF_A_QUARTER,
  )
  const after = [1, 3].flatMap((quarter) => places.map((place) => Math.ceil((files * (quarter + place)) / 4)))
  return [...new Set(after)].filter((count) => count < files)
}

async function runWorker(
  batch: Batch,
  report: Report,
  limits: Limits,
  onFile: (number: number) => void,
): Promise<{ name: string; number: number | null; how: string } | null> {
  const child = spawn(
    denoBinary(),
    [
      'run',
      '--quiet',
      '--no-lock',
      '--no-config',
      '--import-map',
      join(ROOT, 'functions', 'deno.json'),
      '--node-modules-dir=manual',
      `${heapFlag(hostedLimits.memoryMb)},--expose-gc`,
      '-A',
      join(import.meta.dirname, 'worker.ts'),
      JSON.stringify(batch),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...RETURN_FREED } },
  )
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints = (complaints + chunk).slice(-2000)
  })
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('exit', (code, signal) => resolve(`${signal ?? `code ${code}`}`))
  })
  let current: { begin: string; number: number } | null = null
  let isDone = false
  const readings: number[] = []
  let heard = { at: performance.now(), cpuS: Number.NaN }
  const watchdog = setInterval(() => {
    const cpuS = child.pid === undefined ? null : cpuSeconds(child.pid)
    if (cpuS === null) return
    if (Number.isNaN(heard.cpuS)) heard.cpuS = cpuS
    if (cpuS - heard.cpuS > ENDLESS.cpuS || performance.now() - heard.at > ENDLESS.ms) child.kill('SIGKILL')
  }, LOOK_MS)
  for await (const text of createInterface({ input: child.stdout })) {
    heard = { at: performance.now(), cpuS: Number.NaN }
    const line = parse(text)
    if (line === null) continue
    if ('begin' in line) {
      if (line.number !== current?.number) onFile(line.number)
      current = line
    } else if ('end' in line) note(line, report, limits)
    else {
      readings.push(line.settledMb)
      isDone ||= line.done === true
    }
  }
  clearInterval(watchdog)
  const how = await ended
  const half = Math.floor(readings.length / 2)
  if (isDone && half > 0)
    report.restMb = [Math.min(...readings.slice(0, half)), Math.min(...readings.slice(-half))]
  if (isDone) return null
  const { begin = 'the start', number = null } = current ?? {}
  const said = complaints.trim().split('\n').slice(-5).join(' | ')
  return { name: begin, number, how: `${how} ${said}` }
}

function parse(text: string): Line | null {
  try {
    return JSON.parse(text)
  } catch {
    // A library prints to the console.
    return null
  }
}

function note(
  { end: name, outcome, cpuS, takenMb }: Extract<Line, { end: string }>,
  report: Report,
  limits: Limits,
): void {
  if (name.startsWith('genuine')) {
    if (outcome !== 'taken' && outcome !== 'analysed') report.failures.push(`${name}: ${outcome}`)
    return
  }
  report.requests++
  report.cpuS += cpuS
  const key = outcome.startsWith('failed') ? 'failed' : outcome
  report.outcomes[key] = (report.outcomes[key] ?? 0) + 1
  if (key === 'failed') report.failures.push(`${name}: ${outcome}`)
  if (cpuS > limits.cpuS) report.failures.push(`${name}: ${cpuS.toFixed(2)} s of CPU`)
  if (takenMb > limits.requestMb) report.failures.push(`${name}: ${takenMb.toFixed(0)} MB`)
  if (cpuS > report.mostCpuS.value) report.mostCpuS = { name, value: cpuS }
  if (takenMb > report.mostMb.value) report.mostMb = { name, value: takenMb }
}
