import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { localOnly, withDatabase } from '../../../harness/stack/project.ts'
import { providers } from '../../../scripts/doctor/addresses.ts'
import { migrations, universities } from '../../../scripts/doctor/database.ts'
import { examine } from '../../../scripts/doctor/examine.ts'
import type { Check } from '../../../scripts/doctor/finding.ts'
import { deployedVersions } from '../../../scripts/doctor/functions.ts'
import { advisors, authAddresses, switches } from '../../../scripts/doctor/platform.ts'
import { secretsOfFunctions, vault } from '../../../scripts/doctor/secrets.ts'
import { bucketsAndAssets, objectNames } from '../../../scripts/doctor/storage.ts'
import { openStage, type Stage } from '../../../scripts/stage/stage.ts'
import { startHostedStage } from '../../deep/deploy/hosted-stage.ts'
import { startMessageProviders } from '../../deep/deploy/message-providers.ts'
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

test('counts the objects whose names could lead elsewhere, and says how they are removed', async () => {
  const stage = await openTestStage()
  onTestFinished(() => stage.close())
  class Undone extends Error {}
  await withDatabase(inject('project'), (sql) =>
    sql.begin(async (tx) => {
      const query: Stage['query'] = async (shape, statement) =>
        z.array(shape).parse(await tx.unsafe(statement))
      await tx`set local session_replication_role = replica`
      const folder = `northfield/students/${randomUUID()}`
      await tx`
        insert into storage.objects (bucket_id, name)
        values ('university-files', ${`${folder}/../a`}), ('university-files', ${`${folder}/%2e%2e/a`}), ('university-files', ${`${folder}/a..b`})`
      const [finding, ...others] = await objectNames.read({ ...stage, query })
      expect(others).toEqual([])
      expect(finding).toMatchObject({ id: 'object_name_unsafe', about: 'university-files' })
      expect(finding?.problem).toMatch(/: [2-9] objects/)
      await tx`set local session_replication_role = origin`
      await tx.unsafe(finding?.mend.replace(/^.*; then remove them: /, '') ?? '')
      const queued = await tx`select name from private.object_removals where starts_with(name, ${folder})`
      expect(queued.length).toBe(2)
      throw new Undone()
    }),
  ).catch((error) => {
    if (!(error instanceof Undone)) throw error
  })
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

test('names the universities whose students see a wrong number, or whose high risks nobody hears of', async () => {
  const stage = await openTestStage()
  const id = `u-${randomUUID()}`
  await withDatabase(inject('project'), async (sql) => {
    await sql`
      insert into public.universities (id, name, short_name, domain)
      values (${id}, 'Westhill University (invented)', 'Westhill', ${`${id}.example.edu`})`
    const about = async () => (await found(universities, stage)).filter((finding) => finding.endsWith(id))
    expect(await about()).toEqual([`university_without_country ${id}`, `university_without_contact ${id}`])
    await sql`update public.universities set country = 'US' where id = ${id}`
    await sql`insert into private.crisis_contacts (university_id, email) values (${id}, 'on-call@example.edu')`
    expect(await about()).toEqual([])
    await sql`delete from private.crisis_contacts where university_id = ${id}`
    await sql`update public.universities set support_email = 'support@example.edu' where id = ${id}`
    expect(await about()).toEqual([])
    await sql`delete from public.universities where id = ${id}`
  })
  await stage.close()
})

test('what an advisor warns of, and what a key that may only send cannot tell, does not fail', async () => {
  const { api, stage } = await hostedStage()
  const lint = { title: 'Leaked password protection', detail: 'It is off.' }
  api.settings.lints.push(
    { name: 'auth_leaked_password_protection', level: 'WARN', ...lint },
    { name: 'rls_disabled_in_public', level: 'ERROR', ...lint },
  )
  expect(await advisors.read(stage)).toMatchObject([
    { id: 'advisor_auth_leaked_password_protection', isWarning: true },
    { id: 'advisor_rls_disabled_in_public', isWarning: false },
  ])
  const resend = await startMessageProviders('')
  onTestFinished(resend.close)
  const settings = {
    RESEND_API_KEY: 're_invented',
    EMAIL_FROM: 'Wellbeing <wellbeing@example.edu>',
    RESEND_BASE_URL: resend.url,
  }
  api.secrets.set('RESEND_API_KEY', { value: 're_invented', updatedAt: new Date() })
  const sending = { ...stage, settings: { ...stage.settings, ...settings } }
  resend.mayOnlySend = true
  expect(await providers.read(sending)).toMatchObject([{ id: 'mail_sender_unknown', isWarning: true }])
  const { findings, warnings, unread } = await examine(sending, [advisors, providers])
  expect(findings.map(({ id }) => id)).toEqual(['advisor_rls_disabled_in_public'])
  expect(warnings.map(({ id }) => id)).toEqual([
    'advisor_auth_leaked_password_protection',
    'mail_sender_unknown',
  ])
  expect(unread).toEqual([])
})

test('a branch is a preview branch, whatever it is called, and never a stage', async () => {
  const { api, env } = await hostedStage()
  const of = (name: string, project_ref: string, stays = {}) => ({
    ...{ name, project_ref, git_branch: name, is_default: false, persistent: false },
    ...stays,
  })
  api.settings.branches.push(
    of('main', api.ref, { is_default: true }),
    of('develop', 'cdefghijklmnopqrstuv', { persistent: true }),
    of('staging', 'bcdefghijklmnopqrstu'),
    of('add-journal', 'defghijklmnopqrstuvw'),
  )
  const named = { ...env, SUPABASE_PROJECT_ID: api.ref, PUBLIC_API_URL: '' }
  const refOf = async (branch: string) => (await openStage({ branch, env: named })).management?.ref
  expect(await refOf('add-journal')).toBe('defghijklmnopqrstuvw')
  // The stage of that name is another project.
  expect(await refOf('staging')).toBe('bcdefghijklmnopqrstu')
  for (const stays of ['main', 'develop']) await expect(refOf(stays)).rejects.toThrow('not a preview branch')
  await expect(refOf('another')).rejects.toThrow('has no preview branch another')
  await expect(openStage({ name: 'add-journal', env: named })).rejects.toThrow(
    'There is no stage add-journal',
  )
})
