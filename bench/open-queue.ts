import { parseArgs } from 'node:util'
import { call } from '../harness/client/call.ts'
import { startAttackedStack, times } from '../harness/factories/attacked-stack.ts'
import { subscribed } from '../harness/factories/session-channel.ts'
import { newStaff, newStudent, type Student } from '../harness/factories/students.ts'
import { load, machineAfter, markdownTable, percentile } from '../harness/measuring/figures.ts'

const P95_S = 2

const HELP = `npm run bench:open-queue -- [options]

Seconds from the end of a check-in that discloses a danger, when the student's app submits it, until its review appears in the queues that
counselors have open, and until it has the student's name there. Each counselor is a real client: it has joined its channel, whose message
is the row without the name, and then logs that it reads the list, and reads it. Exits with 1 when p95 of the appearance is over ${P95_S} s.

  --counselors N  how many have the queue open (200)
  --check-ins N   how many check-ins end, one after another (10)
  --help          this text`

const CRISIS = 'I am going to kill myself on Friday and I have everything here.'
const LONGEST_MS = 60_000

/** `npm run bench:open-queue` */
const { values: options } = parseArgs({
  options: {
    counselors: { type: 'string', default: '200' },
    'check-ins': { type: 'string', default: '10' },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const [counselors, checkIns] = [options.counselors, options['check-ins']].map(Number)
if (!counselors || !checkIns) throw new Error('--counselors and --check-ins take numbers above 0')

/** What a counselor's queue has shown, and when it showed it first. */
type OpenQueue = { shown: Map<string, number>; heard: Map<string, number> }

const loadBefore = load()
const stack = await startAttackedStack()
const rows: (string | number)[][] = []
let appearance = 0
try {
  const queues = await times(counselors, async () => openQueue(await newStaff(stack.project, 'counselor')))
  const measured: Record<'heard' | 'shown', number[]> = { heard: [], shown: [] }
  // The first check-in starts the functions.
  await appearances(queues)
  for (let place = 0; place < checkIns; place++) {
    const seconds = await appearances(queues)
    measured.heard.push(...seconds.heard)
    measured.shown.push(...seconds.shown)
  }
  for (const [what, seconds] of [
    ['it appears', measured.heard],
    ['it has the name', measured.shown],
  ] as const)
    rows.push([what, ...[0.5, 0.95, 1].map((share) => percentile(seconds, share).toFixed(2))])
  appearance = percentile(measured.heard, 0.95)
} finally {
  await stack.stop()
}
const { cpu, cores, loadBefore: before, loadAfter } = machineAfter(loadBefore)
console.log(
  [
    `${cores} cores (${cpu}), load average ${before.toFixed(1)} before and ${loadAfter.toFixed(1)} after; ${counselors} counselors, ${checkIns} check-ins.`,
    markdownTable(['Until', 'p50, s', 'p95, s', 'Slowest, s'], rows),
  ].join('\n\n'),
)
process.exit(appearance > P95_S ? 1 : 0)

/** A queue that is open, as the staff's app keeps it. */
async function openQueue({ id, client }: Student): Promise<OpenQueue> {
  const queue: OpenQueue = { shown: new Map(), heard: new Map() }
  let isReading = false
  let isStale = false
  async function read(): Promise<void> {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale) {
      isStale = false
      const logged = await client.rpc('log_access', { action: 'reviews_listed' })
      if (logged.error) throw logged.error
      const { data, error } = await client.rpc('list_open_reviews')
      if (error) throw error
      for (const review of data)
        if (!queue.shown.has(review.id)) queue.shown.set(review.id, performance.now())
    }
    isReading = false
  }
  const channel = client.channel(`reviews:${id}`, { config: { private: true } })
  channel.on('broadcast', { event: 'changed' }, ({ payload }) => {
    if (!queue.heard.has(payload.review_id)) queue.heard.set(payload.review_id, performance.now())
    void read()
  })
  await subscribed(channel)
  await read()
  return queue
}

/** Seconds from the end of a check-in until each queue heard of its review, and showed it. */
async function appearances(queues: OpenQueue[]): Promise<{ heard: number[]; shown: number[] }> {
  const student = await newStudent(stack.project, ['text'])
  const started = await call(stack.project, student.token, 'POST', 'checkins/start', { type: 'daily' })
  const began = performance.now()
  const { status, body } = await call(
    stack.project,
    student.token,
    'POST',
    `checkins/${started.body.id}/complete`,
    {
      transcript: CRISIS,
    },
  )
  if (status !== 200) throw new Error(`The check-in was answered with ${status} ${body.code}`)
  const [review] = await stack.sql<[{ id: string }]>`
    select id from public.clinical_reviews where user_id = ${student.id}`
  while (queues.some(({ shown }) => !shown.has(review.id))) {
    if (performance.now() - began > LONGEST_MS) throw new Error('The review did not appear in every queue')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const since = (times: Map<string, number>) => ((times.get(review.id) ?? Number.NaN) - began) / 1000
  return { heard: queues.map(({ heard }) => since(heard)), shown: queues.map(({ shown }) => since(shown)) }
}
