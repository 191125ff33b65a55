import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { examine } from '../../../scripts/doctor/examine.ts'
import { openStage, type Stage } from '../../../scripts/stage/stage.ts'
import type { Ground } from './break-stage.ts'
import { runOn } from './command.ts'
import { PIPELINE_SECRET, startHostedStage } from './hosted-stage.ts'
import { startMessageProviders } from './message-providers.ts'
import { MISCONFIGURATIONS } from './misconfigurations.ts'

/** A deployment, or an examination, on a machine that may have other work: one that is cut off leaves the stage wrong for the next. */
const WITHIN_MS = 1_800_000

let stack: ConfiguredStack
let ground: Ground
let stage: Stage

beforeAll(async () => {
  stack = await startConfiguredStack({ PIPELINE_SECRET })
  const providers = await startMessageProviders(`${stack.apiUrl}/functions/v1/buddy/texts`)
  const hosted = await startHostedStage(stack, {
    ...{ RESEND_API_KEY: 're_invented', RESEND_BASE_URL: providers.url },
    EMAIL_FROM: 'Student Wellbeing <wellbeing@example.edu>',
    ...{ TWILIO_ACCOUNT_SID: 'AC-invented', TWILIO_AUTH_TOKEN: 'invented', TWILIO_FROM: '+12025550100' },
    TWILIO_BASE_URL: providers.url,
  })
  const connect = (url: string) => postgres(url, { max: 1, onnotice: () => {} })
  ground = {
    ...{ project: stack, hosted, providers },
    ...{ sql: connect(stack.databaseUrl), admin: connect(stack.local.adminUrl) },
  }
  const { code, output } = await runOn(hosted, 'deploy')
  if (code !== 0) throw new Error(output)
  stage = await openStage({ name: 'staging', env: hosted.env })
}, WITHIN_MS)

afterAll(async () => {
  await ground?.sql.end({ timeout: 5 })
  await ground?.admin.end({ timeout: 5 })
  ground?.providers.close()
  await ground?.hosted.close()
  await stack?.stop()
})

async function found(seen: Stage = stage): Promise<string[]> {
  const { findings, unread } = await examine(seen)
  expect(unread).toEqual([])
  return findings.map(({ id, about }) => `${id} ${about}`)
}

test('a stage that was just deployed has nothing wrong', async () => {
  expect(await found()).toEqual([])
  const { code, output } = await runOn(ground.hosted, 'doctor')
  expect(output).toContain('Nothing is wrong with staging.')
  expect(code).toBe(0)
})

test.each(MISCONFIGURATIONS)(
  '$name: the doctor names that and nothing else',
  { timeout: WITHIN_MS },
  async (wrong) => {
    const undo = await wrong.break(ground)
    try {
      const seen = wrong.seen?.(stage) ?? stage
      const expected = wrong.found
        .replace('{last}', stage.release.migrations.at(-1) ?? '')
        .replace('{functions}', seen.functionsUrl)
      expect(await found(seen)).toEqual([expected])
    } finally {
      await undo()
    }
  },
)

test('after all of them, nothing is wrong again', async () => {
  expect(await found()).toEqual([])
})

test('the doctor is not taken for somebody who guesses the workers’ secret', async () => {
  const recorded = await ground.sql`select from private.security_events where kind = 'worker_secret_refused'`
  expect(recorded).toHaveLength(0)
})

test('what an advisor warns of does not fail', async () => {
  const { lints } = ground.hosted.api.settings
  lints.push({
    name: 'auth_leaked_password_protection',
    level: 'WARN',
    title: 'Leaked',
    detail: 'It is off.',
  })
  const { code, output } = await runOn(ground.hosted, 'doctor')
  lints.pop()
  expect(output).toContain('! Leaked: It is off.')
  expect(output).toContain('Nothing is wrong with staging.\nWarnings: 1.')
  expect(code).toBe(0)
})

test('a doctor that finds something ends with 1, and one that may not read with 2', async () => {
  ground.hosted.api.settings.realtime.private_only = false
  const finding = await runOn(ground.hosted, 'doctor', ['--json'])
  ground.hosted.api.settings.realtime.private_only = true
  expect(JSON.parse(finding.output).findings).toMatchObject([{ id: 'realtime_public_channels' }])
  expect(finding.code).toBe(1)
  const env = { ...ground.hosted.env, SUPABASE_ACCESS_TOKEN: `sbp_${'f'.repeat(40)}` }
  const rejected = await runOn({ ...ground.hosted, env }, 'doctor')
  expect(rejected.output).toContain('rejects SUPABASE_ACCESS_TOKEN')
  expect(rejected.code).toBe(2)
})

test('an invented person checks in on the stage', async () => {
  const { code, output } = await runOn(ground.hosted, 'smoke', ['--limit', '240'])
  expect(output).toContain('after it: nothing')
  expect(code).toBe(0)
})
