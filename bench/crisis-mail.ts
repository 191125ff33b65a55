import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startAttackedStack } from '../harness/factories/attacked-stack.ts'
import { newSessionId, post } from '../harness/factories/sessions.ts'
import { newStudent } from '../harness/factories/students.ts'
import { load, machineAfter, markdownTable } from '../harness/measuring/figures.ts'
import { acceptAfter, startMailProvider } from '../harness/stack/mail-provider.ts'

const HELP = `npm run bench:crisis-mail -- [options]

Seconds from a student's words until the mail to the crisis contact arrives at the mail provider, a real HTTP server that takes as long
as is said for each mail: with an empty outbox, and with alerts of security administrators queued before it.

  --students N  how many students say that they are in danger, one after another (5)
  --alerts N    alerts that wait (2000)
  --takes MS    how long the provider takes for a mail, milliseconds (1000)
  --help        this text`

const CRISIS =
  'I am going to kill myself tonight. I have thought about it all week and I have everything here.'
const LONGEST_MS = 300_000

/** `npm run bench:crisis-mail` */
const { values: options } = parseArgs({
  options: {
    students: { type: 'string', default: '5' },
    alerts: { type: 'string', default: '2000' },
    takes: { type: 'string', default: '1000' },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const [students, alerts, takesMs] = [options.students, options.alerts, options.takes].map(Number)
if (!students || alerts === undefined || takesMs === undefined || !(alerts >= 0) || !(takesMs >= 0)) {
  throw new Error('--students, --alerts and --takes take numbers')
}

const loadBefore = load()
const provider = await startMailProvider()
const stack = await startAttackedStack(provider.env)
const rows: (string | number)[][] = []
try {
  provider.answer(() => acceptAfter(takesMs))
  // The first mail starts the functions.
  await secondsToMail()
  for (const waiting of [0, alerts]) {
    await stack.sql`
      insert into private.outbox (channel, purpose, recipient, subject, body)
      select 'email', 'security_alert', n || '@example.edu', 'Security incident', 'Invented' from generate_series(1, ${waiting}::integer) n`
    await setTimeout(waiting === 0 ? 0 : 3 * takesMs)
    const measured: { seconds: number; between: number }[] = []
    for (let student = 0; student < students; student++) measured.push(await secondsToMail())
    const seconds = measured.map((one) => one.seconds).sort((a, b) => a - b)
    rows.push([
      waiting,
      (seconds[Math.floor(seconds.length / 2)] ?? 0).toFixed(2),
      (seconds.at(-1) ?? 0).toFixed(2),
      Math.max(...measured.map((one) => one.between)),
    ])
  }
} finally {
  await stack.stop()
  await provider.stop()
}
const { cpu, cores, loadBefore: before, loadAfter } = machineAfter(loadBefore)
console.log(
  [
    `${cores} cores (${cpu}), load average ${before.toFixed(1)} before and ${loadAfter.toFixed(1)} after; ${students} students, ${takesMs} ms a mail.`,
    markdownTable(['Alerts that wait', 'Median, s', 'Longest, s', 'Alerts sent in between, at most'], rows),
  ].join('\n\n'),
)
process.exit()

/** Seconds from a student's words until the mail about them arrives, and how many others arrived meanwhile. */
async function secondsToMail(): Promise<{ seconds: number; between: number }> {
  const student = await newStudent(stack.project, ['text'])
  const sessionId = await newSessionId(student)
  const [before, began] = [provider.arrivals.length, performance.now()]
  const { status } = await post(stack.project, student, 'analyze-text', {
    sessionId,
    conversationText: CRISIS,
  })
  if (status !== 200) throw new Error(`The words were answered with ${status}`)
  while (performance.now() - began < LONGEST_MS) {
    const place = provider.arrivals.slice(before).findIndex(({ subject }) => subject.startsWith('High risk'))
    const mail = provider.arrivals[before + place]
    if (place >= 0 && mail) return { seconds: (mail.atMs - began) / 1000, between: place }
    await setTimeout(10)
  }
  throw new Error('The mail did not arrive')
}
