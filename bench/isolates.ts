import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePorts, type IsolateEvent, type RuntimePolicy } from 'local-supabase'
import { startStack } from '../demo/stack.ts'
import { round } from '../functions/_shared/numbers.ts'
import { load, machineAfter, median, writeFigures } from '../harness/measuring/figures.ts'
import { ROOT } from '../scripts/root.ts'
import { makeImages, take } from './analysis/images.ts'
import { makeRecordings } from './analysis/recordings.ts'
import { pageFigures, type Results } from './isolates/page.ts'
import { cpuMs, inTurn, type Media, measure, mediumFrom, prepare, type Subject } from './isolates/phase.ts'
import { noteUnits, queueOrderOf } from './isolates/queue-order.ts'

const MODES = ['per_worker', 'oneshot', 'unlimited']
const PHASES = ['one by one', '8 at once', '30 at once', 'ten and one']

const HELP = `npm run bench:isolates -- [options]

Times check-ins of 187 s of speech, 12 images and a transcript, from submission to result, on a local stack that limits isolates as a
hosted project does, in both of its scheduling modes; without limits for comparison. Prints a table and one line of JSON.
Exits with 1 when a figure is over its bar.

  --mode NAME   ${MODES.join(', ')}; may be repeated (all)
  --phase NAME  ${PHASES.map((phase) => `"${phase}"`).join(', ')}; may be repeated (all)
  --json        print the line of JSON alone
  --write       also write the figures into docs/benchmarks.md
  --help        this text`

/** `npm run bench:isolates` */
const { values: options } = parseArgs({
  options: {
    mode: { type: 'string', multiple: true, default: MODES },
    phase: { type: 'string', multiple: true, default: PHASES },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const progress = (line: string) => console.error(line)
const loadBefore = load()
const results: Results = {}
const over: string[] = []

try {
  const media = await makeMedia()
  for (const mode of options.mode) await measureMode(mode, media)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
const machine = machineAfter(loadBefore)
if (!options.json) console.table(results)
console.log(JSON.stringify({ machine, results, over }))
if (options.write) {
  writeFigures('isolates', pageFigures(results, machine))
}
for (const line of over) console.error(`Over its bar: ${line}`)
process.exit(over.length > 0 ? 1 : 0)

async function makeMedia(): Promise<Media> {
  const images = join(folder, 'images')
  mkdirSync(images)
  const [small] = await makeImages(images)
  const [recording] = await makeRecordings(folder, [187], ['m4a'])
  if (!small || !recording) throw new Error('No media were made')
  return {
    audio: mediumFrom(recording.path, 'audio/mp4'),
    images: take(small, 12).map((name) => mediumFrom(join(images, name), 'image/jpeg')),
    transcript: readFileSync(join(ROOT, 'corpora', 'speech', 'neutral.txt'), 'utf8'),
  }
}

async function measureMode(mode: string, media: Media): Promise<void> {
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const events: IsolateEvent[] = []
  const unlimited = mode === 'unlimited'
  const runtimePolicy: RuntimePolicy = mode === 'oneshot' ? 'oneshot' : 'per_worker'
  const log: string[] = []
  const stack = await startStack(
    {
      ...{ port, dbPort, inboxPort, dataDir: join(folder, mode), reset: false, watch: false, durable: false },
      runtimePolicy,
      ...(unlimited && { limits: false }),
    },
    { progress: () => {}, log: (line) => log.push(line), isolate: (event) => events.push(event) },
  )
  try {
    const { keys, ...rest } = stack
    const project = { ...rest, publishableKey: keys.publishable, secretKey: keys.secret, local: null }
    const subject: Subject = { stack, project, media, events }
    await noteUnits(stack.databaseUrl)
    // Storage holds the models from here on, and Deno has compiled what it keeps.
    await measure(subject, [await prepare(subject, 1)])
    if (unlimited) return await phase(mode, 'one by one', subject, 3)
    for (const name of options.phase) await phase(mode, name, subject)
  } finally {
    await stack.stop()
    if (process.env.BENCH_LOG) console.error(log.join('\n'))
  }
}

async function phase(mode: string, name: string, subject: Subject, count = 5): Promise<void> {
  const bar = (holds: boolean, what: string) => {
    if (!holds) over.push(`${mode}, ${name}: ${what}`)
  }
  const title = `${mode}, ${name}`
  if (name === 'ten and one') {
    const alone = median((await measure(subject, inTurn(await prepare(subject, 3)), 'results')).times)
    const ten = await prepare(subject, 10, true)
    const one = await prepare(subject, 1)
    const { times, figures } = await measure(subject, [ten, one])
    const second = times.at(-1) ?? Number.POSITIVE_INFINITY
    const { overtakenBy, unitOfEachKindS } = await queueOrderOf(
      subject.stack.databaseUrl,
      one.map(({ id }) => id),
      ten.map(({ id }) => id),
    )
    const waited = round(second - alone, 1)
    results[title] = {
      ...figures,
      'waited longer, s': waited,
      'one unit of each kind, s': unitOfEachKindS,
      'overtaken by': overtakenBy,
    }
    bar(figures.complete === figures['check-ins'], 'not all are complete')
    bar(second < Math.min(...times.slice(1, -1)), 'the other student is not next after the first')
    bar(waited <= unitOfEachKindS, `the other student waited ${waited} s longer than alone`)
    bar(overtakenBy === 0, `${overtakenBy} units of the ten went before the other student's`)
  } else {
    const oneByOne = name === 'one by one'
    const checkIns = await prepare(subject, oneByOne ? count : Number.parseInt(name, 10))
    const { figures } = oneByOne
      ? await measure(subject, inTurn(checkIns), 'results')
      : await measure(subject, [checkIns])
    results[title] = figures
    const kills = figures['killed for CPU'] + figures['killed for memory']
    bar(figures.complete === figures['check-ins'], 'not all are complete')
    bar(figures['lost jobs of one'] <= 1, 'one waited for leases more than once')
    if (oneByOne) {
      bar(figures['last, s'] < (mode === 'unlimited' ? 4 : 12), `${figures['last, s']} s`)
      bar(kills <= 1, `${kills} kills`)
    }
    if (name === '8 at once') bar(figures['last, s'] < 60, `${figures['last, s']} s`)
  }
  for (const worker of ['audio', 'visual', 'text', 'fusion']) {
    progress(`  so far, ${worker}: ${round(cpuMs(subject, worker) / 1000, 1)} s of CPU`)
  }
  progress(`${title}: ${JSON.stringify(results[title])}`)
}
