import type { Direction, Significance } from '../../functions/_shared/change.ts'
import { round } from '../../functions/_shared/numbers.ts'
import type { RiskLevel } from '../../functions/_shared/risk-level.ts'
import type { StoredEvidence } from './stored-evidence.ts'

/** High risk that a clinical review is opened for. */
export type Alarm = { source: 'check_in' | 'session'; sourceId: string; student: number; atMs: number }

/** What one day adds, rows in COPY's text format. */
export type Rows = { checkIns: string[]; results: string[]; studentDays: string[]; alarms: Alarm[] }

export function emptyRows(): Rows {
  return { checkIns: [], results: [], studentDays: [], alarms: [] }
}

/** Columns of the rows, in their order. */
export const COLUMNS = {
  checkIns: [
    ...['id', 'user_id', 'type', 'status', 'progress', 'submissions', 'error_code', 'risk_level'],
    ...['created_at', 'expires_at', 'submitted_at', 'completed_at'],
  ],
  results: [
    ...[
      'check_in_id',
      'user_id',
      'score',
      'uncertainty',
      'direction_of_change',
      'significance',
      'risk_level',
    ],
    ...['summary', 'themes', 'drivers_positive', 'drivers_negative', 'drivers', 'components', 'baseline'],
    ...['algorithm_version', 'created_at'],
  ],
  studentDays: ['day', 'user_id', 'ended', 'completed', 'score_sum'],
} as const

export type Verdict = {
  endedMs: number
  risk: RiskLevel
  direction: Direction
  significance: Significance
  summary: string
  compared: { mean: number; spread: number; checkIns: number; by: number | null } | null
}

/** How long before its end a check-in was handed in, ms. */
const ANALYSIS_MS = 12_000
const DAY_MS = 86_400_000

/** Makes rows in COPY's text format; nothing in them needs escaping but what the evidence brings along, escaped. */
export const ROW = {
  complete: (id: string, user: string, type: string, atMs: number, endedMs: number, risk: RiskLevel) =>
    `${id}\t${user}\t${type}\tcomplete\t1\t1\t\\N\t${risk}\t${time(atMs)}\t${time(atMs + DAY_MS)}\t${time(endedMs - ANALYSIS_MS)}\t${time(endedMs)}\n`,

  failed: (id: string, user: string, atMs: number, endedMs: number) =>
    `${id}\t${user}\tdaily\tfailed\t1\t1\tnothing_to_score\tnone\t${time(atMs)}\t${time(atMs + DAY_MS)}\t${time(endedMs - ANALYSIS_MS)}\t${time(endedMs)}\n`,

  expired: (id: string, user: string, atMs: number, expiresMs: number) =>
    `${id}\t${user}\tdaily\texpired\t0\t0\t\\N\t\\N\t${time(atMs)}\t${time(expiresMs)}\t\\N\t\\N\n`,

  result: (checkIn: string, user: string, evidence: StoredEvidence, verdict: Verdict) =>
    `${checkIn}\t${user}\t${evidence.score}\t${evidence.uncertainty}\t${verdict.direction}\t${verdict.significance}\t${verdict.risk}\t${verdict.summary}\t${evidence.columns}\t${baselineOf(verdict)}\t${evidence.algorithmVersion}\t${time(verdict.endedMs)}\n`,

  studentDay: (
    date: string,
    user: string,
    { ended, completed, scoreSum }: { ended: number; completed: number; scoreSum: number },
  ) => `${date}\t${user}\t${ended}\t${completed}\t${scoreSum}\n`,
} as const

function baselineOf({ compared }: Verdict): string {
  if (compared === null) return '{"score_mean":null,"score_sd":null,"check_ins":0,"compared":null}'
  const by = compared.by === null ? null : round(compared.by, 2)
  return `{"score_mean":${round(compared.mean, 2)},"score_sd":${round(compared.spread, 2)},"check_ins":${compared.checkIns},"compared":${by}}`
}

/** Times of day by their second. */
const CLOCK = Array.from({ length: 86_400 }, (_, second) =>
  new Date(1000 * second).toISOString().slice(10, 19),
)

let dayStart = Number.NaN
let dayText = ''

/** A time as Postgres reads it, to the millisecond. Days come in a row, so that the last one is kept. */
export function time(ms: number): string {
  const start = ms - (ms % DAY_MS)
  if (start !== dayStart) {
    dayStart = start
    dayText = new Date(start).toISOString().slice(0, 10)
  }
  const within = ms - start
  return `${dayText}${CLOCK[Math.floor(within / 1000)]}.${String(within % 1000).padStart(3, '0')}Z`
}
