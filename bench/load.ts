import { parseArgs } from 'node:util'
import {
  load,
  type Machine,
  machineAfter,
  markdownTable,
  measuredOn,
  writeFigures,
} from '../harness/measuring/figures.ts'
import { type Figures, measureLoad, type Phase, rateOfAllCores } from './load/measure.ts'

const ALONE_S = 6
const P95_S = 60
const OTHER_CALLS_MS = 500
const ALONE_COUNT = 10

const HELP = `npm run bench:load -- [options]

Drives whole check-ins (three minutes of speech, 12 images, a transcript) with real clients, whose process has the lowest priority, on a
stack of its own whose functions have the hosted limits. Reports throughput, times from submission to result, CPU by part, the load of
the database, and how long sign-in and reads take meanwhile. Prints a table and one line of JSON; exits with 1 over a bar.

  --alone            ${ALONE_COUNT} one after another; each has its result within ${ALONE_S} s
  --rate N           N a minute; may be repeated. 95% have their result within ${P95_S} s
  --minutes M        how long each rate is kept up (5)
  --overload N       N a minute, more than the machine can do: nothing is lost, none fails, the backlog drains
  --overload-minutes M   how long that is kept up (10)
  --write            also write the figures into docs/benchmarks.md
  --help             this text

In every phase 95% of all other calls take less than ${OTHER_CALLS_MS} ms.`

/** `npm run bench:load` */
const { values: options } = parseArgs({
  options: {
    alone: { type: 'boolean', default: false },
    rate: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: '5' },
    overload: { type: 'string' },
    'overload-minutes': { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
const phases = phasesOf()
if (options.help || phases.length === 0) {
  console.log(HELP)
  process.exit(options.help ? 0 : 2)
}
const loadBefore = load()
const results = await measureLoad(phases, (line) => console.error(line))
const machine = machineAfter(loadBefore)
const text = pageOf(results, machine)
console.log(text)
console.log(JSON.stringify({ machine, results: Object.fromEntries(results) }))
if (options.write) writeFigures('load', text)
const over = [...results].flatMap(([name, figures]) => overBars(name, figures))
for (const line of over) console.error(`Over its bar: ${line}`)
process.exit(over.length > 0 ? 1 : 0)

function phasesOf(): Phase[] {
  const atRate = (name: string, rate: string, minutes: string): Phase => {
    const [perMinute, length] = [Number(rate), Number(minutes)]
    if (!(perMinute > 0 && length > 0)) throw new Error('Rates and minutes are numbers above 0')
    return { name, count: Math.round(perMinute * length), perMinute, share: 0 }
  }
  const { rate, minutes, overload, 'overload-minutes': overloadMinutes } = options
  return [
    ...(options.alone ? [{ name: 'alone', count: ALONE_COUNT, perMinute: null, share: 0 }] : []),
    ...rate.map((each) => atRate(`${each} a minute, ${minutes} min`, each, minutes)),
    ...(overload
      ? [atRate(`overload: ${overload} a minute, ${overloadMinutes} min`, overload, overloadMinutes)]
      : []),
  ]
}

function overBars(name: string, figures: Figures): string[] {
  const slowest = Object.entries(figures.otherCallsP95Ms).filter(([, ms]) => ms > OTHER_CALLS_MS)
  const p95 = !name.startsWith('overload') && figures.p95S > P95_S
  return [
    ...(figures.complete < figures.checkIns
      ? [`${name}: ${figures.checkIns - figures.complete} without a result: ${figures.failures.join(', ')}`]
      : []),
    ...(name === 'alone' && figures.slowestS > ALONE_S
      ? [`${name}: the slowest took ${figures.slowestS.toFixed(1)} s, at most ${ALONE_S}`]
      : []),
    ...(p95 ? [`${name}: p95 ${figures.p95S.toFixed(1)} s, at most ${P95_S}`] : []),
    ...slowest.map(([call, ms]) => `${name}: ${call} p95 ${ms.toFixed(0)} ms, at most ${OTHER_CALLS_MS}`),
    ...(figures.otherCallsFailed > 0 ? [`${name}: ${figures.otherCallsFailed} other calls failed`] : []),
  ]
}

function pageOf(results: ReadonlyMap<string, Figures>, machine: Machine): string {
  const rows = [...results]
  const parts = [...new Set(rows.flatMap(([, { cpuS }]) => Object.keys(cpuS)))]
  const calls = [...new Set(rows.flatMap(([, { otherCallsP95Ms }]) => Object.keys(otherCallsP95Ms)))]
  const row = (what: string, of: (figures: Figures) => string | number) => [
    what,
    ...rows.map(([, figures]) => of(figures)),
  ]
  return [
    `${measuredOn(machine)}.`,
    markdownTable(
      ['', ...rows.map(([name]) => name)],
      [
        row('complete', (each) => `${each.complete} of ${each.checkIns}`),
        row('p50, s', (each) => each.p50S.toFixed(1)),
        row('p95, s', (each) => each.p95S.toFixed(1)),
        row('slowest, s', (each) => each.slowestS.toFixed(1)),
        row('results a minute', (each) => each.perMinute.toFixed(1)),
        row('drained, s', (each) => each.drainedS.toFixed(0)),
        row('repeated', (each) => each.repeats),
        row('cores busy', (each) => each.coresBusy.toFixed(2)),
        ...parts.map((part) =>
          row(`CPU of ${part}, s`, (each) => ((each.cpuS[part] ?? 0) / each.complete).toFixed(2)),
        ),
        row('CPU of all, s', (each) => each.cpuPerCheckInS.toFixed(2)),
        row('rate at which all cores are busy, a minute', (each) => rateOfAllCores(each).toFixed(0)),
        row('statements at the same time, mean', ({ database }) => database.active.toFixed(2)),
        row('connections, peak', ({ database }) => database.connections),
        row('transactions a second', ({ database }) => database.transactions.toFixed(0)),
        row('unfinished check-ins, peak', ({ database }) => database.backlog),
        ...calls.map((call) =>
          row(`${call}, p95, ms`, (each) => (each.otherCallsP95Ms[call] ?? 0).toFixed(0)),
        ),
      ],
    ),
  ].join('\n\n')
}
