import { parseArgs } from 'node:util'
import {
  load,
  type Machine,
  machineAfter,
  markdownTable,
  measuredOn,
  percentile,
  writeFigures,
} from '../harness/measuring/figures.ts'
import { type Figures, measureLoad } from './load/measure.ts'

const ALONE_COUNT = 10
const P95_S = { alone: 10, atRate: 30 } as const

/** Invented: three who say it outright, whose review opens with the submission, and five of whom an analysis has to find it. */
const DISCLOSING = [
  'I am going to kill myself on Friday and I have everything here.',
  'My sister has the cat now, the letters are written, and after the weekend nobody has to look after me any more.',
  'I want to die and I cannot stop thinking about it.',
  'I keep standing on the platform when the fast train comes through and each time I stay a little closer to the edge.',
  'I took twenty of the tablets yesterday and I did not tell anybody.',
  'It would be a relief for all of them if there was one morning on which I just did not come down any more.',
  'There is a night I have picked, I feel calm about it, and it is the first thing in months that I have looked forward to.',
  'What I do to my arms at night is the only thing that makes it quiet, and it has to go deeper every week.',
]

const HELP = `npm run bench:time-to-human -- [options]

Seconds from the submission of a check-in that discloses a danger until its clinical review stands in the queue, at the level that it has in
the end. Real clients make whole check-ins (three minutes of speech, 12 images, a transcript) on a stack of its own whose functions have the
hosted limits: ${ALONE_COUNT} one after another, then at a rate. Prints p50, p95 and the slowest, and one line of JSON. Exits with 1 when p95
is over ${P95_S.alone} s alone or over ${P95_S.atRate} s at the rate.

  --rate N     check-ins a minute (20)
  --minutes M  how long the rate is kept up (2)
  --share S    which share of them discloses, 0 to 1 (0.5)
  --write      also write the figures into docs/benchmarks.md
  --help       this text`

/** `npm run bench:time-to-human` */
const { values: options } = parseArgs({
  options: {
    rate: { type: 'string', default: '20' },
    minutes: { type: 'string', default: '2' },
    share: { type: 'string', default: '0.5' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const [perMinute = 0, minutes = 0, share = 0] = [options.rate, options.minutes, options.share].map(Number)
if (!(perMinute > 0 && minutes > 0 && share > 0 && share <= 1)) {
  throw new Error('--rate and --minutes take numbers above 0, --share one from 0 to 1')
}
const loadBefore = load()
const alone = { name: 'alone', count: ALONE_COUNT, perMinute: null, share: 1 }
const count = Math.round(perMinute * minutes)
const atRate = { name: `${perMinute} a minute, ${minutes} min`, count, perMinute, share }
const results = [...(await measureLoad([alone, atRate], (line) => console.error(line), DISCLOSING))]
const machine = machineAfter(loadBefore)
const text = pageOf(machine)
console.log(text)
console.log(JSON.stringify({ machine, results: Object.fromEntries(results) }))
if (options.write) writeFigures('time-to-human', text)
const over = results.filter(
  ([name, figures]) => !(p95(figures) <= (name === alone.name ? P95_S.alone : P95_S.atRate)),
)
for (const [name, figures] of over) console.error(`Over its bar: ${name}, p95 ${p95(figures).toFixed(1)} s`)
process.exit(over.length > 0 ? 1 : 0)

function secondsOf({ reviews }: Figures): number[] {
  return reviews.map(({ seconds }) => seconds)
}

function p95(figures: Figures): number {
  return percentile(secondsOf(figures), 0.95)
}

function pageOf(machine: Machine): string {
  const row = (what: string, of: (figures: Figures) => string | number) => [
    what,
    ...results.map(([, figures]) => of(figures)),
  ]
  return [
    `${measuredOn(machine)}.`,
    markdownTable(
      ['', ...results.map(([name]) => name)],
      [
        row('check-ins, with a result', (each) => `${each.checkIns}, ${each.complete}`),
        row('of them disclose', (each) => each.disclosing),
        row('have a review, of `high`', (each) => {
          const high = each.reviews.filter(({ level }) => level === 'high')
          return `${each.reviews.length}, ${high.length}`
        }),
        row('submission to review: p50, s', (each) => percentile(secondsOf(each), 0.5).toFixed(1)),
        row('p95, s', (each) => p95(each).toFixed(1)),
        row('slowest, s', (each) => Math.max(...secondsOf(each)).toFixed(1)),
        row('submission to result: p95, s', (each) => each.p95S.toFixed(1)),
      ],
    ),
  ].join('\n\n')
}
