import type { Sql } from 'postgres'
import { addStaff, addStudents, addUniversities } from './accounts.ts'
import { byMonth, daysUntil } from './calendar.ts'
import { CheckInHistory } from './check-ins.ts'
import { type EvidenceKind, generateEvidence, LookupTable, storedEvidence } from './evidence.ts'
import {
  evidenceKind,
  generateStaff,
  generateStudents,
  generateUniversities,
  type Student,
} from './people.ts'
import { Streams } from './random.ts'
import { generateSession } from './sessions.ts'
import { type SeedCounts, storeDays } from './store.ts'
import { lastDay, requireReady } from './target.ts'

/** How much demonstration data to generate. */
export type SeedPlan = {
  students: number
  days: number
  universities: number
  /** Share of days on which students check in, above 0 and up to 1. */
  participation: number
  /** Last day, such as 2026-11-20. When `null`, the last day that is over. */
  until: string | null
  /** Another seed generates other people and figures. */
  seed: string
}

const DAY_MS = 86_400_000

/** Entries in the lookup table of each kind of evidence. */
const TABLE_SIZES: Readonly<Record<EvidenceKind, number>> = {
  whole: 1500,
  without_camera: 600,
  crisis: 300,
}

/**
 * What generates the check-ins and sessions of some students.
 *
 * @param common number of the random stream of everything that belongs to no student
 * @param share of the entries that the lookup tables have for a whole seed, above 0 and up to 1
 */
export function generatorsOf(random: Streams, students: readonly Student[], common: number, share = 1) {
  const evidenceTable = (kind: EvidenceKind) =>
    new LookupTable(
      random,
      TABLE_SIZES[kind] * share,
      (z) => storedEvidence(generateEvidence(random, common, kind, z)),
      ({ score }) => score,
    )
  const evidence = {
    whole: evidenceTable('whole'),
    without_camera: evidenceTable('without_camera'),
    crisis: evidenceTable('crisis'),
  }
  const history = new CheckInHistory(random, students, (student, score) => {
    const kind = evidenceKind(random, student, students[student]?.camera === true, score)
    return evidence[kind].near(student, score)
  })
  const sessionScores = new LookupTable(
    random,
    600 * share,
    (z) => generateSession(random, common, z),
    ({ fusion_score }) => fusion_score.final_score,
  )
  return { history, sessionScores }
}

/**
 * Fills a database with demonstration data. Accounts come first, then one month at a time, each in its own transaction:
 * an interrupted run leaves a shorter history that is consistent with everything derived from it.
 *
 * @param progress receives one line of text for each step
 */
export async function seedDatabase(
  sql: Sql,
  plan: SeedPlan,
  progress: (line: string) => void,
): Promise<SeedCounts> {
  const universities = generateUniversities(plan.seed, plan.universities)
  await requireReady(sql, universities)
  const days = daysUntil(await lastDay(sql, plan.until, universities), plan.days)
  const since = new Date((days[0]?.startMs ?? 0) - 7 * DAY_MS)

  // One stream for each student, and one more for everything that belongs to no student.
  const random = new Streams(plan.seed, plan.students + 1)
  const common = plan.students
  const { participation } = plan
  const students = generateStudents(random, { universities, count: plan.students, participation })
  const staff = generateStaff(random, common, { universities, students: plan.students })

  await addUniversities(sql, universities)
  await addStaff(sql, staff, since)
  progress(`${universities.map(({ name }) => name).join(', ')}: ${staff.length} staff`)
  await addStudents(sql, students, {
    since,
    progress: (done) => progress(`${number(done)} of ${number(students.length)} students`),
  })

  const { history, sessionScores } = generatorsOf(random, students, common)

  const total: SeedCounts = { checkIns: 0, sessions: 0, reviews: 0 }
  for (const month of byMonth(days)) {
    const began = performance.now()
    const stored = await storeDays(sql, { students, staff, random, history, sessionScores, days }, month)
    total.checkIns += stored.checkIns
    total.sessions += stored.sessions
    total.reviews += stored.reviews
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    progress(`${month[0]?.date.slice(0, 7)}: ${number(stored.checkIns)} check-ins in ${seconds} s`)
    // The rollup deletes the counts by student, and the next month reuses their space.
    await sql`vacuum private.student_days`
  }
  // Where the seed may switch triggers off, they have not stored these.
  await sql`select private.collect_worrying_days()`
  await sql`select private.refresh_latest_risk(user_id) from public.students`
  progress('Statistics for the query planner')
  await sql`
    analyze public.profiles, public.students, public.consents, public.user_roles, public.clinical_reviews,
      public.assessment_sessions, public.session_scores, public.cohort_days, public.cohort_snapshots,
      checkin.check_ins, checkin.fusion_results, checkin.user_baselines, private.worrying_days`
  return total
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
