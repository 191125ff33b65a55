import postgres, { type Sql, type TransactionSql } from 'postgres'
import type { SessionScore } from '../functions/_shared/sessions/score.ts'
import type { Day } from './calendar.ts'
import { type Alarm, type CheckInHistory, COLUMNS, time } from './check-ins.ts'
import { CopyBatch, copyInto, copyRow } from './copy.ts'
import type { LookupTable } from './evidence.ts'
import type { Staff, Student } from './people.ts'
import type { Streams } from './random.ts'
import { SESSION_COLUMNS, sessionsOf } from './sessions.ts'

/** What the rows of a day are generated from. */
type Generators = {
  students: readonly Student[]
  staff: readonly Staff[]
  random: Streams
  history: CheckInHistory
  sessionScores: LookupTable<SessionScore>
  /** All days, of which a month is a part. */
  days: readonly Day[]
}

export type SeedCounts = { checkIns: number; sessions: number; reviews: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Every older review is closed. */
const CLOSED_AFTER_MS = 5 * DAY_MS

/**
 * Stores some days of every student's history in one transaction, and brings everything that the service derives from
 * check-ins to the state that it would have had they ended one by one.
 */
export async function storeDays(sql: Sql, generators: Generators, days: readonly Day[]): Promise<SeedCounts> {
  const endMs = (generators.days.at(-1)?.startMs ?? 0) + DAY_MS
  return await sql.begin(async (tx) => {
    const stored: SeedCounts = { checkIns: 0, sessions: 0, reviews: 0 }
    const alarms: Alarm[] = []
    await withoutForeignKeyChecks(tx, async () => {
      const batch = new CopyBatch(tx)
      for (const day of days) {
        const elapsed = (generators.days.indexOf(day) + 1) / generators.days.length
        const checkIns = generators.history.next(day, elapsed)
        const sessions = sessionsOf(day, generators.students, generators.random, generators.sessionScores)
        batch.add('checkin.check_ins', COLUMNS.checkIns, checkIns.checkIns)
        batch.add('checkin.fusion_results', COLUMNS.results, checkIns.results)
        batch.add('private.student_days', COLUMNS.studentDays, checkIns.studentDays)
        batch.add('public.assessment_sessions', SESSION_COLUMNS.sessions, sessions.sessions)
        batch.add('public.session_scores', SESSION_COLUMNS.scores, sessions.scores)
        await batch.writeWhenFull()
        alarms.push(...checkIns.alarms, ...sessions.alarms)
        stored.checkIns += checkIns.checkIns.length
        stored.sessions += sessions.sessions.length
      }
      await batch.write()
    })
    await storeSnapshots(tx, generators.students, generators.history)
    await rollUpDays(tx)
    stored.reviews = await addReviews(tx, alarms, { ...generators, endMs })
    return stored
  })
}

/**
 * Every row refers to one that this or an earlier transaction made, so the checks would find nothing and take half of the
 * time. They stay on where the role is not allowed to switch them off.
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

/** Runs the rollup again for all days that are over, because the seed adds days that were rolled up before. */
async function rollUpDays(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(private.rollup_lock())`
  await sql`delete from private.cohort_progress`
  await sql`select private.roll_up_days()`
}

const SNAPSHOT_COLUMNS = [
  ...['user_id', 'check_ins', 'last_check_in_at', 'last_score', 'last_uncertainty'],
  ...['last_direction_of_change', 'risk_level', 'baseline'],
]

/** Updates what the service derives from check-ins as they end: each student's current state and baseline. */
async function storeSnapshots(
  sql: TransactionSql,
  students: readonly Student[],
  history: CheckInHistory,
): Promise<void> {
  await sql`
    create temporary table seeded_snapshots (
      user_id uuid, check_ins integer, last_check_in_at timestamptz, last_score numeric, last_uncertainty numeric,
      last_direction_of_change checkin.direction_of_change, risk_level checkin.risk_level, baseline jsonb
    ) on commit drop`
  const rows = [...history.changed].flatMap((student) => {
    const [subject, snapshot] = [students[student], history.snapshots[student]]
    if (!subject || !snapshot) return []
    const { checkIns, lastAtMs, lastScore, lastUncertainty, lastDirection, risk } = snapshot
    const at = lastAtMs === null ? null : time(lastAtMs)
    const baseline = history.baselines[student] ?? null
    return [
      copyRow([
        ...[subject.id, checkIns, at, lastScore, lastUncertainty, lastDirection, risk],
        baseline && JSON.stringify(baseline),
      ]),
    ]
  })
  await copyInto(sql, 'seeded_snapshots', SNAPSHOT_COLUMNS, rows)
  await sql`
    update public.students s
    set check_ins = n.check_ins,
      last_check_in_at = n.last_check_in_at,
      last_score = n.last_score,
      last_uncertainty = n.last_uncertainty,
      last_direction_of_change = n.last_direction_of_change,
      risk_level = n.risk_level
    from seeded_snapshots n
    where s.user_id = n.user_id`
  await sql`
    insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state, updated_at)
    select
      user_id, (baseline ->> 'version')::integer, (baseline ->> 'count')::integer,
      (baseline #>> '{score,mean}')::double precision, (baseline #>> '{score,spread}')::double precision, baseline,
      last_check_in_at
    from seeded_snapshots
    where baseline is not null
    on conflict (user_id) do update
    set version = excluded.version,
      check_ins = excluded.check_ins,
      score_mean = excluded.score_mean,
      score_sd = excluded.score_sd,
      state = excluded.state,
      updated_at = excluded.updated_at`
  history.changed.clear()
}

const REVIEW_COLUMNS = [
  ...['id', 'user_id', 'university_id', 'source', 'source_id', 'status', 'opened_at'],
  ...['claimed_at', 'claimed_by', 'closed_at', 'closed_by', 'last_risk_at', 'last_notified_at'],
  ...['first_claimed_at', 'first_response_at', 'outcome'],
]
const REVIEW_OUTCOMES = ['safety_plan', 'no_current_risk', 'referred', 'false_positive', 'already_in_care']
const REVIEW_SOURCE_COLUMNS = ['review_id', 'source', 'source_id', 'seen_at', 'arrived_at']

/**
 * Stores a clinical review for each result with high risk, or adds the result to the student's review that is not closed
 * yet; a counselor of the university has closed the older ones.
 */
async function addReviews(
  sql: TransactionSql,
  alarms: readonly Alarm[],
  { students, staff, random, endMs }: Pick<Generators, 'students' | 'staff' | 'random'> & { endMs: number },
): Promise<number> {
  if (alarms.length === 0) return 0
  const counselors = Map.groupBy(
    staff.filter(({ role }) => role === 'counselor'),
    ({ university }) => university.id,
  )
  const reviews: string[] = []
  const sources: string[] = []
  const stored = await sql<{ id: string; student: string }[]>`
    select id, user_id as student from public.clinical_reviews
    where status <> 'closed' and user_id = any(${alarms.map(({ student }) => students[student]?.id ?? null)}::uuid[])`
  const unclosed = new Map(
    stored.map(({ id, student }) => [student, { id, closedMs: Number.POSITIVE_INFINITY }]),
  )
  for (const { source, sourceId, student, atMs } of alarms.toSorted((a, b) => a.atMs - b.atMs)) {
    const subject = students[student]
    if (!subject) continue
    const earlier = unclosed.get(subject.id)
    if (earlier && atMs <= earlier.closedMs) {
      sources.push(copyRow([earlier.id, source, sourceId, time(atMs), time(atMs)]))
      continue
    }
    const id = random.uuid(student)
    const counselor = random.pick(student, counselors.get(subject.university.id) ?? []).id
    const claimedMs = atMs + Math.round(random.between(student, 0.2, 20) * HOUR_MS)
    const closedMs = claimedMs + Math.round(random.between(student, 0.5, 72) * HOUR_MS)
    const isClosed = atMs < endMs - CLOSED_AFTER_MS
    const isClaimed = isClosed || (claimedMs < endMs && random.chance(student, 0.5))
    unclosed.set(subject.id, { id, closedMs: isClosed ? closedMs : Number.POSITIVE_INFINITY })
    sources.push(copyRow([id, source, sourceId, time(atMs), time(atMs)]))
    reviews.push(
      copyRow([
        ...[id, subject.id, subject.university.id, source, sourceId],
        ...[isClosed ? 'closed' : isClaimed ? 'claimed' : 'open', time(atMs)],
        ...(isClaimed ? [time(claimedMs), counselor] : [null, null]),
        ...(isClosed ? [time(closedMs), counselor] : [null, null]),
        ...[time(atMs), time(atMs)],
        ...[isClaimed ? time(claimedMs) : null, isClosed ? time(closedMs) : null],
        isClosed ? (REVIEW_OUTCOMES[reviews.length % REVIEW_OUTCOMES.length] ?? null) : null,
      ]),
    )
  }
  // No crisis contact wants mail about fictional students, and no operator their times. The triggers are back at the end of the transaction either way.
  for (const trigger of ['notify_crisis_contact', 'announce_review'])
    await sql`alter table public.clinical_reviews disable trigger ${sql(trigger)}`
  await sql`alter table private.clinical_review_sources disable trigger count_new_risk`
  await copyInto(sql, 'public.clinical_reviews', REVIEW_COLUMNS, reviews)
  await copyInto(sql, 'private.clinical_review_sources', REVIEW_SOURCE_COLUMNS, sources)
  for (const trigger of ['notify_crisis_contact', 'announce_review'])
    await sql`alter table public.clinical_reviews enable trigger ${sql(trigger)}`
  await sql`alter table private.clinical_review_sources enable trigger count_new_risk`
  return reviews.length
}
