import type { TransactionSql } from 'postgres'
import type { Staff, Student } from '../people/people.ts'
import type { Streams } from '../random.ts'
import { type Alarm, time } from '../wellbeing/rows.ts'
import { copyInto } from './copy.ts'
import { copyRow } from './copy-text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Every older review is closed. */
const CLOSED_AFTER_MS = 5 * DAY_MS

const COLUMNS = [
  ...['id', 'user_id', 'university_id', 'source', 'source_id', 'status', 'opened_at'],
  ...['claimed_at', 'claimed_by', 'closed_at', 'closed_by'],
]

/** Stores a clinical review for each sign of high risk; the older ones dealt with by a counselor of the university. */
export async function addReviews(
  sql: TransactionSql,
  alarms: readonly Alarm[],
  {
    students,
    staff,
    random,
    endMs,
  }: { students: readonly Student[]; staff: readonly Staff[]; random: Streams; endMs: number },
): Promise<void> {
  if (alarms.length === 0) return
  const counselors = Map.groupBy(
    staff.filter(({ role }) => role === 'counselor'),
    ({ university }) => university.id,
  )
  const rows = alarms.flatMap(({ source, sourceId, student, atMs }) => {
    const subject = students[student]
    if (!subject) return []
    const counselor = random.pick(student, counselors.get(subject.university.id) ?? []).id
    const claimedMs = atMs + Math.round(random.between(student, 0.2, 20) * HOUR_MS)
    const closedMs = claimedMs + Math.round(random.between(student, 0.5, 72) * HOUR_MS)
    const isClosed = atMs < endMs - CLOSED_AFTER_MS
    const isClaimed = isClosed || (claimedMs < endMs && random.chance(student, 0.5))
    return [
      copyRow([
        ...[random.uuid(student), subject.id, subject.university.id, source, sourceId],
        ...[isClosed ? 'closed' : isClaimed ? 'claimed' : 'open', time(atMs)],
        ...(isClaimed ? [time(claimedMs), counselor] : [null, null]),
        ...(isClosed ? [time(closedMs), counselor] : [null, null]),
      ]),
    ]
  })
  // Nobody wants mail about invented students. The trigger is back with the end of the transaction, whatever becomes of it.
  await sql`alter table public.clinical_reviews disable trigger notify_crisis_contact`
  await copyInto(sql, 'public.clinical_reviews', COLUMNS, rows)
  await sql`alter table public.clinical_reviews enable trigger notify_crisis_contact`
}
