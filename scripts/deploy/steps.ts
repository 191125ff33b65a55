import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { appliedMigrations, pendingMigrations } from '../doctor/database.ts'
import { listFunctions, noteDeployment, readDeployment, versionOf } from '../doctor/functions.ts'
import { SWITCHES, settingDifferences } from '../doctor/platform.ts'
import { functionSecrets, vaultSecrets } from '../doctor/secrets.ts'
import { assetDifferences, bucketDifferences, storageOf } from '../doctor/storage.ts'
import { remoteOption, runCli } from '../stage/cli.ts'
import type { Management } from '../stage/management.ts'
import { sha256, sourceDigests } from '../stage/release.ts'
import { functionSettings } from '../stage/settings.ts'
import type { Stage } from '../stage/stage.ts'

/** A hosted stage. */
export type HostedStage = Stage & { management: Management }

/** One step of a deployment, which can be repeated. */
export type Step = {
  name: string
  about: string
  /** What it would change, a line each, as far as the stage tells before the steps before it; none when nothing is left to do. */
  pending(stage: HostedStage): Promise<string[]>
  apply(stage: HostedStage, print: (text: string) => void): Promise<void>
  /** What to do when it fails. */
  help: string
}

async function pendingSecrets({
  management,
  settings,
}: HostedStage): Promise<[name: string, value: string][]> {
  const set = await functionSecrets(management)
  return functionSettings(settings).filter(([name, value]) => set.get(name)?.digest !== sha256(value))
}

const secrets: Step = {
  name: 'secrets',
  about: 'secrets of the functions, which must exist before the code that reads them',
  async pending(stage) {
    const missing = (await functionSecrets(stage.management)).has('PIPELINE_SECRET')
      ? []
      : requireSetting(stage, 'PIPELINE_SECRET', 'make it once with: openssl rand -hex 32')
    return [...missing, ...(await pendingSecrets(stage)).map(([name]) => `set ${name}`)]
  },
  // Not by `secrets set`, which takes them from its command line, or from a file.
  async apply(stage) {
    const pending = await pendingSecrets(stage)
    await stage.management.send(
      'POST',
      '/secrets',
      pending.map(([name, value]) => ({ name, value })),
    )
  },
  help: 'The access token needs the right to set secrets (edge_functions_secrets_write)',
}

/** Nothing, or an error that says that a setting is missing. */
function requireSetting({ name, settings }: Stage, setting: string, how: string): [] {
  if (settings[setting]) return []
  throw new Error(`The stage has no ${setting}, and neither have your settings (.env.${name}): ${how}`)
}

async function pendingVault(stage: HostedStage): Promise<[name: string, value: string][]> {
  const held = await vaultSecrets(stage)
  const { settings, functionsUrl } = stage
  if (!held.has('pipeline_secret'))
    requireSetting(stage, 'PIPELINE_SECRET', 'the value that the functions have')
  const wanted = {
    functions_url: settings.FUNCTIONS_URL ?? functionsUrl,
    pipeline_secret: settings.PIPELINE_SECRET,
    pages_url: settings.PUBLIC_PAGES_URL,
  }
  return Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value && held.get(name)?.digest !== sha256(value) ? [[name, value]] : [],
  )
}

const vault: Step = {
  name: 'vault',
  about: 'what the database needs to call the functions',
  pending: async (stage) => (await pendingVault(stage)).map(([name]) => `set ${name}`),
  // Not by `db push`, which stores them only where there is a migration to apply.
  async apply(stage) {
    for (const [name, value] of await pendingVault(stage))
      await stage.query(
        z.unknown(),
        `select case
          when s.id is null then vault.create_secret($1, $2)::text
          else vault.update_secret(s.id, $1)::text
        end is not null as stored
        from (select) one left join vault.secrets s on s.name = $2`,
        [value, name],
      )
  },
  help: 'The extension supabase_vault has to be enabled, as it is in every new project',
}

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

const settings: Step = {
  name: 'settings',
  about: 'settings of config.toml: API, Auth, Storage',
  // After the migrations, because Auth calls functions of the database.
  async pending(stage) {
    const site = stage.release.siteUrl(stage.name)
    if (/^https?:\/\/(localhost|127\.|0\.0\.0\.0|\[::1\])/.test(site))
      throw new Error(
        `config.toml would have Auth send people to ${site}: give the stage its own addresses ([remotes.${stage.name}.auth], docs/deployment.md#settings-of-the-stage)`,
      )
    return (await settingDifferences(stage)).map(
      ({ path, declared, current }) => `${path}: ${current} → ${declared}`,
    )
  },
  apply: (stage, print) => cli(stage, ['config', 'push', remoteOption(stage), '--yes'], print),
  help: 'A setting may need another plan; npx supabase config diff shows the same differences',
}

const switches: Step = {
  name: 'switches',
  about: 'the settings that config.toml has no key for',
  async pending(stage) {
    const unset = await unsetSwitches(stage)
    return unset.map(({ body }) => `set ${Object.keys(body).join(', ')}`)
  },
  async apply(stage) {
    for (const { path, body } of await unsetSwitches(stage)) await stage.management.send('PATCH', path, body)
  },
  help: 'Both are in the dashboard too: Realtime, Settings; Authentication, Rate Limits',
}

async function unsetSwitches(stage: HostedStage) {
  const set = await Promise.all(SWITCHES.map(({ isSet }) => isSet(stage)))
  return SWITCHES.filter((_, index) => !set[index])
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
      const { error } = await client.from(asset.bucket).upload(asset.name, body, { upsert: true })
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
export const STEPS: Step[] = [secrets, vault, database, settings, switches, storage, functions]

async function cli(
  stage: HostedStage,
  args: string[],
  print: (text: string) => void,
  env: NodeJS.Dict<string> = {},
): Promise<void> {
  const { code } = await runCli(stage, args, { print, env })
  if (code !== 0) throw new Error(`supabase ${args[0]} ${args[1]} ended with ${code}`)
}
