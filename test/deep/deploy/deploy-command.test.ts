import { createHash } from 'node:crypto'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { STEPS } from '../../../scripts/deploy/steps.ts'
import { runOn } from './command.ts'
import { type HostedStage, PIPELINE_SECRET, startHostedStage } from './hosted-stage.ts'
import { type NewProject, startNewProject } from './new-project.ts'

type Played = { project: NewProject; stage: HostedStage; close(): Promise<void> }

/** A new project of the platform, to which nothing was deployed. */
async function play(settings: Record<string, string> = {}): Promise<Played> {
  const project = await startNewProject()
  const stage = await startHostedStage(project, settings)
  return {
    ...{ project, stage },
    async close() {
      await stage.close()
      await project.stop()
    },
  }
}

/** All that a deployment leaves on a stage. */
async function endState({ project, stage: { api, env } }: Played) {
  const withoutPorts = (value: string) =>
    value.replace(project.apiUrl, 'https://project').replace(env.MANAGEMENT_API_URL ?? '', 'https://platform')
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  const { storage } = createClient(project.apiUrl, project.secretKey, { auth: { persistSession: false } })
  try {
    const buckets = (await storage.listBuckets()).data ?? []
    const objects =
      await sql`select bucket_id, name, metadata ->> 'eTag' as tag from storage.objects order by 1, 2`
    const vault = await sql`
      select name, decrypted_secret from vault.decrypted_secrets where name in ('functions_url', 'pipeline_secret', 'pipeline_secret_next') order by 1`
    return {
      secrets: [...api.secrets].map(([name, { value }]) => [name, withoutPorts(value)]).sort(),
      functions: [...api.functions.values()].map(({ slug, status, verify_jwt, ezbr_sha256 }) => ({
        ...{ slug, status, verify_jwt, ezbr_sha256 },
      })),
      settings: [api.settings.auth, api.settings.api, api.settings.realtime],
      buckets: buckets
        .map(({ name, public: isPublic, file_size_limit, allowed_mime_types }) => ({
          ...{ name, isPublic, file_size_limit, allowed_mime_types },
        }))
        .sort((a, b) => a.name.localeCompare(b.name)),
      objects: [...objects],
      vault: vault.map(({ name, decrypted_secret }) => [name, withoutPorts(String(decrypted_secret))]),
      migrations: [...(await sql`select version from supabase_migrations.schema_migrations order by 1`)],
      staffApp: [...(await sql`select staff_app_url from private.messaging_settings`)],
      tables: [
        ...(await sql`select schemaname, tablename from pg_tables where schemaname in ('public', 'checkin', 'private') order by 1, 2`),
      ],
    }
  } finally {
    await sql.end()
  }
}

/** Many deployments, on a machine that may have other work. */
const HOUR_MS = 3_600_000

/** Values that no output may show. */
const SECRETS = [PIPELINE_SECRET, 'an-invented-password', 'sbp_0123456789']

describe('npm run deploy', { timeout: HOUR_MS }, () => {
  let uninterrupted: Played
  let interrupted: Played

  beforeAll(async () => {
    ;[uninterrupted, interrupted] = await Promise.all([play(), play()])
  })
  afterAll(async () => {
    await uninterrupted?.close()
    await interrupted?.close()
  })

  test('shows all that it would do, and changes nothing', async () => {
    const before = await stateOfDatabase(uninterrupted)
    const { code, output } = await runOn(uninterrupted.stage, 'deploy', ['--dry-run'])
    expect(output).toContain('set PIPELINE_SECRET')
    expect(output).toContain('auth.site_url: "http://localhost:3000" → "https://app.example.edu"')
    expect(output).toMatch(/apply migration \d+/)
    expect(output).toContain('staff_app_url: none → https://app.example.edu')
    expect(output).toContain('upload analysis-assets/visual.pack')
    expect(output).toContain('deploy pipeline-audio')
    expect(code).toBe(0)
    expect(uninterrupted.stage.api.secrets.size).toBe(0)
    expect(uninterrupted.stage.api.received.uploads).toEqual([])
    expect(await stateOfDatabase(uninterrupted)).toEqual(before)
  })

  test('takes a new project to a deployed one, prints no secret, and has nothing to do again', async () => {
    const first = await runOn(uninterrupted.stage, 'deploy')
    expect(first.output).toContain('Deployed.')
    expect(first.code).toBe(0)
    for (const { name } of STEPS) expect(first.output).toContain(`${name}: done`)
    expect((await endState(uninterrupted)).staffApp).toEqual([{ staff_app_url: 'https://app.example.edu' }])
    for (const secret of SECRETS) expect(first.output).not.toContain(secret)
    const again = await runOn(uninterrupted.stage, 'deploy')
    expect(again.output).not.toContain(': done')
    for (const { name } of STEPS) expect(again.output).toContain(`${name}: stands`)
    expect(again.code).toBe(0)
  })

  test('killed in and after each step, and run again, ends in the same state', async () => {
    for (const { name } of STEPS) {
      // As it begins, and when it has ended, unless the deployment ends with it.
      const ended = name === STEPS.at(-1)?.name ? [] : [new RegExp(`^${name}: done`, 'm')]
      for (const moment of [new RegExp(`^${name}:$`, 'm'), ...ended]) {
        const { code, output } = await runOn(interrupted.stage, 'deploy', [], moment)
        expect(output).not.toContain('Deployed.')
        expect(code, output).toBe(null)
      }
    }
    const { code, output } = await runOn(interrupted.stage, 'deploy')
    expect(code, output).toBe(0)
    expect(await endState(interrupted)).toEqual(await endState(uninterrupted))
  })

  test('stops at the first failure, says what to do, and changes nothing after it', async () => {
    const { stage } = uninterrupted
    stage.api.settings.realtime.private_only = false
    const [slug, live] = [...stage.api.functions][0] ?? []
    if (!slug || !live) throw new Error('Nothing is deployed')
    stage.api.functions.delete(slug)
    const env = { ...stage.env, SUPABASE_ACCESS_TOKEN: `sbp_${'f'.repeat(40)}` }
    const rejected = await runOn({ ...stage, env }, 'deploy')
    expect(rejected.output).toContain('rejects SUPABASE_ACCESS_TOKEN')
    expect(rejected.code).toBe(1)
    expect(stage.api.settings.realtime.private_only).toBe(false)
    expect((await runOn(stage, 'deploy')).code).toBe(0)
    expect(stage.api.settings.realtime.private_only).toBe(true)
    expect(stage.api.functions.get(slug)).toBeDefined()
  })

  test('replaces the shared secret in the order in which no call is refused', async () => {
    const { stage } = uninterrupted
    const value = 'another-invented-secret-of-thirty-two-characters'
    const env = { ...stage.env, PIPELINE_SECRET: value }
    const both = ['--only', 'secrets,vault']
    const refused = await runOn({ ...stage, env }, 'deploy', both)
    expect(refused.output).toContain('docs/key-rotation.md#the-secret-of-database-and-functions')
    expect(refused.code).toBe(1)
    expect(stage.api.secrets.get('PIPELINE_SECRET')?.value).toBe(PIPELINE_SECRET)

    const replacing = { ...stage, env: { ...env, PIPELINE_SECRET_PREVIOUS: PIPELINE_SECRET } }
    const waiting = await runOn(replacing, 'deploy', both, /waiting until/)
    expect(waiting.output).toMatch(/secrets:\n {2}set PIPELINE_SECRET\n {2}set PIPELINE_SECRET_PREVIOUS/)
    const meanwhile = await endState(uninterrupted)
    expect(meanwhile.secrets).toContainEqual(['PIPELINE_SECRET', value])
    expect(meanwhile.secrets).toContainEqual(['PIPELINE_SECRET_PREVIOUS', PIPELINE_SECRET])
    expect(meanwhile.vault).toContainEqual(['pipeline_secret', PIPELINE_SECRET])
    expect(meanwhile.vault).toContainEqual(['pipeline_secret_next', value])

    // Ten minutes later.
    const held = stage.api.secrets.get('PIPELINE_SECRET')
    if (held) held.updatedAt = new Date(Date.now() - 600_000)
    const { code, output } = await runOn(replacing, 'deploy', both)
    expect(output).toMatch(/vault:\n {2}set pipeline_secret/)
    expect(code).toBe(0)
    const after = await endState(uninterrupted)
    expect(after.vault).toContainEqual(['pipeline_secret', value])
    expect(after.vault.map(([name]) => name)).not.toContain('pipeline_secret_next')

    const unset = ['--only', 'secrets', '--unset', 'PIPELINE_SECRET_PREVIOUS']
    const ended = await runOn({ ...stage, env }, 'deploy', unset)
    expect(ended.output).toMatch(/secrets:\n {2}unset PIPELINE_SECRET_PREVIOUS/)
    expect(ended.code).toBe(0)
    expect(stage.api.secrets.has('PIPELINE_SECRET_PREVIOUS')).toBe(false)
  })
})

async function stateOfDatabase({ project }: Played): Promise<string> {
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  try {
    const rows = await sql`
      select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname !~ '^pg_' order by 1, 2`
    return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
  } finally {
    await sql.end()
  }
}
