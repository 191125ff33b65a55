import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { load, machineAfter, writeFigures } from '../harness/measuring/figures.ts'
import { ROOT } from '../scripts/root.ts'
import { measureBoots } from './analysis/boots.ts'
import { makeImages } from './analysis/images.ts'
import { measure, output } from './analysis/measure.ts'
import { limitsOf } from './analysis/page.ts'
import { compareWithPraat, type PraatComparison } from './analysis/praat-comparison.ts'
import {
  at16kHz,
  CONTAINERS,
  makeRecordings,
  type Recording,
  shortRecordings,
} from './analysis/recordings.ts'
import { printTables, type Report, round } from './analysis/report.ts'
import { serveStorage } from './analysis/storage.ts'
import { measureSubject, type Subject, type SubjectCosts } from './analysis/subject-costs.ts'
import { imagesSubject, recordingSubject, sentencesSubject, transcriptSubject } from './analysis/subjects.ts'
import { makeTranscript, THREE_MINUTES_WORDS } from './analysis/transcripts.ts'
import { verdictsOf } from './analysis/verdicts.ts'

/**
 * `npm run bench:analysis`: CPU, peak memory and real-time factor of the analyses as the pipeline cuts them into
 * requests, in Deno, against the limits of a request, and the same recordings through Praat. Prints tables and one
 * line of JSON; `--json` prints that line alone, `--quick` measures less, once, and `--write` puts the
 * limits into docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
const repeats = options.quick ? 1 : 3
const lengths = options.quick ? [30, 180] : [30, 180, 600]
const containers = options.quick ? (['m4a', 'wav'] as const) : CONTAINERS

const folder = mkdtempSync(join(tmpdir(), 'bench-analysis-'))
const media = join(folder, 'media')
mkdirSync(media)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
const skipped: string[] = []
const storage = await serveStorage({ media, 'analysis-assets': join(ROOT, 'vendor', 'assets') })
const loadBefore = load()

try {
  const words = [
    ...[500, 5000].map((count) => transcriptSubject(makeTranscript(media, count), count)),
    ...[THREE_MINUTES_WORDS, 5000].map((count) => sentencesSubject(makeTranscript(media, count), count)),
  ]
  const pictures = (await makeImages(media)).flatMap((set) =>
    [1, 6, 12].map((count) => imagesSubject(set, count)),
  )
  const made = await obtainRecordings()
  const voices = await Promise.all(made.map(recordingSubject))
  await compileAll([...words, ...pictures, ...voices])

  process.stderr.write('functions\n')
  const boots = await measureBoots(repeats)
  const transcripts = await measured(words)
  const images = await measured(pictures)
  const recordings = (await measured(voices)).map((costs, i) => ({
    ...costs,
    seconds: made[i]?.seconds ?? 0,
  }))
  const comparisons = await comparisonsOf(made, recordings)

  const results = { boots, recordings, images, transcripts, praat: comparisons }
  const report: Report = {
    date: new Date().toISOString().slice(0, 10),
    machine: machineAfter(loadBefore),
    repeats,
    ...results,
    verdicts: verdictsOf(results),
    skipped,
  }
  if (!options.json) printTables(report)
  if (options.write) writeFigures('analysis', limitsOf(report))
  console.log(JSON.stringify(report, (_, value) => (typeof value === 'number' ? round(value, 5) : value)))
} finally {
  storage.close()
}

/**
 * Deno compiles TypeScript when it first meets it and keeps the result; a deployed function has that behind it. One
 * process, not measured, meets everything.
 */
async function compileAll(subjects: Subject[]): Promise<void> {
  const steps = subjects.flatMap(({ alone }) =>
    alone.filter(({ kind }) => !kind.endsWith('merge')).slice(0, 2),
  )
  await measure({ steps, runs: 1, storageUrl: storage.url }, 1)
}

async function measured(subjects: Subject[]): Promise<SubjectCosts[]> {
  const costs: SubjectCosts[] = []
  for (const subject of subjects) {
    process.stderr.write(`${subject.name}\n`)
    costs.push(await measureSubject(subject, { storageUrl: storage.url, folder, repeats }))
  }
  return costs
}

/** The recordings, and the wav ones among them once more at 16 kHz, the longest left out. */
async function obtainRecordings(): Promise<Recording[]> {
  if (!(await isInstalled('ffmpeg', '-version'))) {
    skipped.push('recordings of other lengths than 4.4 s: FFmpeg is not installed')
    return shortRecordings(media, containers)
  }
  const made = await makeRecordings(media, lengths, containers)
  const short = made.filter(({ container, seconds }) => container === 'wav' && seconds <= 180)
  return [...made, ...(await Promise.all(short.map(at16kHz)))]
}

async function comparisonsOf(made: Recording[], costs: Report['recordings']): Promise<PraatComparison[]> {
  if (!(await isInstalled('praat', '--version'))) {
    skipped.push('the comparison with Praat: it is not installed')
    return []
  }
  const comparisons: PraatComparison[] = []
  for (const { name, container, path, seconds } of made) {
    const own = costs.find((cost) => cost.name === name)
    if (container !== 'wav' || !own) continue
    process.stderr.write(`Praat, ${name}\n`)
    comparisons.push(await compareWithPraat(path, own, seconds > 180 ? 1 : repeats))
  }
  return comparisons
}

async function isInstalled(command: string, question: string): Promise<boolean> {
  return await output(command, [question]).then(
    () => true,
    () => false,
  )
}
