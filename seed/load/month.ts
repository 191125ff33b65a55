import postgres, { type Sql, type TransactionSql } from 'postgres'
import type { SessionScore } from '../../functions/_shared/sessions/score.ts'
import type { Staff, Student } from '../people/people.ts'
import type { Streams } from '../random.ts'
import type { Day } from '../wellbeing/calendar.ts'
import type { History } from '../wellbeing/history.ts'
import type { Palette } from '../wellbeing/palette.ts'
import { type Alarm, COLUMNS } from '../wellbeing/rows.ts'
import { SESSION_COLUMNS, sessionsOf } from '../wellbeing/sessions.ts'
import { CopyBatch } from './copy.ts'
import { addReviews } from './reviews.ts'
import { storeStandings } from './standings.ts'

export type Sowing = {
  students: readonly Student[]
  staff: readonly Staff[]
  random: Streams
  history: History
  sessionScores: Palette<SessionScore>
  /** All days, of which a month is a part. */
  days: readonly Day[]
}

export type Sown = { checkIns: number; sessions: number; reviews: number }

const DAY_MS = 86_400_000

/**
 * Stores some days of everybody's history in one transaction, which leaves all that the service derives from check-ins as
 * it would be had they come one by one.
 */
export async function addDays(sql: Sql, sowing: Sowing, days: readonly Day[]): Promise<Sown> {
  const endMs = (sowing.days.at(-1)?.startMs ?? 0) + DAY_MS
  return await sql.begin(async (tx) => {
    const sown: Sown = { checkIns: 0, sessions: 0, reviews: 0 }
    const alarms: Alarm[] = []
    await withoutForeignKeyChecks(tx, async () => {
      const batch = new CopyBatch(tx)
      for (const day of days) {
        const elapsed = (sowing.days.indexOf(day) + 1) / sowing.days.length
        const rows = sowing.history.next(day, elapsed)
        const held = sessionsOf(day, sowing.students, sowing.random, sowing.sessionScores)
        batch.add('checkin.check_ins', COLUMNS.checkIns, rows.checkIns)
        batch.add('checkin.fusion_results', COLUMNS.results, rows.results)
        batch.add('private.student_days', COLUMNS.studentDays, rows.studentDays)
        batch.add('public.assessment_sessions', SESSION_COLUMNS.sessions, held.sessions)
        batch.add('public.session_scores', SESSION_COLUMNS.scores, held.scores)
        await batch.writeSome()
        alarms.push(...rows.alarms, ...held.alarms)
        sown.checkIns += rows.checkIns.length
        sown.sessions += held.sessions.length
      }
      await batch.write()
    })
    await storeStandings(tx, sowing.students, sowing.history)
    await closeDays(tx)
    await addReviews(tx, alarms, { ...sowing, endMs })
    sown.reviews = alarms.length
    return sown
  })
}

/**
 * Every row refers to what this transaction or an earlier one made, so the checks find nothing and take half of the time.
 * They are left on where the role may not do without.
 */
async function withoutForeignKeyChecks(sql: TransactionSql, load: () => Promise<void>): Promise<void> {
  const isAllowed = await sql
    .savepoint(async (attempt) => {
      await attempt`set local session_replication_role = replica`
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof postgres.PostgresError && error.code === '42501') return false
      throw error
    })
  await load()
  if (isAllowed) await sql`set local session_replication_role = origin`
}

/** Closes the days anew, as far as they were and up to yesterday: the seed comes after the days that it fills. */
async function closeDays(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(private.rollup_lock())`
  await sql`update private.cohort_settings set aggregated_through = null`
  await sql`select private.roll_up_days((now() at time zone 'UTC')::date - 1)`
}
