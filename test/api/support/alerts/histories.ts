import postgres from 'postgres'
import { Streams } from '../../../../seed/random.ts'
import type { HistoryDatabase, Timeline } from './history-database.ts'

const HOUR_MS = 3_600_000

/** What the histories of one run did, and what they did that they must not. */
export type Histories = {
  facts: Record<string, number>
  violations: { rule: string; times: number; example: string | null; at: Date }[]
}

/**
 * Lets students have their histories, many at once, each some days long, on two connections that tick, send and answer at
 * once. Ticks are missed, broken off between any two statements, run twice at once; the clock jumps.
 *
 * @param rounds how often all students get another history
 */
export async function runHistories(
  database: HistoryDatabase,
  { students, rounds, seed }: { students: number; rounds: number; seed: string },
): Promise<Histories> {
  const [one, other] = [await database.connect(), await database.connect()]
  const stream = new Streams(seed, 1)
  const random = () => stream.share(0)
  try {
    await one.sql`select setseed(${random() * 2 - 1})`
    await other.sql`select setseed(${random() * 2 - 1})`
    await one.clock(new Date('2030-03-01T09:00:00Z'))
    await one.sql`select tests.make_students(${students})`
    for (let round = 0; round < rounds; round += 1) await runRound(one, other, random, round === 0)
    const facts = await one.sql<
      { fact: string; n: number }[]
    >`select fact, n::integer from tests.counts order by fact`
    const violations = await one.sql<Histories['violations']>`
      select rule, count(*)::integer as times, min(detail) as example, min(at) as at
      from tests.violations group by rule order by rule`
    return { facts: Object.fromEntries(facts.map(({ fact, n }) => [fact, n])), violations: [...violations] }
  } finally {
    await Promise.all([one.end(), other.end()])
  }
}

/** @param stops whether once, when most of the first alerts have ended, no run comes until the others are past their time */
async function runRound(one: Timeline, other: Timeline, random: () => number, stops: boolean): Promise<void> {
  let at = Date.UTC(2030, 2, 1 + Math.floor(random() * 240), Math.floor(random() * 24))
  // It goes on from there: nobody answers in the moment in which they are asked, so no two steps of an alert begin in one.
  const setClock = (ms: number) => {
    const since = new Date()
    return Promise.all([one, other].map((timeline) => timeline.clock(new Date(ms), since)))
  }
  await setClock(at)
  await one.sql`select tests.begin_histories()`
  let ends = at + 140 * HOUR_MS
  const few = 30 + 40 * random()
  let [toStop, most] = [stops, 0]
  while (at < ends) {
    // Until the stop no step is so long that all of them would have ended.
    at += toStop ? Math.min(nextStepMs(random()), 6.5 * HOUR_MS) : nextStepMs(random())
    if (toStop) {
      const open = await openAlerts(one)
      if (most > few && open <= few) {
        at += 49 * HOUR_MS
        ends += 49 * HOUR_MS
        toStop = false
      }
      most = Math.max(most, open)
    }
    await setClock(at)
    await one.sql`select tests.happen()`
    await tick(one, other, random())
    // What happens between a run and the sender is the sender's to notice.
    if (random() < 0.5) await one.sql`select tests.happen()`
    await send(one, other, random())
  }
  // Nothing happens any more but what the service does by itself, and all is over in time.
  for (const until = at + 56 * HOUR_MS; at < until; at += 2.8 * HOUR_MS) {
    await setClock(at)
    await tick(one, other, 0.5)
    await one.sql`call tests.send_due()`
  }
  await one.sql`select tests.check_at_end()`
}

async function openAlerts({ sql }: Timeline): Promise<number> {
  const [open] = await sql<
    { n: number }[]
  >`select count(*)::integer as n from public.support_alerts where status = 'open'`
  return open?.n ?? 0
}

/** A round of the sender, often while contacts answer or another sender works. */
function send(one: Timeline, other: Timeline, chance: number): Promise<void> {
  const sending = [one.sql`call tests.send_due()`]
  if (chance < 0.25) sending.push(other.sql`call tests.answer_some(0.02)`)
  else if (chance < 0.5) sending.push(other.sql`call tests.answer_some(0.2)`)
  else if (chance < 0.75) sending.push(other.sql`call tests.send_due()`)
  return together(...sending)
}

/** Mostly minutes; sometimes hours, or days, without a run of cron, or a clock that is set back. */
function nextStepMs(chance: number): number {
  if (chance < 0.05) return -0.7 * HOUR_MS
  if (chance < 0.5) return (0.1 + chance) * HOUR_MS
  if (chance < 0.85) return 4 * chance * HOUR_MS
  if (chance < 0.95) return 6.5 * HOUR_MS
  return chance < 0.98 ? 17 * HOUR_MS : 45 * HOUR_MS
}

async function tick(one: Timeline, other: Timeline, chance: number): Promise<void> {
  if (chance < 0.15) return
  if (chance < 0.3) {
    const faults = chance < 0.2 ? '0.3' : '0.01'
    await one.sql`select set_config('tests.faults', ${faults}, false)`
    await one.sql`select private.tick_support_alerts(now())`.catch(killed)
    await one.sql`select set_config('tests.faults', '', false)`
    return
  }
  const ticked = () => one.sql`select private.tick_support_alerts(now())`
  if (chance > 0.9) return together(ticked(), other.sql`call tests.answer_some(0.1)`)
  // What of two runs waits for the other may be left out of both; the next one does it.
  if (chance > 0.75) await together(ticked(), other.sql`select private.tick_support_alerts(now())`)
  await ticked()
  await one.sql`select tests.check()`
}

/** Waits for all; of two that wait for each other the database ends one, as it would end a caller's, who tries again. */
async function together(...queries: PromiseLike<unknown>[]): Promise<void> {
  for (const done of await Promise.allSettled(queries)) {
    if (done.status === 'rejected') deadlocked(done.reason)
  }
}

function killed(error: unknown): void {
  if (!(error instanceof postgres.PostgresError && error.code === '57014')) throw error
}

function deadlocked(error: unknown): void {
  if (!(error instanceof postgres.PostgresError && error.code === '40P01')) throw error
}
