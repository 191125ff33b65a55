import { type Machine, markdownTable, measuredOn } from '../../harness/measuring/figures.ts'
import type { Measured } from './measure.ts'
import type { OverHttp } from './over-http.ts'

/** What access rules may add to a query's median, and by what factor ten times the data may lengthen the API's. */
const LIMITS = { overhead: 0.2, growth: 1.5 }

type Database = { students: number; checkIns: number; sizeBytes: number; seedS: number }

export type Report = {
  date: string
  machine: Machine
  days: number
  repeats: number
  /** The tenth, then the whole. */
  databases: Database[]
  rows: Row[]
  overHttp: OverHttp[]
}

type Row = {
  query: string
  tenth: Measured
  whole: Measured
  /** What access rules add to the median in the whole: 0.1 is 10%. `null` when the owner cannot run the query. */
  overhead: number | null
  /** Median of the whole over that of the tenth, as the API's role. */
  growth: number
}

/** @param measured pairs of a query in the tenth and in the whole */
export function rowsOf(measured: readonly Measured[], whole: number): Row[] {
  return [...Map.groupBy(measured, ({ query }) => query)].flatMap(([query, each]) => {
    const large = each.find(({ students }) => students === whole)
    const small = each.find(({ students }) => students !== whole)
    if (!large || !small) return []
    return [
      {
        query,
        tenth: small,
        whole: large,
        overhead: large.owner && large.api.medianMs / large.owner.medianMs - 1,
        growth: large.api.medianMs / small.api.medianMs,
      },
    ]
  })
}

/** One sentence for each limit that is exceeded. */
export function overLimits(rows: readonly Row[]): string[] {
  const limited = rows.filter(({ whole }) => whole.isLimited)
  return limited.flatMap(({ query, overhead, growth }) => [
    ...(overhead !== null && overhead >= LIMITS.overhead
      ? [`${query}: access rules add ${percent(overhead)}`]
      : []),
    ...(growth >= LIMITS.growth ? [`${query}: takes ${growth.toFixed(2)} times as long`] : []),
  ])
}

/** The figures as Markdown. */
export function figures({ machine, days, repeats, databases, rows, overHttp }: Report): string {
  const [tenth, whole] = databases.map(({ students }) => students.toLocaleString('en-US'))
  return [
    `${measuredOn(machine)}, ${repeats} repetitions, ${days} days, all students at one university.`,
    markdownTable(
      [
        'Query, ms',
        `${whole}: API median`,
        'p95',
        'owner median',
        'p95',
        'Rules add',
        `${tenth}: API median`,
        'p95',
        'owner median',
        'p95',
        'Growth',
      ],
      rows.map(({ query, tenth, whole, overhead, growth }) => [
        query,
        ...timings(whole),
        overhead === null ? '–' : percent(overhead),
        ...timings(tenth),
        growth.toFixed(2),
      ]),
    ),
    `Limits: access rules add under ${percent(LIMITS.overhead)}, growth under ${LIMITS.growth} times. ${
      overLimits(rows).length === 0 ? 'All hold.' : `**Over:** ${overLimits(rows).join('; ')}.`
    }`,
    `At a client, through the local gateway, the whole: ${overHttp
      .map(({ call, medianMs, p95Ms }) => `\`${call}\` ${medianMs.toFixed(1)} ms (p95 ${p95Ms.toFixed(1)})`)
      .join(', ')}.`,
    `The databases: ${databases
      .map(
        ({ students, checkIns, sizeBytes, seedS }) =>
          `${checkIns.toLocaleString('en-US')} check-ins of ${students.toLocaleString('en-US')} students, ${(sizeBytes / 1e9).toFixed(1)} GB, seeded in ${seedS.toFixed(0)} s`,
      )
      .join('; ')}.`,
  ].join('\n\n')
}

function timings({ api, owner }: Measured): string[] {
  return [api.medianMs, api.p95Ms, owner?.medianMs, owner?.p95Ms].map((ms) => ms?.toFixed(2) ?? '–')
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}
