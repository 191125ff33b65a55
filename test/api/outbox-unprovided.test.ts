import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from 'local-supabase'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Stack, startStack } from '../../demo/stack.ts'
import { closedAddress } from '../unit/messaging/provider.ts'
import { inState, write } from './outbox.ts'
import { type Project, withDatabase } from './project.ts'

let stack: Stack
let project: Project
let dataDir: string
const logged: string[] = []

/** A stack whose emails go to an address where nothing listens, and whose text messages go nowhere. */
beforeAll(async () => {
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  dataDir = mkdtempSync(join(tmpdir(), 'stack-'))
  const env = {
    RESEND_API_KEY: 're_invented',
    RESEND_BASE_URL: await closedAddress(),
    EMAIL_FROM: 'Wellbeing <wellbeing@example.edu>',
    INBOX_URL: '',
  }
  stack = await startStack(
    { port, dbPort, inboxPort, dataDir, reset: false, watch: false, durable: false, env },
    { progress: () => {}, log: (line) => logged.push(line) },
  )
  const { keys, ...rest } = stack
  project = { ...rest, publishableKey: keys.publishable, secretKey: keys.secret, jwtSecret: keys.jwtSecret }
  await withDatabase(
    project,
    (sql) => sql`update private.messaging_settings set retry_backoff = '50 milliseconds', max_attempts = 2`,
  )
}, 120_000)

afterAll(async () => {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test('messages without a provider are tried, then dead letters, and the log says once what is missing', async () => {
  const ids = await write(
    project,
    Array.from({ length: 5 }, (_, i) => ({ channel: 'sms', recipient: `+1202555010${i}` })),
  )
  for (const id of ids) {
    expect(await inState(project, id, 'dead')).toMatchObject({
      attempts: 2,
      provider: null,
      error_code: 'no_provider',
    })
  }
  expect(logged.filter((line) => line.includes('"event":"no_provider"'))).toEqual([
    expect.stringContaining('"channel":"sms"'),
  ])
})

test('messages to a provider that cannot be reached are tried again, then dead letters', async () => {
  const [id = ''] = await write(project, [{ channel: 'email', recipient: 'desk@northfield.example.edu' }])
  expect(await inState(project, id, 'dead')).toMatchObject({
    attempts: 2,
    provider: 'resend',
    error_code: 'unreachable',
  })
})
