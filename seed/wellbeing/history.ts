import { type Baseline, updateBaseline } from '../../functions/_shared/fusion/index.ts'
import { changeFrom, riskOf, summaryOf } from '../../functions/_shared/fusion/interpretation.ts'
import type { RiskLevel } from '../../functions/_shared/risk-level.ts'
import type { Streams } from '../random.ts'
import type { Day } from './calendar.ts'
import { likelihood, Moods, type Temperament } from './course.ts'
import { emptyRows, ROW, type Rows } from './rows.ts'
import type { StoredEvidence } from './stored-evidence.ts'

/** Share of check-ins that fail, and that are begun and never handed in. */
const FAILING = 0.02
const ABANDONED = 0.02

/** How often a student tries again on the same day. */
const TRYING_AGAIN = 0.7

const DAY_MS = 86_400_000

/** Where a student's last check-in left them, as the table `students` holds it. */
export type Standing = {
  checkIns: number
  lastAtMs: number | null
  lastScore: number | null
  lastUncertainty: number | null
  lastDirection: string | null
  risk: RiskLevel
}

export type Writer = { id: string; traits: Temperament }

/** Finds the evidence of a student's check-in. */
export type FindEvidence = (student: number, score: number) => StoredEvidence

/** The check-ins of all students, day by day, scored against each student's own baseline as the service does. */
export class History {
  readonly baselines: (Baseline | null)[]
  readonly standings: Standing[]
  /** Students who checked in since this was last emptied. */
  readonly changed = new Set<number>()
  readonly #abandoned = new Set<number>()
  readonly #moods: Moods
  readonly #random: Streams
  readonly #students: readonly Writer[]
  readonly #evidence: FindEvidence

  constructor(random: Streams, students: readonly Writer[], evidence: FindEvidence) {
    this.#random = random
    this.#students = students
    this.#evidence = evidence
    this.#moods = new Moods(random, students.length)
    this.baselines = students.map(() => null)
    this.standings = students.map(() => ({
      ...{ checkIns: 0, lastAtMs: null, lastScore: null, lastUncertainty: null, lastDirection: null },
      risk: 'none',
    }))
  }

  /**
   * The rows of one day; call for every day, in order.
   * @param elapsed part of the whole time that is over, 0 to 1
   */
  next(day: Day, elapsed: number): Rows {
    const rows = emptyRows()
    for (const [student, { id, traits }] of this.#students.entries()) {
      const score = this.#moods.next(student, traits, day, elapsed)
      const counted = { ended: 0, completed: 0, scoreSum: 0 }
      if (this.#abandoned.delete(student)) counted.ended++
      if (this.#random.chance(student, likelihood(traits, day, score))) {
        let atMs = day.startMs + this.#timeOfDay(student)
        let goesOn = true
        const trouble = this.#random.share(student)
        if (trouble < FAILING + ABANDONED) {
          if (trouble < FAILING) {
            rows.checkIns.push(this.#fail(student, id, atMs))
            counted.ended++
          } else if (elapsed < 1) {
            // It expires, and counts, a day later; after the last day nothing does.
            rows.checkIns.push(ROW.expired(this.#random.timedUuid(student, atMs), id, atMs, atMs + DAY_MS))
            this.#abandoned.add(student)
          }
          goesOn = traits.participation === 1 || this.#random.chance(student, TRYING_AGAIN)
          atMs += 1000 * Math.round(this.#random.between(student, 90, 1200))
        }
        if (goesOn) {
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
    const { score, uncertainty, crisis } = evidence
    const change = changeFrom(baseline, score, uncertainty)
    const risk = riskOf(score, uncertainty, change, evidence.floor)
    const endedMs = atMs + 1000 * Math.round(this.#random.between(student, 130, 420))
    const checkIn = this.#random.timedUuid(student, atMs)
    rows.checkIns.push(
      ROW.complete(checkIn, id, baseline === null ? 'baseline' : 'daily', atMs, endedMs, risk),
    )
    rows.results.push(
      ROW.result(checkIn, id, evidence, {
        ...{ endedMs, risk, direction: change.direction, significance: change.significance },
        summary: summaryOf({ score, uncertainty, direction: change.direction, risk, crisis }),
        compared: baseline && { ...baseline.score, checkIns: baseline.count, by: change.compared },
      }),
    )
    if (risk === 'high') rows.alarms.push({ source: 'check_in', sourceId: checkIn, student, atMs: endedMs })
    this.baselines[student] = updateBaseline(baseline, { score, features: {} })
    this.#stand(student, {
      checkIns: (this.standings[student]?.checkIns ?? 0) + 1,
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
    this.#stand(student, { lastAtMs: endedMs, risk: 'none' })
    return ROW.failed(this.#random.timedUuid(student, atMs), id, atMs, endedMs)
  }

  #stand(student: number, change: Partial<Standing>): void {
    const standing = this.standings[student]
    if (standing) Object.assign(standing, change)
    this.changed.add(student)
  }

  /** Between 7:30 and 22:30, more in the evening; a second try still ends on the same day. */
  #timeOfDay(student: number): number {
    const late = Math.max(this.#random.share(student), this.#random.share(student))
    return Math.round((7.5 + 15 * late) * 3_600_000)
  }
}
