import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readPort, readStackArguments, serveStack, stackArguments, stackHelp } from 'local-supabase'
import postgres from 'postgres'
import {
  DEMONSTRATION_STAFF,
  DEMONSTRATION_STUDENT,
  makeDemonstrationStaff,
  signInDemonstrationStudent,
} from './account.ts'
import { type AppName, hasApp, serveApp } from './apps.ts'
import { addHistory } from './history.ts'
import { demonstrationImages } from './images.ts'
import { audioFile, imageFiles } from './media.ts'
import { checkIn, grantConsents } from './mobile-client.ts'
import { report, showProgress } from './report.ts'
import { type Stack, startStack } from './stack.ts'

const SPEECH = join(import.meta.dirname, '..', 'corpora', 'speech')

/** Scores the media that the project ships, as a student's phone would send them; whether a score was produced. */
async function runDemonstration(stack: Stack, { withHistory }: { withHistory: boolean }): Promise<boolean> {
  const supabase = await signInDemonstrationStudent(stack)
  const { data } = await supabase.auth.getUser()
  if (withHistory && data.user) await addHistory(stack.databaseUrl, data.user.id)
  console.log('A demonstration check-in:\n')
  await grantConsents(supabase, ['audio', 'camera', 'text'])
  const ended = await checkIn(
    supabase,
    {
      audio: audioFile(join(SPEECH, 'neutral.m4a')),
      images: imageFiles(await demonstrationImages(join(stack.dataDir, 'demonstration-images'))),
      transcript: readFileSync(join(SPEECH, 'neutral.txt'), 'utf8'),
      moodScore: null,
    },
    showProgress(process.stdout),
  )
  console.log(`\n${report(ended)}\n`)
  await supabase.removeAllChannels()
  return ended.result !== undefined
}

const HELP = `Runs the whole service on this machine: Postgres, REST, Auth, Storage, Realtime, functions, cron, inbox.

Usage: npm start -- [options]

${stackHelp}
  --once           score the demonstration check-in and exit: 0 when a score was produced
  --no-demo        don't run the demonstration check-in on a fresh database
  --app-port N     students' app (54325)
  --staff-port N   app of counselors and administrators (54326)
  --no-app         don't serve the apps

Several stacks run side by side when each has its own ports and --data.`

/** Lines of the summary that say where the apps are, and who can sign in to them. */
function appHints(ports: Record<AppName, number>, withPeople: boolean): [name: string, value: string][] {
  if (!hasApp('student') || !hasApp('staff'))
    return [['Apps', 'not built yet. Stop, then: npm run build:apps']]
  const { email, password } = DEMONSTRATION_STUDENT
  return [
    ['Student app', `http://127.0.0.1:${ports.student}`],
    ['', withPeople ? `${email}, password ${password}` : 'sign up there: the code is in the inbox'],
    ['Staff app', `http://127.0.0.1:${ports.staff}`],
    ...(withPeople ? DEMONSTRATION_STAFF : []).map((one): [string, string] => [
      '',
      `${one.email}, password ${one.password}`,
    ]),
  ]
}

/** `npm start`: boots the stack, shows a scored check-in on a fresh database, and serves until it is stopped. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      ...stackArguments,
      once: { type: 'boolean', default: false },
      demo: { type: 'boolean', default: true },
      app: { type: 'boolean', default: true },
      'app-port': { type: 'string', default: '54325' },
      'staff-port': { type: 'string', default: '54326' },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const ports = {
    student: readPort('--app-port', values['app-port']),
    staff: readPort('--staff-port', values['staff-port']),
  }
  const withApp = values.app && !values.once
  return serveStack(readStackArguments(values), {
    verbose: values.verbose,
    async start(options, output) {
      const stack = await startStack({ ...options, siteUrl: `http://127.0.0.1:${ports.staff}` }, output)
      const service = { apiUrl: stack.apiUrl, publishableKey: stack.keys.publishable }
      for (const app of ['student', 'staff'] as const) {
        if (!withApp || !hasApp(app)) continue
        await serveApp(app, service, { port: ports[app] }).catch(async (error: unknown) => {
          await stack.stop()
          throw error
        })
        if (app === 'staff') await linkToStaffApp(stack.databaseUrl, `http://127.0.0.1:${ports.staff}`)
      }
      return stack
    },
    hints: [
      ...(withApp ? appHints(ports, values.demo) : []),
      ['Try', 'npm run check-in -- --help'],
      ['', `npm run support-circle -- --data ${values.data}`],
    ],
    async onReady(stack) {
      if (!values.once && !(values.demo && stack.fresh)) return undefined
      if (!values.once) await makeDemonstrationStaff(stack)
      // One that is only to be scored needs no history to be looked at.
      const scored = await runDemonstration(stack, { withHistory: !values.once })
      return values.once ? Number(!scored) : undefined
    },
  })
}

/** Has links in messages to staff lead to the app that is served. */
async function linkToStaffApp(databaseUrl: string, address: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`
      update private.messaging_settings set staff_app_url = ${address} where staff_app_url is distinct from ${address}`
  } finally {
    await sql.end()
  }
}

// The Realtime client keeps a timer of ten seconds for each message it waited for; there is nothing left to wait for.
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
