import { setTimeout as pause } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Recording } from '../../demo/mobile-client.ts'
import { demonstrationRecording, submitAndWait } from '../../harness/factories/whole-check-ins.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../harness/stack/own-stack.ts'
import { withDatabase } from '../../harness/stack/project.ts'

/** Check-ins under way at once while secrets are replaced. */
const AT_ONCE = 2

const OLD_SECRET = 'o'.repeat(32)
const NEW_SECRET = 'n'.repeat(32)

let stack: ConfiguredStack
let recording: Recording
let admin: postgres.Sql
let databaseUrl: (password: string) => string

beforeAll(async () => {
  stack = await startConfiguredStack(async (url) => {
    databaseUrl = (password) => url.replace('postgres:postgres@', `functions:${password}@`)
    return { PIPELINE_SECRET: OLD_SECRET, DATABASE_POOL_URL: databaseUrl('first') }
  })
  admin = postgres(stack.local.adminUrl, { max: 1, onnotice: () => {} })
  // The stack's own services sign in as postgres, whose password is not changed here.
  await admin`create role functions login bypassrls password 'first'`
  await admin`grant postgres to functions`
  await admin`alter role functions set role to postgres`
  recording = await demonstrationRecording(stack.dataDir)
  await submitAndWait(stack, recording)
})

afterAll(async () => {
  await admin?.end()
  await stack?.stop()
})

/** Runs check-ins of new students, without a break, while something is done and until some that began after it have ended. */
async function duringCheckIns(change: (drained: () => Promise<void>) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  const running = new Set<Promise<void>>()
  let begun = 0
  let scored = 0
  let done = false
  const lane = async () => {
    while (!done) {
      begun += 1
      const one = submitAndWait(stack, recording).then(
        () => {
          scored += 1
        },
        (error) => {
          failures.push(error)
        },
      )
      running.add(one)
      await one
      running.delete(one)
    }
  }
  const lanes = Array.from({ length: AT_ONCE }, lane)
  // Those that have begun by now have ended.
  const drained = async () => void (await Promise.all(running))
  await drained()
  await change(drained)
  const after = scored
  await vi.waitFor(() => expect(scored + failures.length).toBeGreaterThanOrEqual(after + 2 * AT_ONCE), {
    timeout: 120_000,
    interval: 50,
  })
  done = true
  await Promise.all(lanes)
  expect(failures).toEqual([])
  expect(scored).toBe(begun)
}

/** Sets secrets of the functions, and waits until every isolate that had the former ones has ended. */
async function setSecrets(secrets: Record<string, string | undefined>): Promise<void> {
  const before = new Set(stack.functions.isolates().map(({ pid }) => pid))
  stack.functions.setSecrets(secrets)
  const left = () => stack.functions.isolates().some(({ pid }) => before.has(pid))
  while (left()) await pause(50)
}

const vault = (statement: (sql: postgres.Sql) => Promise<unknown>) => withDatabase(stack, statement)

test('the secret that database and functions share is replaced', async () => {
  await duringCheckIns(async () => {
    await vault((sql) => sql`select vault.create_secret(${NEW_SECRET}, 'pipeline_secret_next')`)
    await setSecrets({ PIPELINE_SECRET: NEW_SECRET, PIPELINE_SECRET_PREVIOUS: OLD_SECRET })
    await vault((sql) =>
      sql.begin((tx) => [
        tx`select vault.update_secret(id, ${NEW_SECRET}) from vault.secrets where name = 'pipeline_secret'`,
        tx`delete from vault.secrets where name = 'pipeline_secret_next'`,
      ]),
    )
    // Webhooks that were sent with the old one are under way for seconds.
    await pause(6000)
    await setSecrets({ PIPELINE_SECRET_PREVIOUS: undefined })
  })
  const refused = await vault(
    (sql) => sql`select from private.security_events where kind = 'worker_secret_refused'`,
  )
  expect(refused).toEqual([])
})

test('the keys of the project are replaced', async () => {
  const old = { publishable: stack.publishableKey, secret: stack.secretKey }
  const next = { publishable: 'sb_publishable_next', secret: 'sb_secret_next' }
  await duringCheckIns(async (drained) => {
    stack.keys.further = [next]
    await setSecrets({
      SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: old.publishable, next: next.publishable }),
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: old.secret, next: next.secret }),
      PROJECT_KEY_NAME: 'next',
    })
    // The app's next release has the new one; the key of before ends with the last of the former releases.
    Object.assign(stack, { publishableKey: next.publishable, secretKey: next.secret })
    await drained()
    Object.assign(stack.keys, { ...next, further: [] })
  })
})

test('the password of the database is replaced', async () => {
  await duringCheckIns(async () => {
    await setSecrets({ DATABASE_PASSWORD_NEXT: 'second' })
    await admin`alter role functions password 'second'`
    // Connections of before are given back when idle for 5 s: every function signs in anew.
    await pause(6000)
    await setSecrets({ DATABASE_POOL_URL: databaseUrl('second'), DATABASE_PASSWORD_NEXT: undefined })
  })
})
