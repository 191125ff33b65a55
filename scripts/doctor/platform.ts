import * as z from 'zod'
import { remoteOption, runCli } from '../stage/cli.ts'
import { apiKeys, type Stage } from '../stage/stage.ts'
import type { Check, Finding } from './finding.ts'
import { functionSecrets, vaultSecrets } from './secrets.ts'

const configDiff = z.object({
  changes: z.array(
    z.object({
      path: z.array(z.string()),
      class: z.enum(['update', 'local_only', 'remote_only']),
      local: z.unknown(),
      remote: z.unknown(),
    }),
  ),
})

/** A setting of config.toml that the stage has another value of, or none. */
export type SettingDifference = { path: string; declared: string; current: string }

/** Compares config.toml with the stage by the CLI's own diff. What only the stage sets is left as it is. */
export async function settingDifferences(stage: Stage): Promise<SettingDifference[]> {
  const { code, stdout, stderr } = await runCli(stage, [
    ...['config', 'diff', remoteOption(stage)],
    ...['--output-format', 'json'],
  ])
  if (code !== 0) throw new Error(`supabase config diff failed: ${`${stderr}\n${stdout}`.trim()}`)
  return configDiff
    .parse(JSON.parse(stdout.slice(stdout.indexOf('{'))))
    .changes.filter((change) => change.class !== 'remote_only')
    .map(({ path, local, remote }) => ({
      path: path.join('.'),
      declared: JSON.stringify(local),
      current: JSON.stringify(remote ?? null),
    }))
}

const DEPLOY = 'npm run deploy -- --stage NAME --only settings'

export const settings: Check = {
  name: 'settings of config.toml',
  needsPlatform: true,
  async read(stage) {
    return (await settingDifferences(stage)).map(({ path, declared, current }) => ({
      id: 'setting_differs',
      about: path,
      problem: `${path} is ${current}; config.toml has ${declared}`,
      mend: DEPLOY,
    }))
  },
}

const authConfig = z.object({
  site_url: z.string().nullish(),
  uri_allow_list: z.string().nullish(),
  smtp_host: z.string().nullish(),
  smtp_admin_email: z.string().nullish(),
  security_sb_forwarded_for_enabled: z.boolean().nullish(),
  password_hibp_enabled: z.boolean().nullish(),
})
const realtimeConfig = z.object({ private_only: z.boolean().nullish() })

/** A setting of the platform that config.toml has no key for. */
export type Switch = {
  id: string
  path: string
  body: Record<string, boolean>
  isSet(stage: Stage): Promise<boolean>
  /** What is wrong without it; undefined where that is for the platform's advisors to say, as not every plan has it. */
  problem?: string
}

/** The settings that only the Management API and the dashboard know. */
export const SWITCHES: Switch[] = [
  {
    id: 'realtime_public_channels',
    path: '/config/realtime',
    body: { private_only: true },
    isSet: async ({ management }) =>
      (await management?.get('/config/realtime', realtimeConfig))?.private_only === true,
    problem: 'Realtime takes public channels: whoever has the publishable key can listen and send on them',
  },
  {
    id: 'client_addresses_ignored',
    path: '/config/auth',
    body: { security_sb_forwarded_for_enabled: true },
    isSet: async ({ management }) =>
      (await management?.get('/config/auth', authConfig))?.security_sb_forwarded_for_enabled === true,
    problem:
      'Auth does not take the addresses of clients: all sign-ins through the functions share one limit',
  },
  {
    id: 'leaked_passwords_accepted',
    path: '/config/auth',
    body: { password_hibp_enabled: true },
    isSet: async ({ management }) =>
      (await management?.get('/config/auth', authConfig))?.password_hibp_enabled === true,
  },
]

export const switches: Check = {
  name: 'settings of the Management API',
  needsPlatform: true,
  async read(stage) {
    const set = await Promise.all(SWITCHES.map(({ isSet }) => isSet(stage)))
    return SWITCHES.flatMap(({ id, body, problem }, index): Finding[] =>
      set[index] || problem === undefined
        ? []
        : [
            {
              id,
              about: Object.keys(body).join(', '),
              problem,
              mend: 'npm run deploy -- --stage NAME --only switches',
            },
          ],
    )
  },
}

/** Whether an address is of the developer's own machine, or nobody's. */
function isLocal(address: string): boolean {
  const host = URL.parse(address)?.hostname ?? ''
  return /^(localhost|127\..*|0\.0\.0\.0|\[::1\])$/.test(host)
}

export const authAddresses: Check = {
  name: 'addresses and mail server of Auth',
  needsPlatform: true,
  async read({ management }) {
    if (!management) return []
    const auth = await management.get('/config/auth', authConfig)
    const findings: Finding[] = []
    if (!auth.site_url || isLocal(auth.site_url))
      findings.push({
        id: 'site_url_local',
        about: 'site_url',
        problem: `Auth sends people who confirm their address to ${auth.site_url || 'nowhere'}`,
        mend: 'Set site_url in [remotes.NAME.auth] of config.toml, then npm run deploy',
      })
    for (const address of (auth.uri_allow_list ?? '').split(',').filter(Boolean))
      if (isLocal(address) || address.startsWith('http://'))
        findings.push({
          id: 'redirect_address_unsafe',
          about: address,
          problem: `Auth may send people, with their tokens, to ${address}`,
          mend: 'Take it out of additional_redirect_urls, then npm run deploy',
        })
    if (!auth.smtp_host)
      findings.push({
        id: 'mail_server_missing',
        about: 'smtp_host',
        problem: 'Auth has no mail server: the built-in one is for trials, and sends a few messages an hour',
        mend: 'Set [remotes.NAME.auth.email.smtp] in config.toml (docs/deployment.md#settings-of-the-stage)',
      })
    return findings
  },
}

const project = z.object({ status: z.string() })

export const projectStatus: Check = {
  name: 'the project',
  needsPlatform: true,
  async read({ management }) {
    if (!management) return []
    const { status } = await management.get('', project)
    if (status === 'ACTIVE_HEALTHY') return []
    return [
      {
        id: 'project_unhealthy',
        about: management.ref,
        problem: `The platform says that the project is ${status}`,
        mend: 'See the dashboard, and https://status.supabase.com',
      },
    ]
  },
}

const advice = z.object({
  lints: z.array(
    z.object({
      name: z.string(),
      level: z.enum(['ERROR', 'WARN', 'INFO']),
      title: z.string(),
      detail: z.string(),
      remediation: z.string().nullish(),
      cache_key: z.string().nullish(),
    }),
  ),
})

/** What the platform's own advisors find: errors, and as warnings what they warn of, some of which only another plan mends. */
export const advisors: Check = {
  name: 'advisors',
  needsPlatform: true,
  async read(stage) {
    const { management } = stage
    if (!management) return []
    const found = await Promise.all(
      ['security', 'performance'].map((kind) => management.get(`/advisors/${kind}`, advice)),
    )
    return found
      .flatMap(({ lints }) => lints)
      .filter(({ level }) => level !== 'INFO')
      .map(({ name, level, title, detail, remediation, cache_key }) => ({
        id: `advisor_${name}`,
        about: cache_key ?? name,
        problem: `${title}: ${detail}`,
        mend: remediation ?? `npx supabase db advisors ${remoteOption(stage)} says more`,
        isWarning: level === 'WARN',
      }))
  },
}

/** The heading under which the replacement of the secret stands that functions and database share. */
const SHARED_SECRET = '#the-secret-of-database-and-functions'

const YEAR_MS = 365 * 24 * 3600 * 1000

/** Keys and secrets that nobody has changed for a year. */
export const ages: Check = {
  name: 'ages of keys',
  needsPlatform: true,
  async read(stage) {
    const { management } = stage
    if (!management) return []
    const [keys, secrets, vault] = await Promise.all([
      management.get('/api-keys', apiKeys),
      functionSecrets(management),
      vaultSecrets(stage),
    ])
    const dated: [about: string, since: string | null | undefined, mend: string][] = [
      ...keys
        .filter(({ type }) => type === 'secret')
        .map((key): [string, string | null | undefined, string] => [
          `key ${key.name}`,
          key.inserted_at,
          'Make another secret key in the dashboard, use it, then delete the old one',
        ]),
      ...[...secrets]
        .filter(([name]) => /(_KEY|_TOKEN|_SECRET)$/.test(name) && !name.startsWith('SUPABASE_'))
        .map(([name, { updatedAt }]): [string, string | null, string] => [
          name,
          updatedAt,
          `docs/key-rotation.md${name === 'PIPELINE_SECRET' ? SHARED_SECRET : ''}`,
        ]),
      ['pipeline_secret', vault.get('pipeline_secret')?.updated_at, `docs/key-rotation.md${SHARED_SECRET}`],
    ]
    return dated.flatMap(([about, since, mend]) => {
      const age = since ? stage.now().getTime() - Date.parse(since) : 0
      if (age <= YEAR_MS) return []
      return {
        id: 'key_old',
        about,
        problem: `${about} is ${Math.floor(age / (24 * 3600 * 1000))} days old`,
        mend,
      }
    })
  },
}
