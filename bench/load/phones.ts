import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { type Recording, subscribed, upload } from '../../demo/mobile-client.ts'
import type { StartedCheckIn } from '../../functions/_shared/checkins/start.ts'
import { send } from '../../harness/client/call.ts'
import { PASSWORD } from '../../harness/factories/accounts.ts'
import { newStudent, type Student } from '../../harness/factories/students.ts'
import type { Project } from '../../harness/stack/project.ts'

/** What the process is given as its argument; `disclosing` are transcripts of somebody in danger. */
export type Errand = { project: Project; recording: Recording; disclosing: string[]; students: number }

/** Check-ins to make: each after the one before has ended, or so many a minute, whatever becomes of them; which share of them (0 to 1) discloses. */
export type Order = { count: number; perMinute: number | null; share: number }

/** A clinical review of a check-in: seconds from the submission until it stood at its level. */
export type Reviewed = { level: string; seconds: number }

/** What became of a check-in. Seconds from its submission to its result; null without one. The review only of one that discloses. */
export type Ended = { seconds: number | null; status: string; repeats: number; review?: Reviewed | null }

/** What the phones saw. Times of other calls in ms by name, made once a second meanwhile. */
export type Seen = { ended: Ended[]; otherCallsMs: Record<string, number[]>; otherCallsFailed: number }

/** Responses of the platform itself, after which an app tries again: no isolate was free, or it ended before it had responded. */
const OF_THE_PLATFORM = [503, 546]

/** A check-in that has no result after so long counts as lost. */
const LOST_AFTER_MS = 3_600_000

/** The phones of all students, a process of its own with the lowest priority: their CPU time is not the server's in reality. */
const { project, recording, disclosing, students: count }: Errand = JSON.parse(process.argv[2] ?? '')
const database = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
const students: Student[] = []
while (students.length < count) students.push(await newStudent(project))
const serve = async (order: Order) => {
  process.send?.(await follow(order))
}
process.on('message', (order: Order) => void serve(order))
process.send?.('ready')

let next = 0

async function follow({ count: checkIns, perMinute, share }: Order): Promise<Seen> {
  const seen: Seen = { ended: [], otherCallsMs: {}, otherCallsFailed: 0 }
  const over = new AbortController()
  // One alone is alone.
  const others = perMinute === null ? undefined : makeOtherCalls(seen, over.signal)
  const running: Promise<unknown>[] = []
  const began = performance.now()
  for (let made = 0; made < checkIns; made++) {
    const student = students[next++ % students.length]
    if (!student) throw new Error('There are no students')
    const disclosed = Math.floor((made + 1) * share)
    const transcript =
      disclosed > Math.floor(made * share) ? disclosing[disclosed % disclosing.length] : undefined
    const one = checkInOf(student, transcript).then((ended) => seen.ended.push(ended))
    running.push(one)
    if (perMinute === null) await one
    else await pause(Math.max(0, began + ((made + 1) * 60_000) / perMinute - performance.now()))
  }
  await Promise.all(running)
  over.abort()
  await others
  return seen
}

/** A whole check-in as the app makes it, of somebody who discloses where that transcript is given; it never rejects. */
async function checkInOf(student: Student, disclosing: string | undefined): Promise<Ended> {
  const ended: Ended = { seconds: null, status: 'not started', repeats: 0 }
  try {
    const started: StartedCheckIn = await (await insist(student, 'start', { type: 'daily' }, ended)).json()
    ended.status = 'not submitted'
    await upload(student.client, started, recording)
    const result = await resultOf(student, started.id)
    try {
      const began = performance.now()
      const body = { transcript: disclosing ?? recording.transcript, mood_score: null }
      const review = disclosing === undefined ? undefined : reviewOf(started.id, began, result.ended)
      await (await insist(student, `${started.id}/complete`, body, ended)).body?.cancel()
      ended.status = await result.ended
      if (ended.status === 'complete') ended.seconds = (performance.now() - began) / 1000
      if (review) ended.review = await review
    } finally {
      await result.leave()
    }
  } catch (error) {
    ended.status = `${ended.status}: ${error instanceof Error ? error.message : error}`
  }
  return ended
}

/** The review of a check-in at the highest level that it has when the check-in has ended; null without one. */
async function reviewOf(id: string, began: number, over: Promise<unknown>): Promise<Reviewed | null> {
  let review: Reviewed | undefined
  let hasEnded = false
  void over.then(() => {
    hasEnded = true
  })
  for (;;) {
    const isLast = hasEnded
    const [found] = await database<{ level: string }[]>`
      select risk_level as level from private.clinical_review_sources where source = 'check_in' and source_id = ${id}`
    const seconds = (performance.now() - began) / 1000
    if (found && found.level !== review?.level) review = { level: found.level, seconds }
    if (isLast) return review ?? null
    await pause(100)
  }
}

/** Calls a function until the platform has let it respond. Throws any other response than 200. */
async function insist({ token }: Student, path: string, body: object, ended: Ended): Promise<Response> {
  for (;;) {
    const response = await send(project, token, 'POST', `checkins/${path}`, body)
    if (response.status === 200) return response
    if (!OF_THE_PLATFORM.includes(response.status))
      throw new Error(`${response.status} ${await response.text()}`)
    await response.body?.cancel()
    ended.repeats += 1
    await pause(1000)
  }
}

/** Follows a check-in on its channel; a poll every few seconds covers what the channel missed. */
async function resultOf({ client, token }: Student, id: string) {
  await client.realtime.setAuth()
  const { promise, resolve } = Promise.withResolvers<string>()
  const channel = client.channel(`check-in:${id}`, { config: { private: true } })
  channel.on('broadcast', { event: 'result' }, () => resolve('complete'))
  const poll = setInterval(async () => {
    const response = await send(project, token, 'GET', `checkins/${id}`).catch(() => null)
    if (response?.status !== 200) return
    const { status }: { status: string } = await response.json()
    if (!['created', 'processing'].includes(status)) resolve(status)
  }, 5000)
  const lost = setTimeout(() => resolve('lost'), LOST_AFTER_MS)
  await subscribed(channel)
  return {
    ended: promise,
    async leave() {
      clearInterval(poll)
      clearTimeout(lost)
      await client.removeChannel(channel)
    },
  }
}

/** What other students do meanwhile: each call once a second, the slower ones of them side by side. */
async function makeOtherCalls(seen: Seen, until: AbortSignal): Promise<void> {
  const student = students[0]
  if (!student) return
  const { client, email, token } = student
  const calls: Record<string, () => Promise<boolean>> = {
    'sign-in': async () => !(await client.auth.signInWithPassword({ email, password: PASSWORD })).error,
    'read over REST': async () =>
      !(await client.schema('checkin').from('check_ins').select('id, status').limit(20)).error,
    'read over a function': async () => {
      const response = await send(project, token, 'POST', 'api/database/select', { table: 'profiles' })
      await response.body?.cancel()
      return response.status === 200
    },
  }
  await Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const times: number[] = []
      seen.otherCallsMs[name] = times
      while (!until.aborted) {
        const began = performance.now()
        if (!(await call().catch(() => false))) seen.otherCallsFailed += 1
        times.push(performance.now() - began)
        await pause(1000, undefined, { signal: until }).catch(() => {})
      }
    }),
  )
}
