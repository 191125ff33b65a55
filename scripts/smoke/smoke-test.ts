import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@supabase/supabase-js'
import * as z from 'zod'
import { checkIn, grantConsents, signIn } from '../../demo/mobile-client.ts'
import { ROOT } from '../root.ts'
import type { Stage } from '../stage/stage.ts'

const SPEECH = join(ROOT, 'corpora', 'speech')
/** How often is asked whether the erasure has ended, milliseconds. */
const ASK_MS = 1000
/** How long a smoke test may take at most before what is left of it counts as remains, hours. */
const REMAINS_AFTER_H = 1

/** Rows and objects of an account by where they are. */
export type Traces = { relation: string; traces: number }[]

/** What a smoke test saw. */
export type SmokeResult = {
  /** The invented person, who is erased. */
  account: string
  score: number
  /** Messages of the live channel before the result. */
  progress: number[]
  before: Traces
  after: Traces
  /** Seconds until the score, and until nothing was left. */
  scoredAfterS: number
  erasedAfterS: number
}

export type SmokeOptions = {
  /** How long all of it may take, seconds. */
  limitS: number
  report: (line: string) => void
  /** Ends it early: the person is erased, and the signal's reason is the failure. */
  signal?: AbortSignal
}

/**
 * Has an invented person check in by the real clients, from sign-in to score, and erases the person.
 *
 * The person has an address that receives nothing, is mailed nothing, and is erased whatever fails, with what an earlier smoke
 * test has left that was killed. What stays is the erasure's receipt, which names nobody.
 *
 * @throws Error that says which part failed first
 */
export async function smokeTest(stage: Stage, options: SmokeOptions): Promise<SmokeResult> {
  const { limitS, report, signal } = options
  await eraseRemains(stage, limitS, report)
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const keys = await stage.keys()
  const account = {
    email: `smoke-${randomUUID()}@example.com`,
    password: randomBytes(24).toString('base64url'),
  }
  const admin = createClient(stage.apiUrl, keys.secret, { auth: { persistSession: false } })
  // Confirmed at once, so that no mail is sent.
  const { data, error } = await admin.auth.admin.createUser({
    ...account,
    email_confirm: true,
    user_metadata: { first_name: 'Smoke', last_name: 'Test' },
  })
  if (error) throw new Error(`The account could not be made: ${error.message}`)
  const { id } = data.user
  report(`account ${id}`)
  let failure: unknown
  let seen: Pick<SmokeResult, 'score' | 'progress' | 'before' | 'scoredAfterS'> | undefined
  try {
    const limit = AbortSignal.timeout(Math.ceil(limitS * 1000))
    const { score, progress } = await Promise.race([
      checkInOnce(stage, keys.publishable, account, report),
      aborted(limit, () => new Error(`There is no score after ${limitS} s`)),
      ...(signal ? [aborted(signal, () => signal.reason)] : []),
    ])
    seen = { score, progress, before: await tracesOf(stage, id), scoredAfterS: seconds() }
    report(`score ${score.toFixed(1)} after ${seen.scoredAfterS.toFixed(1)} s`)
  } catch (caught) {
    failure = caught
  }
  const after = await erase(stage, id, limitS, report).catch((error: unknown) => {
    throw seen ? error : new Error(`${messageOf(failure)}. Then: ${messageOf(error)}`, { cause: failure })
  })
  const left = `Something is left of ${id}: ${listed(after)}`
  if (!seen)
    throw after.length > 0 ? new Error(`${messageOf(failure)}. ${left}`, { cause: failure }) : failure
  const erasedAfterS = seconds()
  if (after.length > 0) throw new Error(left)
  if (erasedAfterS > limitS)
    throw new Error(
      `It took ${erasedAfterS.toFixed(1)} s of ${limitS}; the score came after ${seen.scoredAfterS.toFixed(1)} s`,
    )
  return { account: id, ...seen, after, erasedAfterS }
}

/** Rejects once a signal aborts, or because it has. */
function aborted(signal: AbortSignal, reason: () => unknown): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(reason())
    else signal.addEventListener('abort', () => reject(reason()), { once: true })
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function checkInOnce(
  { apiUrl }: Stage,
  publishableKey: string,
  account: { email: string; password: string },
  report: (line: string) => void,
): Promise<{ score: number; progress: number[] }> {
  const client = await signIn(apiUrl, publishableKey, account)
  report('signed in')
  const progress: number[] = []
  try {
    await grantConsents(client, ['audio', 'text'])
    const recording = {
      audio: { path: join(SPEECH, 'neutral.m4a'), contentType: 'audio/mp4' },
      images: [],
      transcript: 'Today was an ordinary day. I went to two lectures and met a friend for lunch.',
      moodScore: 6,
    }
    const { status, result, error } = await checkIn(client, recording, (message) => {
      progress.push(message.progress)
      report(`live channel: ${message.progress}%`)
    })
    if (!result) throw new Error(`The check-in is ${status}: ${error?.message ?? 'without a score'}`)
    if (progress.length === 0) throw new Error('The live channel was joined and told nothing')
    return { score: result.score, progress }
  } finally {
    await client.removeAllChannels()
  }
}

const traces = z.object({ relation: z.string(), traces: z.coerce.number() })
const pending = z.object({ pending: z.boolean() })

/** Rows of the account in every table that refers to accounts, and what else the service would find of it. */
async function tracesOf({ query }: Stage, id: string): Promise<Traces> {
  const references = await query(
    z.object({ relation: z.string(), field: z.string() }),
    `select k.conrelid::regclass::text as relation, quote_ident(a.attname) as field
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
    where k.contype = 'f' and k.confrelid = 'auth.users'::regclass and cardinality(k.conkey) = 1
      and has_table_privilege(k.conrelid, 'select')
    order by 1, 2`,
  )
  const counts = references.map(
    ({ relation, field }) =>
      `select '${relation.replaceAll("'", "''")}' as relation, count(*)::int as traces from ${relation} where ${field} = $1::uuid`,
  )
  return query(
    traces,
    `select relation, sum(traces)::int as traces from (
      ${counts.join(' union all ')}
      union all select relation, traces::int from private.traces_of($1::uuid, null, null) where relation <> 'realtime.messages'
    ) found group by relation having sum(traces) > 0 order by relation`,
    [id],
  )
}

/** Erases who is left of smoke tests that were killed, or could not reach the stage. */
async function eraseRemains(stage: Stage, limitS: number, report: (line: string) => void): Promise<void> {
  const remains = await stage.query(
    z.object({ id: z.uuid() }),
    `select id from auth.users
    where email ~ '^smoke-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}@example\\.com$'
      and created_at < now() - make_interval(hours => $1::int)`,
    [REMAINS_AFTER_H],
  )
  for (const { id } of remains) {
    report(`account ${id} is left of an earlier smoke test`)
    const left = await erase(stage, id, limitS, report)
    if (left.length > 0)
      throw new Error(`Something is left of ${id}, of an earlier smoke test: ${listed(left)}`)
  }
}

/** Erases the account as deleting it does, without the mailed receipt, and waits until that has ended. */
async function erase(
  stage: Stage,
  id: string,
  limitS: number,
  report: (line: string) => void,
): Promise<Traces> {
  // One text, so one transaction: Auth made the id.
  await stage.query(
    z.unknown(),
    `delete from auth.users where id = '${z.uuid().parse(id)}';
    update private.erasures set mail_receipt = false where user_id = '${id}'`,
  )
  const end = performance.now() + limitS * 1000
  for (;;) {
    const [row] = await stage.query(
      pending,
      'select exists (select from private.erasures where user_id = $1::uuid) as pending',
      [id],
    )
    // Asked only when it has ended: a hosted stage answers 120 queries a minute.
    const left = row?.pending ? [] : await tracesOf(stage, id)
    if (!row?.pending && left.length === 0) {
      report('erased')
      return left
    }
    if (performance.now() > end) {
      if (left.length > 0) return left
      throw new Error(`The erasure of ${id} has not ended after ${limitS} s: see private.late_erasures`)
    }
    await wait(ASK_MS)
  }
}

/** Traces in one line. */
export function listed(found: Traces): string {
  return found.map(({ relation, traces }) => `${relation} ${traces}`).join(', ')
}
