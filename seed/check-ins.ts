import type { Direction, Significance } from '../functions/_shared/direction-of-change.ts'
import { round } from '../functions/_shared/numbers.ts'
import type { RiskLevel } from '../functions/_shared/risk-level.ts'
import { updateBaseline } from '../functions/_shared/scoring/baseline.ts'
import { changeFrom, riskOf, whyUncompared } from '../functions/_shared/scoring/interpretation.ts'
import { summaryOf } from '../functions/_shared/scoring/summary.ts'
import type { Baseline } from '../functions/_shared/scoring/types.ts'
import { type Day, startOfDay } from './calendar.ts'
import type { StoredEvidence } from './evidence.ts'
import type { Streams } from './random.ts'
import { checkInProbability, Moods, type StudentTraits } from './wellbeing.ts'

const DAY_MS = 86_400_000

/** Share of check-ins that fail, and of those that are started and never submitted. */
const FAILING = 0.02
const ABANDONED = 0.02

/** Share of these after which the student tries again on the same day. */
const RETRYING = 0.7

/** A student's state after the last check-in, as the table `students` stores it. */
type StudentSnapshot = {
  checkIns: number
  lastAtMs: number | null
  lastScore: number | null
  lastUncertainty: number | null
  lastDirection: string | null
  risk: RiskLevel
}

type Participant = { id: string; university: { timeZone: string }; traits: StudentTraits }

/** Finds the evidence of a student's check-in. */
type FindEvidence = (student: number, score: number) => StoredEvidence

/** Generates all students' check-ins, day by day, scored against each student's own baseline as the service does. */
export class CheckInHistory {
  readonly baselines: (Baseline | null)[]
  readonly snapshots: StudentSnapshot[]
  /** Students who checked in since this set was last cleared. */
  readonly changed = new Set<number>()
  readonly #abandoned = new Set<number>()
  readonly #moods: Moods
  readonly #random: Streams
  readonly #students: readonly Participant[]
  readonly #evidence: FindEvidence

  constructor(random: Streams, students: readonly Participant[], evidence: FindEvidence) {
    this.#random = random
    this.#students = students
    this.#evidence = evidence
    this.#moods = new Moods(random, students.length)
    this.baselines = students.map(() => null)
    this.snapshots = students.map(() => ({
      ...{ checkIns: 0, lastAtMs: null, lastScore: null, lastUncertainty: null, lastDirection: null },
      risk: 'none',
    }))
  }

  /**
   * The rows of one day. Call once for every day, in order.
   * @param elapsed fraction of the whole period that is over, 0 to 1
   */
  next(day: Day, elapsed: number): Rows {
    const rows = emptyRows()
    for (const [student, { id, university, traits }] of this.#students.entries()) {
      const score = this.#moods.next(student, traits, day, elapsed)
      const counted = { ended: 0, completed: 0, scoreSum: 0 }
      if (this.#abandoned.delete(student)) counted.ended++
      if (this.#random.chance(student, checkInProbability(traits, day, score))) {
        let atMs = startOfDay(day, university.timeZone) + this.#timeOfDay(student)
        let isSubmitted = true
        const outcome = this.#random.share(student)
        if (outcome < FAILING + ABANDONED) {
          if (outcome < FAILING) {
            rows.checkIns.push(this.#fail(student, id, atMs))
            counted.ended++
          } else if (elapsed < 1) {
            // It expires, and counts as ended, a day later; on the last day there is no later day.
            rows.checkIns.push(ROW.expired(this.#random.timedUuid(student, atMs), id, atMs, atMs + DAY_MS))
            this.#abandoned.add(student)
          }
          isSubmitted = traits.participation === 1 || this.#random.chance(student, RETRYING)
          atMs += 1000 * Math.round(this.#random.between(student, 90, 1200))
        }
        if (isSubmitted) {
          counted.scoreSum += this.#complete(rows, student, id, atMs, score)
          counted.completed++
          counted.ended++
        }
      }
      if (counted.ended > 0) rows.studentDays.push(ROW.studentDay(day.date, id, counted))
    }
    return rows
  }

  #complete(rows: Rows, student: number, id: string, atMs: number, target: number): number {
    const evidence = this.#evidence(student, target)
    const baseline = this.baselines[student] ?? null
    const { score, uncertainty } = evidence
    const change = changeFrom(baseline, score, evidence.standardError)
    const risk = riskOf({ ...evidence, change, baseline })
    const endedMs = atMs + 1000 * Math.round(this.#random.between(student, 130, 420))
    const checkIn = this.#random.timedUuid(student, atMs)
    rows.checkIns.push(
      ROW.complete(checkIn, id, baseline === null ? 'baseline' : 'daily', atMs, endedMs, risk),
    )
    rows.results.push(
      ROW.result(checkIn, id, evidence, {
        ...{ endedMs, risk, direction: change.direction, significance: change.significance },
        summary: summaryOf({ ...evidence, direction: change.direction, risk }),
        compared: baseline && { ...baseline.score, checkIns: baseline.count, by: change.compared },
        reason: change.compared === null ? whyUncompared(baseline) : null,
      }),
    )
    if (risk === 'high') rows.alarms.push({ source: 'check_in', sourceId: checkIn, student, atMs: endedMs })
    this.baselines[student] = updateBaseline(baseline, { score, features: {} })
    this.#updateSnapshot(student, {
      checkIns: (this.snapshots[student]?.checkIns ?? 0) + 1,
      lastAtMs: endedMs,
      lastScore: score,
      lastUncertainty: uncertainty,
      lastDirection: change.direction,
      risk,
    })
    return score
  }

  #fail(student: number, id: string, atMs: number): string {
    const endedMs = atMs + 30_000
    this.#updateSnapshot(student, { lastAtMs: endedMs, risk: 'none' })
    return ROW.failed(this.#random.timedUuid(student, atMs), id, atMs, endedMs)
  }

  #updateSnapshot(student: number, change: Partial<StudentSnapshot>): void {
    const snapshot = this.snapshots[student]
    if (snapshot) Object.assign(snapshot, change)
    this.changed.add(student)
  }

  /** Between 7:30 and 22:30, more often in the evening; a second try still ends on the same day. */
  #timeOfDay(student: number): number {
    const late = Math.max(this.#random.share(student), this.#random.share(student))
    return Math.round((7.5 + 15 * late) * 3_600_000)
  }
}

/** A result with high risk, for which a clinical review is opened. */
export type Alarm = { source: 'check_in' | 'session'; sourceId: string; student: number; atMs: number }

/** The rows of one day, in COPY's text format. */
export type Rows = { checkIns: string[]; results: string[]; studentDays: string[]; alarms: Alarm[] }

function emptyRows(): Rows {
  return { checkIns: [], results: [], studentDays: [], alarms: [] }
}

/** Columns of the rows, in order. */
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
    ...[
      'summary',
      'score_interval',
      'calibrated',
      'themes',
      'drivers_positive',
      'drivers_negative',
      'drivers',
      'components',
      'baseline',
    ],
    ...['algorithm_version', 'created_at'],
  ],
  studentDays: ['day', 'user_id', 'ended', 'completed', 'score_sum'],
} as const

type Comparison = {
  endedMs: number
  risk: RiskLevel
  direction: Direction
  significance: Significance
  summary: string
  reason: string | null
  compared: { mean: number; spread: number; checkIns: number; by: number | null } | null
}

/** How long before its end a check-in was submitted, ms. */
const ANALYSIS_MS = 12_000

/** Rows in COPY's text format. Only the evidence can need escaping, and it is escaped already. */
const ROW = {
  complete: (id: string, user: string, type: string, atMs: number, endedMs: number, risk: RiskLevel) =>
    `${id}\t${user}\t${type}\tcomplete\t1\t1\t\\N\t${risk}\t${time(atMs)}\t${time(atMs + DAY_MS)}\t${time(endedMs - ANALYSIS_MS)}\t${time(endedMs)}\n`,

  failed: (id: string, user: string, atMs: number, endedMs: number) =>
    `${id}\t${user}\tdaily\tfailed\t1\t1\tnothing_to_score\tnone\t${time(atMs)}\t${time(atMs + DAY_MS)}\t${time(endedMs - ANALYSIS_MS)}\t${time(endedMs)}\n`,

  expired: (id: string, user: string, atMs: number, expiresMs: number) =>
    `${id}\t${user}\tdaily\texpired\t0\t0\t\\N\t\\N\t${time(atMs)}\t${time(expiresMs)}\t\\N\t\\N\n`,

  result: (checkIn: string, user: string, evidence: StoredEvidence, comparison: Comparison) =>
    `${checkIn}\t${user}\t${evidence.score}\t${evidence.uncertainty}\t${comparison.direction}\t${comparison.significance}\t${comparison.risk}\t${comparison.summary}\t${evidence.columns}\t${baselineColumn(comparison)}\t${evidence.algorithmVersion}\t${time(comparison.endedMs)}\n`,

  studentDay: (
    date: string,
    user: string,
    { ended, completed, scoreSum }: { ended: number; completed: number; scoreSum: number },
  ) => `${date}\t${user}\t${ended}\t${completed}\t${scoreSum}\n`,
} as const

function baselineColumn({ compared, reason }: Comparison): string {
  const why = JSON.stringify(reason)
  if (compared === null)
    return `{"score_mean":null,"score_sd":null,"check_ins":0,"compared":null,"reason":${why}}`
  const by = compared.by === null ? null : round(compared.by, 2)
  return `{"score_mean":${round(compared.mean, 2)},"score_sd":${round(compared.spread, 2)},"check_ins":${compared.checkIns},"compared":${by},"reason":${why}}`
}

/** Time of day for each second. */
const CLOCK = Array.from({ length: 86_400 }, (_, second) =>
  new Date(1000 * second).toISOString().slice(10, 19),
)

let dayStart = Number.NaN
let dayText = ''

/** A time as Postgres reads it, to the millisecond. Times come in order of days, so the last date is cached. */
export function time(ms: number): string {
  const start = ms - (ms % DAY_MS)
  if (start !== dayStart) {
    dayStart = start
    dayText = new Date(start).toISOString().slice(0, 10)
  }
  const within = ms - start
  return `${dayText}${CLOCK[Math.floor(within / 1000)]}.${String(within % 1000).padStart(3, '0')}Z`
}
