import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import postgres from 'postgres'
import * as z from 'zod'
import { readStack } from '../../demo/stack.ts'
import { ROOT } from '../root.ts'
import { type Management, managementOf } from './management.ts'
import { type Release, readRelease } from './release.ts'

/** A project that the service runs on, or is to run on. */
export type Stage = {
  name: string
  release: Release
  /** The operator's settings: the shell's, then those of the stage's file. */
  settings: NodeJS.Dict<string>
  /** The platform's side of it; null for a stack of this machine. */
  management: Management | null
  apiUrl: string
  functionsUrl: string
  keys(): Promise<{ publishable: string; secret: string }>
  /** Runs a statement as the role postgres and reads its rows. */
  query<Row>(row: z.ZodType<Row>, statement: string, parameters?: (string | number | null)[]): Promise<Row[]>
  now(): Date
  close(): Promise<void>
}

/** What says which stage is meant, and how it is reached. */
export type StageOptions = {
  /** `local`, a name of `[remotes]` in config.toml, a project's reference, or a preview branch's name. */
  name: string
  /** File with the stage's settings. Default: `.env.<name>` in the project's folder, where there is one. */
  envFile?: string | undefined
  env?: NodeJS.Dict<string>
  now?: () => Date
}

/** Lines of `--help` on how a stage is named. */
export const stageHelp = `  --stage NAME     a stage that supabase/config.toml names in [remotes.NAME], a project's reference, the name of a preview
                   branch of the project in SUPABASE_PROJECT_ID, or local: the running stack of this machine
  --env-file FILE  settings of the stage, as in .env.example (.env.NAME); the shell's own count first`

const REFERENCE = /^[a-z]{20}$/

/** Opens a stage. Throws an error that says which setting is missing, and what it is for. */
export async function openStage({ name, envFile, env = process.env, now }: StageOptions): Promise<Stage> {
  const release = readRelease(env.SUPABASE_WORKDIR ?? ROOT)
  const file = envFile ?? join(release.root, `.env.${name}`)
  if (envFile !== undefined && !existsSync(file)) throw new Error(`There is no ${file}`)
  const settings = {
    ...withValues(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}),
    ...withValues(env),
  }
  const base = { name, release, settings, now: now ?? (() => new Date()) }
  return name === 'local' ? openLocal(base) : openHosted(base)
}

/** An empty value counts as not set, as for the functions. */
function withValues(settings: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))
}

type Opening = Pick<Stage, 'name' | 'release' | 'settings' | 'now'>

function openLocal(opening: Opening): Stage {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY, DATABASE_URL } = opening.settings
  const isNamed = SUPABASE_URL && SUPABASE_PUBLISHABLE_KEY && SUPABASE_SECRET_KEY && DATABASE_URL
  const stack = isNamed
    ? {
        apiUrl: SUPABASE_URL,
        databaseUrl: DATABASE_URL,
        keys: { publishable: SUPABASE_PUBLISHABLE_KEY, secret: SUPABASE_SECRET_KEY },
      }
    : readStack('.stack')
  const sql = postgres(stack.databaseUrl, { max: 1, prepare: false, onnotice: () => {} })
  return {
    ...opening,
    management: null,
    apiUrl: stack.apiUrl,
    functionsUrl: `${stack.apiUrl}/functions/v1`,
    keys: async () => stack.keys,
    query: async (row, statement, parameters = []) =>
      z.array(row).parse([...(await sql.unsafe(statement, parameters))]),
    close: () => sql.end({ timeout: 5 }),
  }
}

async function openHosted(opening: Opening): Promise<Stage> {
  const { settings } = opening
  const token = settings.SUPABASE_ACCESS_TOKEN
  if (!token)
    throw new Error(
      'SUPABASE_ACCESS_TOKEN must be set: a token of your account, from the dashboard (Account, Access Tokens)',
    )
  const address = settings.MANAGEMENT_API_URL ?? 'https://api.supabase.com'
  const ref = await referenceOf(opening, (parent) => managementOf(address, token, parent))
  const management = managementOf(address, token, ref)
  const apiUrl = (settings.PUBLIC_API_URL ?? `https://${ref}.supabase.co`).replace(/\/$/, '')
  return {
    ...opening,
    management,
    apiUrl,
    functionsUrl: `${apiUrl}/functions/v1`,
    keys: () => keysOf(management),
    query: async (row, statement, parameters = []) =>
      management.send(
        ...(['POST', '/database/query'] as const),
        { query: statement, ...(parameters.length > 0 && { parameters }) },
        z.array(row),
      ),
    close: async () => {},
  }
}

const branches = z.array(
  z.object({ name: z.string(), project_ref: z.string(), git_branch: z.string().nullish() }),
)

async function referenceOf(
  { name, release, settings }: Opening,
  projectOf: (ref: string) => Management,
): Promise<string> {
  const named = release.stages[name] ?? (REFERENCE.test(name) ? name : undefined)
  if (named) return named
  const parent = settings.SUPABASE_PROJECT_ID
  if (!parent) {
    const known = ['local', ...Object.keys(release.stages)].join(', ')
    throw new Error(
      `There is no stage ${name}. config.toml names: ${known}. ` +
        'For a preview branch set SUPABASE_PROJECT_ID to the reference of its project.',
    )
  }
  const found = (await projectOf(parent).get('/branches', branches)).find(
    (branch) => branch.git_branch === name || branch.name === name,
  )
  if (!found) throw new Error(`Project ${parent} has no preview branch ${name}`)
  return found.project_ref
}

export const apiKeys = z.array(
  z.object({
    name: z.string(),
    type: z.string().nullish(),
    api_key: z.string().nullish(),
    inserted_at: z.string().nullish(),
  }),
)

/** The project's keys: the newer ones, or those of before. */
async function keysOf(management: Management): Promise<{ publishable: string; secret: string }> {
  const keys = await management.get('/api-keys?reveal=true', apiKeys)
  const find = (type: string, legacy: string) =>
    keys.find((key) => key.type === type)?.api_key ?? keys.find(({ name }) => name === legacy)?.api_key
  const publishable = find('publishable', 'anon')
  const secret = find('secret', 'service_role')
  if (!publishable || !secret)
    throw new Error('The project has no publishable and secret key that this token may read')
  return { publishable, secret }
}
