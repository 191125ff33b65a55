import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { withDatabase } from '../../../harness/stack/project.ts'
import { secrets, vault, withOwnSecret } from '../../../scripts/deploy/secrets.ts'
import type { HostedStage } from '../../../scripts/deploy/step.ts'
import { STEPS } from '../../../scripts/deploy/steps.ts'
import { openStage } from '../../../scripts/stage/stage.ts'
import { type HostedStage as PlayedStage, startHostedStage } from '../../deep/deploy/hosted-stage.ts'

const NEW_SECRET = 'n'.repeat(32)

let hosted: PlayedStage
beforeAll(async () => {
  hosted = await startHostedStage(inject('project'))
})
afterAll(() => hosted?.close())

/** The stand-in of the platform, whose functions have these secrets, over the project of the tests, whose Vault has `inVault`. */
async function stageWith(inFunctions: (inVault: string) => Record<string, string>) {
  const [row] = await withDatabase(
    inject('project'),
    (sql) => sql<{ inVault: string }[]>`
      select decrypted_secret as "inVault" from vault.decrypted_secrets where name = 'pipeline_secret'`,
  )
  if (!row) throw new Error('The Vault of the tests has no pipeline_secret')
  hosted.api.secrets.clear()
  for (const [name, value] of Object.entries(inFunctions(row.inVault)))
    hosted.api.secrets.set(name, { value, updatedAt: new Date() })
  const opened = await openStage({ name: 'staging', env: hosted.env })
  const { management } = opened
  if (!management) throw new Error('The stage is not hosted')
  const stage: HostedStage = { ...opened, management, unset: [] }
  const has = (settings: Record<string, string>, unset: string[] = []): HostedStage => ({
    ...stage,
    unset,
    settings,
  })
  return { ...row, api: hosted.api, has }
}

const REFUSED = /another PIPELINE_SECRET than your settings would leave it.*docs\/key-rotation\.md/

test('the secret that functions and database share is replaced only beside the one of before', async () => {
  const { inVault, has } = await stageWith((inVault) => ({ PIPELINE_SECRET: inVault }))
  expect(await secrets.pending(has({ PIPELINE_SECRET: inVault }))).toEqual([])
  await expect(secrets.pending(has({ PIPELINE_SECRET: NEW_SECRET }))).rejects.toThrow(REFUSED)
  const wrong = { PIPELINE_SECRET: NEW_SECRET, PIPELINE_SECRET_PREVIOUS: 'w'.repeat(32) }
  await expect(secrets.pending(has(wrong))).rejects.toThrow(REFUSED)
  await expect(secrets.apply(has(wrong), () => {})).rejects.toThrow(REFUSED)
  const beside = { PIPELINE_SECRET: NEW_SECRET, PIPELINE_SECRET_PREVIOUS: inVault }
  expect(await secrets.pending(has(beside))).toEqual(['set PIPELINE_SECRET', 'set PIPELINE_SECRET_PREVIOUS'])
  // The functions first: Vault's alone is not changed.
  await expect(vault.apply(has(beside), () => {})).rejects.toThrow('run the steps secrets,vault')
})

test('while it is replaced, nobody takes back the new one, or the old one that the database still sends', async () => {
  const { inVault, has } = await stageWith((inVault) => ({
    PIPELINE_SECRET: NEW_SECRET,
    PIPELINE_SECRET_PREVIOUS: inVault,
  }))
  // A deployment with the settings of before, such as that of CI.
  await expect(secrets.pending(has({ PIPELINE_SECRET: inVault }))).rejects.toThrow(REFUSED)
  const early = has({ PIPELINE_SECRET: NEW_SECRET }, ['PIPELINE_SECRET_PREVIOUS'])
  await expect(secrets.pending(early)).rejects.toThrow(REFUSED)
  expect(await secrets.pending(has({ PIPELINE_SECRET: NEW_SECRET }))).toEqual([])
})

test('a stage whose functions and Vault have different secrets takes any', async () => {
  const { has } = await stageWith(() => ({ PIPELINE_SECRET: 'd'.repeat(32) }))
  expect(await secrets.pending(has({ PIPELINE_SECRET: NEW_SECRET }))).toEqual(['set PIPELINE_SECRET'])
})

test('a preview branch gets a secret of its own only where it has none that works', async () => {
  const working = await stageWith((inVault) => ({ PIPELINE_SECRET: inVault }))
  expect((await withOwnSecret(working.has({}))).settings.PIPELINE_SECRET).toBeUndefined()
  const without = await stageWith(() => ({}))
  const made = await withOwnSecret(without.has({}))
  expect(made.settings.PIPELINE_SECRET).toMatch(/^[0-9a-f]{64}$/)
  expect(await secrets.pending(made)).toEqual(['set PIPELINE_SECRET'])
})

test('a secret is removed by its name, unless the settings would set it again', async () => {
  const { inVault, api, has } = await stageWith((inVault) => ({
    ...{ PIPELINE_SECRET: inVault, INBOX_URL: 'http://127.0.0.1:54324' },
    METRICS_TOKEN_PREVIOUS: 'm'.repeat(32),
  }))
  const names = ['INBOX_URL', 'METRICS_TOKEN_PREVIOUS', 'NEVER_SET']
  const stage = has({ PIPELINE_SECRET: inVault }, names)
  expect(await secrets.pending(stage)).toEqual(['unset INBOX_URL', 'unset METRICS_TOKEN_PREVIOUS'])
  await secrets.apply(stage, () => {})
  expect([...api.secrets.keys()]).toEqual(['PIPELINE_SECRET'])
  const both = has({ PIPELINE_SECRET: inVault, METRICS_TOKEN: 'm'.repeat(32) }, ['METRICS_TOKEN'])
  await expect(secrets.pending(both)).rejects.toThrow('METRICS_TOKEN is in your settings')
})

test('protection against leaked passwords is switched on where the plan has it, and left where not', async () => {
  const { api, has } = await stageWith(() => ({}))
  const switches = STEPS.find(({ name }) => name === 'switches')
  if (!switches) throw new Error('There is no step switches')
  api.settings.notInPlan.push('password_hibp_enabled')
  let printed = ''
  const stage = has({})
  await switches.apply(stage, (text) => {
    printed += text
  })
  expect(printed).toMatch(/^Left as it is: .*402/)
  expect(api.settings.auth.password_hibp_enabled).toBeNull()
  expect(api.settings.realtime.private_only).toBe(true)
  // It does not stop the deployment, which asks again.
  expect(await switches.pending(stage)).toEqual([])
  api.settings.notInPlan = []
  const upgraded = await stageWith(() => ({}))
  await switches.apply(upgraded.has({}), () => {})
  expect(api.settings.auth.password_hibp_enabled).toBe(true)
})
