import * as z from 'zod'
import type { Management } from '../stage/management.ts'
import { sha256 } from '../stage/release.ts'
import { functionSettings } from '../stage/settings.ts'
import type { Stage } from '../stage/stage.ts'
import type { Check, Finding } from './finding.ts'

const secrets = z.array(z.object({ name: z.string(), value: z.string(), updated_at: z.string().nullish() }))

/** The functions' secrets by name: SHA-256 digests, which is all that the platform shows, and when each was set. */
export async function functionSecrets(
  management: Management,
): Promise<Map<string, { digest: string; updatedAt: string | null }>> {
  const list = await management.get('/secrets', secrets)
  return new Map(
    list.map(({ name, value, updated_at }) => [name, { digest: value, updatedAt: updated_at ?? null }]),
  )
}

const vaultRow = z.object({
  name: z.string(),
  digest: z.string(),
  length: z.number(),
  address: z.string().nullable(),
  updated_at: z.string(),
})

/** Vault's secrets by name: their digests and lengths, and those that are addresses themselves. */
export async function vaultSecrets({
  query,
}: Pick<Stage, 'query'>): Promise<Map<string, z.infer<typeof vaultRow>>> {
  const rows = await query(
    vaultRow,
    `select
      name,
      encode(sha256(convert_to(decrypted_secret, 'UTF8')), 'hex') as digest,
      char_length(decrypted_secret) as length,
      case when name in ('functions_url', 'pages_url') then decrypted_secret end as address,
      updated_at::text as updated_at
    from vault.decrypted_secrets
    where name is not null`,
  )
  return new Map(rows.map((row) => [row.name, row]))
}

/** The shortest shared secret that is accepted, characters. */
const SHORTEST = 32
const MADE_BY_MIGRATIONS = ['number_hash_key', 'tombstone_key']
const PROVIDERS = [
  ['RESEND_API_KEY', 'EMAIL_FROM'],
  ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'],
]
const DEPLOY = 'npm run deploy -- --stage NAME --only'

export const vault: Check = {
  name: 'Vault',
  needsPlatform: false,
  async read(stage) {
    const held = await vaultSecrets(stage)
    const findings: Finding[] = []
    for (const name of ['functions_url', 'pipeline_secret'])
      if (!held.has(name))
        findings.push({
          id: 'vault_secret_missing',
          about: name,
          problem: `Vault has no ${name}: the database calls no function, and every job waits`,
          mend: `${DEPLOY} vault`,
        })
    for (const name of MADE_BY_MIGRATIONS)
      if (!held.has(name))
        findings.push({
          id: 'vault_secret_missing',
          about: name,
          problem: `Vault has no ${name}, which the first migration made`,
          mend: 'Restore it from the backup of Vault: another value would not match what was hashed with it',
        })
    const shared = held.get('pipeline_secret')
    if (shared && shared.length < SHORTEST)
      findings.push({
        id: 'secret_too_short',
        about: 'pipeline_secret',
        problem: `pipeline_secret in Vault has ${shared.length} characters of at least ${SHORTEST}`,
        mend: 'Replace it: docs/key-rotation.md#the-secret-of-database-and-functions',
      })
    const address = held.get('functions_url')?.address
    const expected = stage.settings.FUNCTIONS_URL ?? stage.functionsUrl
    if (address && address !== expected)
      findings.push({
        id: 'functions_url_wrong',
        about: 'functions_url',
        problem: `The database calls ${address}; this stage's functions are at ${expected}`,
        mend: `${DEPLOY} vault`,
      })
    return findings
  },
}

export const secretsOfFunctions: Check = {
  name: 'secrets of the functions',
  needsPlatform: true,
  async read(stage) {
    const { management } = stage
    if (!management) return []
    const [set, held] = await Promise.all([functionSecrets(management), vaultSecrets(stage)])
    const different = differences(set, held)
    return [
      ...missing(set),
      ...providers(set),
      ...different,
      ...leftOver(stage, set, held),
      ...outdated(stage, set).filter(({ about }) => !different.some((each) => each.about === about)),
      ...(set.has('INBOX_URL')
        ? [
            {
              id: 'secret_forbidden',
              about: 'INBOX_URL',
              problem: 'INBOX_URL is set: messages go to an inbox for developers instead of to people',
              mend: `${DEPLOY} secrets --unset INBOX_URL`,
            },
          ]
        : []),
    ]
  },
}

type Digests = Awaited<ReturnType<typeof functionSecrets>>
type Held = Awaited<ReturnType<typeof vaultSecrets>>

function missing(set: Digests): Finding[] {
  const reasons: Record<string, string> = {
    PIPELINE_SECRET: 'no worker accepts a job',
    DATABASE_POOL_URL: 'every isolate holds direct connections, of which a project has few',
  }
  return Object.entries(reasons)
    .filter(([name]) => !set.has(name))
    .map(([name, reason]) => ({
      id: 'function_secret_missing',
      about: name,
      problem: `The functions have no ${name}: ${reason}`,
      mend: `Set ${name}, then ${DEPLOY} secrets (docs/deployment.md#secrets)`,
    }))
}

/** How long the replacement of a secret may take. */
const REPLACEMENT_DAYS = 2

/** Secrets of replacements that were begun and not ended: what is to be replaced is still accepted. */
function leftOver(stage: Stage, set: Digests, held: Held): Finding[] {
  const dated: [string, string | null][] = [
    ...[...set].map(([name, { updatedAt }]): [string, string | null] => [name, updatedAt]),
    ...[...held.values()].map(({ name, updated_at }): [string, string] => [name, updated_at]),
  ]
  return dated.flatMap(([name, updatedAt]) => {
    if (!/_(PREVIOUS|NEXT)$/i.test(name) || !updatedAt) return []
    const days = Math.floor((stage.now().getTime() - Date.parse(updatedAt)) / (24 * 3600 * 1000))
    if (days < REPLACEMENT_DAYS) return []
    return {
      id: 'secret_left_over',
      about: name,
      problem: `${name} is set since ${days} days: the replacement of a secret has not been ended`,
      mend: set.has(name)
        ? `End it (docs/key-rotation.md), then ${DEPLOY} secrets --unset ${name}`
        : `End it (docs/key-rotation.md), then delete from vault.secrets where name = '${name}'`,
    }
  })
}

function providers(set: Digests): Finding[] {
  return PROVIDERS.flatMap((group) => {
    const unset = group.filter((name) => !set.has(name))
    if (unset.length === 0 || unset.length === group.length) return []
    return {
      id: 'provider_incomplete',
      about: unset.join(', '),
      problem: `${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} missing beside ${group.filter((name) => set.has(name)).join(', ')}: the provider is not used`,
      mend: `Set what is missing, then ${DEPLOY} secrets`,
    }
  })
}

function differences(set: Digests, held: Held): Finding[] {
  const pairs = [
    ['PIPELINE_SECRET', 'pipeline_secret', 'the workers answer 401 and jobs wait'],
    ['PUBLIC_PAGES_URL', 'pages_url', 'links in messages lead elsewhere than the pages are'],
  ] as const
  return pairs.flatMap(([name, inVault, effect]) => {
    const [functions, database] = [set.get(name)?.digest, held.get(inVault)?.digest]
    // Where one of the two misses the required secret, that is said already.
    if (functions === database || (name === 'PIPELINE_SECRET' && (!functions || !database))) return []
    // While the secret is replaced, the workers accept the one of before too.
    if (database && database === set.get(`${name}_PREVIOUS`)?.digest) return []
    return {
      id: 'secrets_differ',
      about: name,
      problem: `${name} of the functions and ${inVault} in Vault differ: ${effect}`,
      mend: `Set ${name} once, then ${DEPLOY} secrets,vault`,
    }
  })
}

/** Settings of the operator's that the stage has another value of. */
function outdated({ settings }: Stage, set: Digests): Finding[] {
  return functionSettings(settings).flatMap(([name, value]) => {
    const digest = set.get(name)?.digest
    if (!digest || digest === sha256(value)) return []
    return {
      id: 'function_secret_outdated',
      about: name,
      problem: `${name} of the functions is not the value in your settings`,
      mend:
        name === 'PIPELINE_SECRET'
          ? 'Correct your settings; to replace it, docs/key-rotation.md#the-secret-of-database-and-functions'
          : `${DEPLOY} secrets, or correct your settings`,
    }
  })
}
