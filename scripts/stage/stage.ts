import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import * as z from 'zod'
import { readStack } from '../../demo/stack.ts'
import { connectTo } from '../database.ts'
import { ROOT } from '../root.ts'
import { type Management, managementOf } from './management.ts'
import { type Release, readRelease } from './release.ts'

/** A project that the service runs on, or is to run on. */
export type Stage = {
  name: string
  /** What names it to a command: `--stage production`, `--branch add-journal`. */
  option: string
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
export type StageOptions = (
  | {
      /** `local`, a name of `[remotes]` in config.toml, or a project's reference. */
      name: string
      /** Of `local`: data folder of the stack. Default: what SUPABASE_URL and its keys name, then `.stack`. */
      data?: string | undefined
    }
  | {
      /**
       * A preview branch of the project in SUPABASE_PROJECT_ID, by the name of its Git branch. Never a stage: who opens a pull
       * request chooses the name.
       */
      branch: string
    }
) & {
  /** File with the stage's settings. Default: `.env.<name>` in the project's folder, where there is one; none for a branch. */
  envFile?: string | undefined
  env?: NodeJS.Dict<string>
  now?: () => Date
}

/** Lines of `--help` on how a stage is named. */
export const stageHelp = `  --stage NAME     a stage that supabase/config.toml names in [remotes.NAME], a project's reference, or local: the running
                   stack of this machine
  --data DIR       of --stage local: data folder of the stack, as of npm start (.stack)
  --branch NAME    instead: a preview branch of the project in SUPABASE_PROJECT_ID, by the name of its Git branch
  --env-file FILE  settings of the stage, as in .env.example (.env.NAME); the shell's own count first`

/** Options of a command line that name a stage, for `parseArgs`. */
export const stageArguments = {
  stage: { type: 'string' },
  branch: { type: 'string' },
  data: { type: 'string' },
  'env-file': { type: 'string' },
} as const

/** Opens the stage that a command line names. Throws an error with `help` where it names none, or two. */
export function openNamedStage(
  values: { [Name in keyof typeof stageArguments]?: string | undefined },
  help: string,
): Promise<Stage> {
  const { stage, branch, data, 'env-file': envFile } = values
  if (data !== undefined && stage !== 'local') {
    throw new Error(`--data is where a stack of this machine keeps its data: add --stage local.\n\n${help}`)
  }
  if (stage && branch === undefined) return openStage({ name: stage, data, envFile })
  if (branch && stage === undefined) return openStage({ branch, envFile })
  throw new Error(`--stage, or --branch, says which stage is meant.\n\n${help}`)
}

const REFERENCE = /^[a-z]{20}$/

/** Opens a stage. Throws an error that says which setting is missing, and what it is for. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { envFile, env = process.env, now = () => new Date() } = options
  const release = readRelease(env.SUPABASE_WORKDIR ?? ROOT)
  const file = envFile ?? ('name' in options ? join(release.root, `.env.${options.name}`) : undefined)
  if (envFile !== undefined && !existsSync(envFile)) throw new Error(`There is no ${envFile}`)
  const settings = {
    ...withValues(file && existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}),
    ...withValues(env),
  }
  const base = { release, settings, now }
  if ('branch' in options) {
    const { branch } = options
    const opening = { ...base, name: branch, option: `--branch ${branch}` }
    return openHosted(opening, (projectOf) => referenceOfBranch(branch, settings, projectOf))
  }
  const { name } = options
  const option = `--stage ${name}${options.data === undefined ? '' : ` --data ${options.data}`}`
  const opening = { ...base, name, option }
  return name === 'local'
    ? openLocal(opening, options.data)
    : openHosted(opening, async () => referenceOfStage(name, release))
}

/** An empty value counts as not set, as for the functions. */
function withValues(settings: NodeJS.Dict<string>): NodeJS.Dict<string> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))
}

type Opening = Pick<Stage, 'name' | 'option' | 'release' | 'settings' | 'now'>
type ProjectOf = (ref: string) => Management

function openLocal(opening: Opening, data: string | undefined): Stage {
  const { SUPABASE_URL, SUPABASE_PUBLISHABLE_KEY, SUPABASE_SECRET_KEY, DATABASE_URL } = opening.settings
  const isNamed = SUPABASE_URL && SUPABASE_PUBLISHABLE_KEY && SUPABASE_SECRET_KEY && DATABASE_URL
  const stack =
    isNamed && data === undefined
      ? {
          apiUrl: SUPABASE_URL,
          databaseUrl: DATABASE_URL,
          keys: { publishable: SUPABASE_PUBLISHABLE_KEY, secret: SUPABASE_SECRET_KEY },
        }
      : readStack(data ?? '.stack')
  const sql = connectTo(stack.databaseUrl)
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

async function openHosted(
  opening: Opening,
  findReference: (projectOf: ProjectOf) => Promise<string>,
): Promise<Stage> {
  const { settings } = opening
  const token = settings.SUPABASE_ACCESS_TOKEN
  if (!token)
    throw new Error(
      'SUPABASE_ACCESS_TOKEN must be set: a token of your account, from the dashboard (Account, Access Tokens)',
    )
  const address = settings.MANAGEMENT_API_URL ?? 'https://api.supabase.com'
  const ref = await findReference((parent) => managementOf(address, token, parent))
  const management = managementOf(address, token, ref)
  // What the functions know of Auth's settings is what config.toml has.
  const { release } = opening
  const redirects = {
    AUTH_SITE_URL: release.siteUrl(ref),
    AUTH_REDIRECT_URLS: release.redirectUrls(ref).join(','),
  }
  const apiUrl = (settings.PUBLIC_API_URL ?? `https://${ref}.supabase.co`).replace(/\/$/, '')
  return {
    ...opening,
    settings: { ...withValues(redirects), ...settings },
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

function referenceOfStage(name: string, { stages }: Release): string {
  const reference = stages[name] ?? (REFERENCE.test(name) ? name : undefined)
  if (reference) return reference
  const known = ['local', ...Object.keys(stages)].join(', ')
  throw new Error(
    `There is no stage ${name}. config.toml names: ${known}. A preview branch is named by --branch.`,
  )
}

const branches = z.array(
  z.object({
    name: z.string(),
    project_ref: z.string(),
    git_branch: z.string().nullish(),
    is_default: z.boolean(),
    persistent: z.boolean(),
  }),
)

async function referenceOfBranch(
  name: string,
  { SUPABASE_PROJECT_ID: parent }: NodeJS.Dict<string>,
  projectOf: ProjectOf,
): Promise<string> {
  if (!parent) throw new Error('SUPABASE_PROJECT_ID must be set: the project that the branches belong to')
  const all = await projectOf(parent).get('/branches', branches)
  const found = all.find((branch) => branch.git_branch === name) ?? all.find((branch) => branch.name === name)
  if (!found) throw new Error(`Project ${parent} has no preview branch ${name}`)
  if (found.is_default || found.persistent || found.project_ref === parent)
    throw new Error(`${name} is not a preview branch of ${parent}, but one that stays: deploy it by --stage`)
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
