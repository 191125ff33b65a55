import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { functionSecrets, vaultSecrets } from '../doctor/secrets.ts'
import { sha256 } from '../stage/release.ts'
import { functionSettings } from '../stage/settings.ts'
import type { HostedStage, Step } from './step.ts'

/** How long isolates may run that know only the secret of before, milliseconds: they live 400 s at most. */
const REPLACED_AFTER_MS = 600_000

const ROTATION = 'docs/key-rotation.md#the-secret-of-database-and-functions'

type Held = { functions: Awaited<ReturnType<typeof functionSecrets>>; vault: Map<string, { digest: string }> }
type Changes = { set: [name: string, value: string][]; unset: string[] }

async function heldBy(stage: HostedStage): Promise<Held> {
  const [functions, vault] = await Promise.all([functionSecrets(stage.management), vaultSecrets(stage)])
  return { functions, vault }
}

/** Throws where settings and `--unset` say something else of the same secret. */
function changesOf({ settings, unset }: HostedStage, { functions }: Held): Changes {
  const wanted = functionSettings(settings)
  const both = unset.filter((name) => wanted.some(([each]) => each === name))
  if (both.length > 0)
    throw new Error(`${both.join(', ')} is in your settings: take it out of them before it is unset`)
  return {
    set: wanted.filter(([name, value]) => functions.get(name)?.digest !== sha256(value)),
    unset: unset.filter((name) => functions.has(name)),
  }
}

/**
 * Throws where the functions would no longer accept what the database calls them with, or what the functions that still run have
 * proved themselves with. Where functions and Vault have nothing in common no call is accepted as it is, and nothing can be lost.
 */
function requireStillAccepted({ settings, unset }: HostedStage, { functions, vault }: Held): void {
  const next = (name: string) => {
    const value = settings[name]
    if (value) return sha256(value)
    return unset.includes(name) ? undefined : functions.get(name)?.digest
  }
  const current = functions.get('PIPELINE_SECRET')?.digest
  const used = vault.get('pipeline_secret')?.digest
  const accepted = [current, functions.get('PIPELINE_SECRET_PREVIOUS')?.digest]
  if (!current || !used || !accepted.includes(used)) return
  const acceptedNext = [next('PIPELINE_SECRET'), next('PIPELINE_SECRET_PREVIOUS')]
  if (acceptedNext.includes(current) && acceptedNext.includes(used)) return
  throw new Error(
    'The stage has another PIPELINE_SECRET than your settings would leave it. If the stage’s is right, correct your settings; ' +
      `to replace it, set PIPELINE_SECRET_PREVIOUS to the one that it has, and unset that only when Vault has the new one (${ROTATION})`,
  )
}

export const secrets: Step = {
  name: 'secrets',
  about: 'secrets of the functions, which must exist before the code that reads them',
  async pending(stage) {
    const held = await heldBy(stage)
    const { set, unset } = changesOf(stage, held)
    if (!held.functions.has('PIPELINE_SECRET'))
      requireSetting(stage, 'PIPELINE_SECRET', 'make it once with: openssl rand -hex 32')
    requireStillAccepted(stage, held)
    return [...set.map(([name]) => `set ${name}`), ...unset.map((name) => `unset ${name}`)]
  },
  // Not by `secrets set`, which takes them from its command line, or from a file.
  async apply(stage) {
    const held = await heldBy(stage)
    const { set, unset } = changesOf(stage, held)
    requireStillAccepted(stage, held)
    const shared = set.find(([name]) => name === 'PIPELINE_SECRET')?.[1]
    const used = held.vault.get('pipeline_secret')?.digest
    // Whoever verifies learns it first: the database accepts proofs that the functions make with either.
    if (shared && used && used !== sha256(shared)) await storeInVault(stage, 'pipeline_secret_next', shared)
    const values = set.map(([name, value]) => ({ name, value }))
    if (values.length > 0) await stage.management.send('POST', '/secrets', values)
    if (unset.length > 0) await stage.management.send('DELETE', '/secrets', unset)
  },
  help: 'The access token needs the right to set secrets (edge_functions_secrets_write)',
}

/** Throws where the stage has no value and the settings have none either. */
function requireSetting({ name, settings }: HostedStage, setting: string, how: string): void {
  if (settings[setting]) return
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

export const vault: Step = {
  name: 'vault',
  about:
    'what the database needs to call the functions; ten minutes after its secret was replaced in the functions',
  pending: async (stage) => (await pendingVault(stage)).map(([name]) => `set ${name}`),
  // Not by `db push`, which stores them only where there is a migration to apply.
  async apply(stage, print) {
    for (const [name, value] of await pendingVault(stage)) {
      if (name === 'pipeline_secret') await untilAccepted(stage, value, print)
      await storeInVault(stage, name, value)
    }
  },
  help: `The extension supabase_vault has to be enabled, as it is in every new project; the secret is replaced as ${ROTATION} says`,
}

/** Waits until no function runs that accepts only what Vault has now. Throws where the functions have another secret. */
async function untilAccepted(
  stage: HostedStage,
  secret: string,
  print: (text: string) => void,
): Promise<void> {
  const { functions, vault } = await heldBy(stage)
  const current = functions.get('PIPELINE_SECRET')
  if (current?.digest !== sha256(secret))
    throw new Error('The functions have another PIPELINE_SECRET: run the steps secrets,vault')
  const used = vault.get('pipeline_secret')?.digest
  if (!used || used !== functions.get('PIPELINE_SECRET_PREVIOUS')?.digest) return
  const now = stage.now().getTime()
  const from = (current.updatedAt ? Date.parse(current.updatedAt) : now) + REPLACED_AFTER_MS
  if (from <= now) return
  print(`The functions still accept both secrets: waiting until ${new Date(from).toISOString()}\n`)
  await wait(from - now)
}

/** Stores a secret, under one transaction; what was to become `pipeline_secret` is removed when something does. */
async function storeInVault(stage: HostedStage, name: string, value: string): Promise<void> {
  await stage.query(
    z.unknown(),
    `with become as (
      delete from vault.secrets where $2::text = 'pipeline_secret' and name = 'pipeline_secret_next'
    )
    select case
      when s.id is null then vault.create_secret($1, $2)::text
      else vault.update_secret(s.id, $1)::text
    end is not null as stored
    from (select) one left join vault.secrets s on s.name = $2`,
    [value, name],
  )
}

/**
 * A preview branch with a secret of its own, made at random, where its functions and its Vault do not have one in common: nobody
 * has to know it.
 */
export async function withOwnSecret(stage: HostedStage): Promise<HostedStage> {
  if (stage.settings.PIPELINE_SECRET) return stage
  const { functions, vault } = await heldBy(stage)
  const digest = functions.get('PIPELINE_SECRET')?.digest
  if (digest && digest === vault.get('pipeline_secret')?.digest) return stage
  return {
    ...stage,
    settings: { ...stage.settings, PIPELINE_SECRET: randomBytes(32).toString('hex') },
  }
}
