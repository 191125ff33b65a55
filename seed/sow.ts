import type { Sql } from 'postgres'
import { addStaff, addStudents, addUniversities } from './load/accounts.ts'
import { addDays, type Sown } from './load/month.ts'
import { evidenceKind, inventStaff, inventStudents } from './people/people.ts'
import { inventUniversities } from './people/universities.ts'
import { Streams } from './random.ts'
import { lastDay, requireReady } from './target.ts'
import { byMonth, daysUntil } from './wellbeing/calendar.ts'
import { type EvidenceKind, inventEvidence } from './wellbeing/evidence.ts'
import { History } from './wellbeing/history.ts'
import { Palette } from './wellbeing/palette.ts'
import { inventSession } from './wellbeing/sessions.ts'
import { storedEvidence } from './wellbeing/stored-evidence.ts'

/** What is to be invented. */
export type Seed = {
  students: number
  days: number
  universities: number
  /** Share of days on which students check in, over 0 to 1. */
  participation: number
  /** Last day, such as 2026-11-20; the last one that is over where `null`. */
  until: string | null
  /** Another one invents others. */
  seed: string
}

const DAY_MS = 86_400_000

/** Invented evidence of each kind. */
const PALETTE_SIZES: Readonly<Record<EvidenceKind, number>> = {
  whole: 1500,
  without_camera: 600,
  crisis: 300,
}

/**
 * Fills a database with an invented past. Accounts come first, then month by month, each in one transaction: where it is
 * interrupted, what is there is a shorter past with everything derived from it.
 *
 * @param progress is told what was done, in lines for people
 */
export async function sow(sql: Sql, wanted: Seed, progress: (line: string) => void): Promise<Sown> {
  const universities = inventUniversities(wanted.seed, wanted.universities)
  await requireReady(sql, universities)
  const days = daysUntil(await lastDay(sql, wanted.until), wanted.days)
  const since = new Date((days[0]?.startMs ?? 0) - 7 * DAY_MS)

  // One stream for each student, and one more for what is nobody's.
  const random = new Streams(wanted.seed, wanted.students + 1)
  const common = wanted.students
  const { participation } = wanted
  const students = inventStudents(random, { universities, count: wanted.students, participation })
  const staff = inventStaff(random, common, { universities, students: wanted.students })

  await addUniversities(sql, universities)
  await addStaff(sql, staff, since)
  progress(`${universities.map(({ name }) => name).join(', ')}: ${staff.length} staff`)
  await addStudents(sql, students, {
    since,
    progress: (done) => progress(`${number(done)} of ${number(students.length)} students`),
  })

  const evidence = (kind: EvidenceKind) =>
    new Palette(
      random,
      PALETTE_SIZES[kind],
      (z) => storedEvidence(inventEvidence(random, common, kind, z)),
      ({ score }) => score,
    )
  const palettes = {
    whole: evidence('whole'),
    without_camera: evidence('without_camera'),
    crisis: evidence('crisis'),
  }
  const history = new History(random, students, (student, score) => {
    const kind = evidenceKind(random, student, students[student]?.camera === true, score)
    return palettes[kind].near(student, score)
  })
  const sessionScores = new Palette(
    random,
    600,
    (z) => inventSession(random, common, z),
    ({ fusion_score }) => fusion_score.final_score,
  )

  const total: Sown = { checkIns: 0, sessions: 0, reviews: 0 }
  for (const month of byMonth(days)) {
    const began = performance.now()
    const sown = await addDays(sql, { students, staff, random, history, sessionScores, days }, month)
    total.checkIns += sown.checkIns
    total.sessions += sown.sessions
    total.reviews += sown.reviews
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    progress(`${month[0]?.date.slice(0, 7)}: ${number(sown.checkIns)} check-ins in ${seconds} s`)
    // What was counted by student is deleted when its day closes; the next month takes its place.
    await sql`vacuum private.student_days`
  }
  progress('Statistics for the query planner')
  await sql`
    analyze public.profiles, public.students, public.consents, public.user_roles, public.clinical_reviews,
      public.assessment_sessions, public.session_scores, public.cohort_days, public.cohort_snapshots,
      checkin.check_ins, checkin.fusion_results, checkin.user_baselines`
  return total
}

function number(value: number): string {
  return value.toLocaleString('en-US')
}
