import { parseArgs } from 'node:util'
import { type Measured, measureBusyStudent } from '../harness/busy-student/measure.ts'
import {
  load,
  type Machine,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  writeFigures,
} from '../harness/measuring/figures.ts'

const MOST_TIMES_ALONE = 2
const MOST_CRISIS_MAILS = 3

const HELP = `npm run bench:busy-student -- [options]

Measures what other students notice of one who makes every call as often as the limits allow, check-ins with crisis words included.
The busy student's phone is a process of the lowest priority, as its CPU time is not the server's in reality. Prints a table and one
line of JSON. Exits with 1 when the slowest check-in of the others takes more than ${MOST_TIMES_ALONE} times as long as the slowest alone, one of
them gets no score, or the crisis contact gets more than ${MOST_CRISIS_MAILS} mails.

  --minutes N  how long (10)
  --write      also write the figures into docs/benchmarks.md
  --help       this text`

/** `npm run bench:busy-student` */
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const minutes = Number(options.minutes)
if (!(minutes > 0)) throw new Error('--minutes takes a number')

const loadBefore = load()
const measured = await measureBusyStudent(minutes, (line) => process.stderr.write(`${line}\n`))
const machine = machineAfter(loadBefore)
const text = figures(measured, machine)
console.log(`${text}\n\n${callsOf(measured)}`)
console.log(
  JSON.stringify({ minutes, machine, ...measured, responses: Object.fromEntries(measured.responses) }),
)
if (options.write) writeFigures('busy-student', text)
const over = overBars(measured)
for (const line of over) console.error(`Over its bar: ${line}`)
process.exitCode = over.length > 0 ? 1 : 0

function overBars({ aloneS, besideS, unscored, crisisMails }: Measured): string[] {
  const times = Math.max(...besideS) / Math.max(...aloneS)
  return [
    ...(times > MOST_TIMES_ALONE
      ? [
          `the slowest check-in took ${times.toFixed(2)} times as long as the slowest alone, at most ${MOST_TIMES_ALONE}`,
        ]
      : []),
    ...(unscored > 0 ? [`${unscored} check-ins of others got no score`] : []),
    ...(crisisMails > MOST_CRISIS_MAILS ? [`${crisisMails} crisis mails, at most ${MOST_CRISIS_MAILS}`] : []),
  ]
}

function figures({ aloneS, besideS, unscored, crisisMails }: Measured, machine: Machine): string {
  const row = (name: string, times: number[]) => [
    name,
    times.length,
    median(times).toFixed(1),
    Math.max(...times).toFixed(1),
  ]
  return [
    `${measuredOn(machine)}, ${minutes} minutes.`,
    markdownTable(
      ['Check-ins of other students', 'Number', 'Median, s', 'Slowest, s'],
      [row('alone', aloneS), row('beside the busy student', besideS)],
    ),
    `Without a score: ${unscored}. Mails to the crisis contact: ${crisisMails}.`,
  ].join('\n\n')
}

/** What became of each call of the busy student, for the terminal. */
function callsOf({ responses }: Measured): string {
  return markdownTable(
    ['Calls of the busy student', 'Made', 'By status'],
    [...responses].map(([name, byStatus]) => [
      name,
      Object.values(byStatus).reduce((sum, count) => sum + count, 0),
      Object.entries(byStatus)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    ]),
  )
}
