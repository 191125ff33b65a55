import { expect, inject, onTestFinished, test } from 'vitest'
import { migrations } from '../../../scripts/doctor/database.ts'
import type { Check } from '../../../scripts/doctor/finding.ts'
import { deployedVersions } from '../../../scripts/doctor/functions.ts'
import { authAddresses, switches } from '../../../scripts/doctor/platform.ts'
import { secretsOfFunctions, vault } from '../../../scripts/doctor/secrets.ts'
import { bucketsAndAssets } from '../../../scripts/doctor/storage.ts'
import { openStage, type Stage } from '../../../scripts/stage/stage.ts'
import { startHostedStage } from '../../deep/deploy/hosted-stage.ts'
import { localOnly } from '../../stack/project.ts'
import { openTestStage } from './open-test-stage.ts'

/** The stand-in of the platform over the project of the tests, to which nobody has deployed. */
async function hostedStage() {
  const hosted = await startHostedStage(inject('project'))
  onTestFinished(() => hosted.close())
  return { ...hosted, stage: await openStage({ name: 'staging', env: hosted.env }) }
}

async function found(check: Check, stage: Stage): Promise<string[]> {
  return (await check.read(stage)).map(({ id, about }) => `${id} ${about}`)
}

test.each([vault, migrations, bucketsAndAssets])(
  'finds nothing wrong with $name of a running stack',
  localOnly('the stack is of this checkout'),
  async (check) => {
    const stage = await openTestStage()
    expect(await found(check, stage)).toEqual([])
    await stage.close()
  },
)

test('names the secrets that the functions lack, and the one that is not Vault’s', async () => {
  const { api, stage } = await hostedStage()
  expect(await found(secretsOfFunctions, stage)).toEqual([
    'function_secret_missing PIPELINE_SECRET',
    'function_secret_missing DATABASE_POOL_URL',
  ])
  const updatedAt = new Date()
  api.secrets.set('PIPELINE_SECRET', { value: 'not the one in Vault', updatedAt })
  api.secrets.set('DATABASE_POOL_URL', { value: stage.settings.DATABASE_POOL_URL ?? '', updatedAt })
  api.secrets.set('RESEND_API_KEY', { value: 're_invented', updatedAt })
  api.secrets.set('INBOX_URL', { value: 'http://127.0.0.1:54324', updatedAt })
  api.secrets.set('METRICS_TOKEN_PREVIOUS', { value: 'of this morning', updatedAt })
  const lastWeek = new Date(updatedAt.getTime() - 7 * 24 * 3600 * 1000)
  api.secrets.set('PIPELINE_SECRET_PREVIOUS', { value: 'of last week', updatedAt: lastWeek })
  expect(await found(secretsOfFunctions, stage)).toEqual([
    'provider_incomplete EMAIL_FROM',
    'secrets_differ PIPELINE_SECRET',
    'secret_left_over PIPELINE_SECRET_PREVIOUS',
    'secret_forbidden INBOX_URL',
  ])
})

test('names every function that is not deployed', async () => {
  const { stage } = await hostedStage()
  expect(await found(deployedVersions, stage)).toEqual(
    stage.release.functions.map(({ slug }) => `function_missing ${slug}`),
  )
})

test('names the settings of a new project that config.toml cannot hold, or that are for trials', async () => {
  const { api, stage } = await hostedStage()
  expect(await found(switches, stage)).toEqual([
    'realtime_public_channels private_only',
    'client_addresses_ignored security_sb_forwarded_for_enabled',
  ])
  expect(await found(authAddresses, stage)).toEqual([
    'site_url_local site_url',
    'mail_server_missing smtp_host',
  ])
  api.settings.realtime.private_only = true
  api.settings.auth.security_sb_forwarded_for_enabled = true
  expect(await found(switches, stage)).toEqual([])
})

test('finds the project of a preview branch by the name of its Git branch', async () => {
  const { api, env } = await hostedStage()
  api.settings.branches.push({ name: 'pr-7', project_ref: 'bcdefghijklmnopqrstu', git_branch: 'add-journal' })
  const named = { ...env, SUPABASE_PROJECT_ID: api.ref, PUBLIC_API_URL: '' }
  const stage = await openStage({ name: 'add-journal', env: named })
  expect(stage.functionsUrl).toBe('https://bcdefghijklmnopqrstu.supabase.co/functions/v1')
  await expect(openStage({ name: 'another', env: named })).rejects.toThrow('has no preview branch another')
})
