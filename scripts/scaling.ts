import { readGenerated, writeGenerated } from './generated.ts'

/**
 * What one check-in costs, and how the service is used. Measured ones are from docs/benchmarks.md: change them here when those change,
 * then `npm run scaling` writes the tables of docs/scaling.md.
 */
const CHECK_IN = {
  /** CPU of the pipeline's isolates, their starts included, s (benchmarks.md, isolates, oneshot, as hosted). */
  functionCpuS: 3.5,
  /** CPU of Postgres under load, s: all of it, reads and live channels of the phones included (benchmarks.md#check-ins-at-a-rate). */
  databaseCpuS: 0.45,
  /** Calls of functions: start, complete, two reads, and at most a webhook for each job. */
  invocations: 17,
  /** Jobs that are claimed: 6 slices, 3 groups of images, 2 merges, text, fusion. */
  jobs: 13,
  /** Longest time that a worker of one kind is busy with it, s: 6 slices of audio and their merge (functions/_shared/audio/slices.ts). */
  audioS: 2,
  /** Recording of 187 s at 64 kbit/s and 12 images, MB. */
  mediaMb: 2.2,
  /**
   * What its isolates load from Storage, MB: of the 2.8 that are started for a check-in (benchmarks.md#isolates), about 1.8 decode speech
   * (3.5 each) and 1 looks at images (7.5), by their CPU.
   */
  assetsMb: 13.8,
  /** Responses and pages, MB. */
  responsesMb: 0.05,
  /** Rows with their indexes, KB: 0.2 GB for 124,678 check-ins (benchmarks.md#large-amounts-of-data). */
  rowsKb: 1.8,
  /** Messages of Realtime: progress and result, sent and received. */
  messages: 30,
}

/** Share of a day's check-ins in its busiest hour, and how long a phone keeps its channel open, minutes. Assumed. */
const PEAK_HOUR = 0.2
const CHANNEL_MIN = 2

/** How long rows and media are kept, days (docs/privacy.md). */
const KEPT_DAYS = { rows: 3 * 365, media: 30 }

/** Bounds that a default setting or the queue's design sets. */
const BOUNDS = {
  /** Jobs of one worker at the same time: private.pipeline_settings.max_in_flight. */
  inFlight: 8,
  /** Claims a second with 2,000 check-ins waiting, one after another on one core: from their CPU (benchmarks.md#the-queue). */
  claims: 100,
}

/**
 * US dollars a month beyond what Pro includes; supabase/supabase, apps/docs/content/guides/platform/manage-your-usage/*.mdx and billing
 * partials, read on 2026-11-22.
 */
const PRICES = {
  plan: 25,
  computeCredit: 10,
  pitr: 100,
  invocations: { included: 2e6, each: 2 / 1e6 },
  egressGb: { included: 250, each: 0.09 },
  storageGb: { included: 100, each: 0.021 },
  diskGb: { included: 8, each: 0.125 },
  activeUsers: { included: 100_000, each: 0.00325 },
  messages: { included: 5e6, each: 2.5 / 1e6 },
  connections: { included: 500, each: 10 / 1000 },
}

/** Sizes of a project's compute: cores, direct connections, pooler clients and dollars a month (the same source). */
const COMPUTE = [
  { name: 'Small', cores: 2, price: 15 },
  { name: 'Medium', cores: 2, price: 60 },
  { name: 'Large', cores: 2, price: 110 },
  { name: 'XL', cores: 4, price: 210 },
  { name: '2XL', cores: 8, price: 410 },
  { name: '4XL', cores: 16, price: 960 },
  { name: '8XL', cores: 32, price: 1870 },
  { name: '12XL', cores: 48, price: 2800 },
  { name: '16XL', cores: 64, price: 3730 },
]

/** Share of a database's cores that check-ins may take at the peak: the rest is sign-in, reads, cron and retention. */
const SHARE_OF_CORES = 0.5

const DAYS = 30

/** What so many students need who check in once a day. */
function needs(students: number) {
  const peakPerMinute = (students * PEAK_HOUR) / 60
  const month = students * DAYS
  const cores = ((peakPerMinute / 60) * CHECK_IN.databaseCpuS) / SHARE_OF_CORES
  const compute = COMPUTE.find((size) => size.cores >= cores)
  const figures = {
    peakPerMinute,
    functionCores: (peakPerMinute / 60) * CHECK_IN.functionCpuS,
    databaseCores: cores,
    claimsASecond: (peakPerMinute / 60) * CHECK_IN.jobs,
    inFlight: (peakPerMinute / 60) * CHECK_IN.audioS,
    invocations: month * CHECK_IN.invocations,
    egressGb: (month * (CHECK_IN.mediaMb + CHECK_IN.assetsMb + CHECK_IN.responsesMb)) / 1000,
    storageGb: (students * KEPT_DAYS.media * CHECK_IN.mediaMb) / 1000,
    diskGb: (students * KEPT_DAYS.rows * CHECK_IN.rowsKb) / 1e6,
    connections: peakPerMinute * CHANNEL_MIN,
    messages: month * CHECK_IN.messages,
  }
  const over = (amount: number, { included, each }: { included: number; each: number }) =>
    Math.max(0, amount - included) * each
  const costs = {
    'plan, compute, point-in-time recovery':
      PRICES.plan - PRICES.computeCredit + PRICES.pitr + (compute?.price ?? Number.NaN),
    'calls of functions': over(figures.invocations, PRICES.invocations),
    egress: over(figures.egressGb, PRICES.egressGb),
    storage: over(figures.storageGb, PRICES.storageGb),
    'disk, after three years': over(figures.diskGb, PRICES.diskGb),
    'active users': over(students, PRICES.activeUsers),
    Realtime: over(figures.messages, PRICES.messages) + over(figures.connections, PRICES.connections),
  }
  return { students, compute: compute?.name ?? 'none is large enough', figures, costs }
}

const LEVELS = [10_000, 100_000, 1_000_000].map(needs)

/** `npm run scaling`: writes the tables; with `--check`, exits with 1 when the page has others. */
const [page, command, text] = ['scaling.md', 'npm run scaling', tables().join('\n\n')]
if (process.argv.includes('--check')) process.exitCode = readGenerated(page, command) === text ? 0 : 1
else writeGenerated(page, command, text)

function tables(): string[] {
  const row = (name: string, value: (level: (typeof LEVELS)[number]) => string) => [
    name,
    ...LEVELS.map(value),
  ]
  const head = ['Students a day', ...LEVELS.map(({ students }) => number(students))]
  return [
    table(head, [
      row('check-ins a minute in the busiest hour', ({ figures }) => number(figures.peakPerMinute)),
      row('cores that functions keep busy then', ({ figures }) => number(figures.functionCores)),
      row('cores of the database, at half use', ({ figures }) => number(figures.databaseCores)),
      row('compute', ({ compute }) => compute),
      row(`jobs of one worker at once (\`max_in_flight\`: ${BOUNDS.inFlight})`, ({ figures }) =>
        number(figures.inFlight),
      ),
      row(`claims a second (measured: ${number(BOUNDS.claims)})`, ({ figures }) =>
        number(figures.claimsASecond),
      ),
      row('calls of functions a month, million', ({ figures }) => number(figures.invocations / 1e6)),
      row('egress a month, GB', ({ figures }) => number(figures.egressGb)),
      row('objects, GB', ({ figures }) => number(figures.storageGb)),
      row('database after three years, GB', ({ figures }) => number(figures.diskGb)),
      row('channels open at the peak', ({ figures }) => number(figures.connections)),
    ]),
    table(
      ['US dollars a month', ...LEVELS.map(({ students }) => number(students))],
      [
        ...Object.keys(LEVELS[0]?.costs ?? {}).map((name) =>
          row(name, ({ costs }) => number(costs[name as keyof typeof costs])),
        ),
        row('all', ({ costs }) => number(sum(costs))),
        row('for a student and month', ({ costs, students }) => (sum(costs) / students).toFixed(3)),
      ],
    ),
  ]
}

function sum(costs: Record<string, number>): number {
  return Object.values(costs).reduce((total, cost) => total + cost, 0)
}

/** Two digits that count below 10, thousands apart above. */
function number(value: number): string {
  if (Number.isNaN(value)) return '–'
  return value > 0 && value < 10
    ? String(Number(value.toPrecision(2)))
    : Math.round(value).toLocaleString('en-US')
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
