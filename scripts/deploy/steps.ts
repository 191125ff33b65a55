import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { objectPath } from '../../functions/_shared/platform/object-address.ts'
import { appliedMigrations, pendingMigrations } from '../doctor/database.ts'
import { listFunctions, noteDeployment, readDeployment, versionOf } from '../doctor/functions.ts'
import { SWITCHES, settingDifferences } from '../doctor/platform.ts'
import { assetDifferences, bucketDifferences, storageOf } from '../doctor/storage.ts'
import { remoteOption, runCli } from '../stage/cli.ts'
import { sourceDigests } from '../stage/release.ts'
import { secrets, vault } from './secrets.ts'
import type { HostedStage, Step } from './step.ts'

const database: Step = {
  name: 'database',
  about: 'migrations',
  async pending(stage) {
    const applied = await appliedMigrations(stage)
    const unknown = applied.filter((version) => !stage.release.migrations.includes(version))
    if (unknown.length > 0)
      throw new Error(
        `The stage has migrations that this checkout does not (${unknown.join(', ')}): check out what is newer`,
      )
    return pendingMigrations(stage.release, applied).map((version) => `apply migration ${version}`)
  },
  async apply(stage, print) {
    const { remote, env } = databaseTarget(stage)
    await cli(stage, ['db', 'push', remote, '--skip-vault', '--yes'], print, env)
  },
  help: 'A migration that fails is rolled back: mend it, or the data it meets, and deploy again. Without IPv6 set DATABASE_SESSION_URL, the session pooler on port 5432 (dashboard: Connect)',
}

/** The project itself, by a temporary role; or its address, with the password in the environment, where others cannot read it. */
function databaseTarget(stage: HostedStage): { remote: string; env: NodeJS.Dict<string> } {
  const { DATABASE_SESSION_URL } = stage.settings
  if (!DATABASE_SESSION_URL) return { remote: remoteOption(stage), env: {} }
  const { ref } = stage.management
  const address = new URL(DATABASE_SESSION_URL)
  if (/\.supabase\.com?$/.test(address.hostname) && !`${address.username}@${address.hostname}`.includes(ref))
    throw new Error(`DATABASE_SESSION_URL is the address of another project than ${ref}`)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return { remote: `--remote=${address.href}`, env: { PGPASSWORD: password } }
}

/** Auth's mails and the service's lead to one app: the address is written down once, as `site_url` of the stage. */
const staffApp: Step = {
  name: 'staff-app',
  about: "where messages to staff lead: the staff's app, whose address is site_url",
  async pending(stage) {
    const declared = siteOf(stage)
    const current = await staffAppUrl(stage)
    return current === declared ? [] : [`staff_app_url: ${current ?? 'none'} → ${declared}`]
  },
  async apply(stage) {
    await stage.query(z.unknown(), 'update private.messaging_settings set staff_app_url = $1', [
      siteOf(stage),
    ])
  },
  help: 'The address is site_url in [remotes.NAME.auth] of config.toml: http:// or https://, without ? and #',
}

/** Where the stage says that the staff's app is; null where it says nothing, or has no table for it yet. */
async function staffAppUrl({ query }: HostedStage): Promise<string | null> {
  const [table] = await query(
    z.object({ exists: z.boolean() }),
    "select to_regclass('private.messaging_settings') is not null as exists",
  )
  if (!table?.exists) return null
  const [row] = await query(
    z.object({ url: z.string().nullable() }),
    "select to_jsonb(s) ->> 'staff_app_url' as url from private.messaging_settings s",
  )
  return row?.url ?? null
}

/** The address of the staff's app. Throws where the stage has none of its own. */
function siteOf({ name, release, management }: HostedStage): string {
  const site = release.siteUrl(management.ref).replace(/\/+$/, '')
  if (/^https?:\/\/(localhost|127\.|0\.0\.0\.0|\[::1\])/.test(site))
    throw new Error(
      `config.toml would have Auth send people to ${site}: give the stage its own addresses ([remotes.${name}.auth], docs/deployment.md#settings-of-the-stage)`,
    )
  return site
}

const settings: Step = {
  name: 'settings',
  about: 'settings of config.toml: API, Auth, Storage',
  // After the migrations, because Auth calls functions of the database.
  async pending(stage) {
    siteOf(stage)
    return (await settingDifferences(stage)).map(
      ({ path, declared, current }) => `${path}: ${current} → ${declared}`,
    )
  },
  apply: (stage, print) => cli(stage, ['config', 'push', remoteOption(stage), '--yes'], print),
  help: 'A setting may need another plan; npx supabase config diff --remote=REF shows the same differences',
}

const switches: Step = {
  name: 'switches',
  about: 'the settings that config.toml has no key for',
  async pending(stage) {
    const unset = await unsetSwitches(stage)
    return unset.map(({ body }) => `set ${Object.keys(body).join(', ')}`)
  },
  async apply(stage, print) {
    for (const each of await unsetSwitches(stage)) {
      try {
        await stage.management.send('PATCH', each.path, each.body)
      } catch (error) {
        if (each.problem !== undefined) throw error
        rejected.set(stage.management, [...(rejected.get(stage.management) ?? []), each.id])
        print(`Left as it is: ${error instanceof Error ? error.message : error}\n`)
      }
    }
  },
  help: 'They are in the dashboard too: Realtime, Settings; Authentication, Rate Limits; Authentication, Email',
}

/** Switches that a project's plan does not have, by what its platform answered when they were set. */
const rejected = new WeakMap<HostedStage['management'], string[]>()

async function unsetSwitches(stage: HostedStage) {
  const set = await Promise.all(SWITCHES.map(({ isSet }) => isSet(stage)))
  const left = rejected.get(stage.management) ?? []
  return SWITCHES.filter(({ id }, index) => !set[index] && !left.includes(id))
}

const storage: Step = {
  name: 'storage',
  about: 'buckets, and the weights and WebAssembly that the functions load',
  async pending(stage) {
    const client = await storageOf(stage)
    const buckets = await bucketDifferences(stage, client)
    const lacking = new Set(buckets.filter(({ exists }) => !exists).map(({ bucket }) => bucket.name))
    const { release } = stage
    const [inNew, inOld] = [
      release.assets.filter(({ bucket }) => lacking.has(bucket)),
      release.assets.filter(({ bucket }) => !lacking.has(bucket)),
    ]
    const assets = await assetDifferences({ ...stage, release: { ...release, assets: inOld } }, client)
    return [
      ...buckets.map(({ bucket, differences }) => `bucket ${bucket.name}: ${differences.join('; ')}`),
      ...[...inNew, ...assets.map(({ asset }) => asset)].map(
        ({ bucket, name }) => `upload ${bucket}/${name}`,
      ),
    ]
  },
  // Not by `seed buckets`, which sends every asset again, and cannot tell which are there.
  async apply(stage) {
    const client = await storageOf(stage)
    for (const { bucket, exists } of await bucketDifferences(stage, client)) {
      const { public: isPublic, fileSizeLimit, allowedMimeTypes } = bucket
      const declared = { public: isPublic, fileSizeLimit, allowedMimeTypes }
      const { error } = exists
        ? await client.updateBucket(bucket.name, declared)
        : await client.createBucket(bucket.name, declared)
      if (error) throw new Error(`Bucket ${bucket.name}: ${error.message}`)
    }
    for (const { asset } of await assetDifferences(stage, client)) {
      const body = new Blob([readFileSync(asset.path)], { type: 'application/octet-stream' })
      const { error } = await client
        .from(objectPath(asset.bucket))
        .upload(objectPath(asset.name), body, { upsert: true })
      if (error) throw new Error(`${asset.bucket}/${asset.name}: ${error.message}`)
    }
  },
  help: 'npm run vendor builds the assets; the limit of a bucket cannot be above that of the project (Storage, Settings)',
}

const functions: Step = {
  name: 'functions',
  about: 'all functions, activated together',
  async pending(stage) {
    const [sources, note, deployed] = await Promise.all([
      sourceDigests(stage.release),
      readDeployment(stage).catch(() => null),
      listFunctions(stage.management),
    ])
    return stage.release.functions.flatMap(({ slug, verifyJwt }) => {
      const found = deployed.find((each) => each.slug === slug)
      const recorded = note?.functions[slug]
      const stands =
        found?.status === 'ACTIVE' &&
        (found.verify_jwt ?? true) === verifyJwt &&
        recorded?.sources === sources.get(slug) &&
        recorded?.deployed === versionOf(found)
      return stands ? [] : `deploy ${slug}`
    })
  },
  async apply(stage, print) {
    await cli(stage, ['functions', 'deploy', remoteOption(stage), '--use-api', '--yes'], print)
    const [sources, deployed] = await Promise.all([
      sourceDigests(stage.release),
      listFunctions(stage.management),
    ])
    const entries = deployed.flatMap((each) => {
      const digest = sources.get(each.slug)
      return digest ? [[each.slug, { sources: digest, deployed: versionOf(each) }] as const] : []
    })
    await noteDeployment(stage, { functions: Object.fromEntries(entries) })
  },
  help: 'A function that the server rejects keeps its last version: the output above names it. Mend it and deploy again',
}

/** The steps in their order. */
export const STEPS: Step[] = [secrets, vault, database, staffApp, settings, switches, storage, functions]

async function cli(
  stage: HostedStage,
  args: string[],
  print: (text: string) => void,
  env: NodeJS.Dict<string> = {},
): Promise<void> {
  const { code } = await runCli(stage, args, { print, env })
  if (code !== 0) throw new Error(`supabase ${args[0]} ${args[1]} ended with ${code}`)
}
