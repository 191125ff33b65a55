import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as local from 'local-supabase'
import { parse } from 'smol-toml'
import * as z from 'zod'
import { letStaffSignInByPassword } from './staff-sign-in.ts'

export type { Stack } from 'local-supabase'

/** Where a running stack is reached, and its keys. */
export type RunningStack = Pick<local.Stack, 'apiUrl' | 'databaseUrl' | 'inboxUrl'> & {
  keys: Pick<local.StackKeys, 'publishable' | 'secret'>
}

const authSettings = z.object({
  auth: z.object({ site_url: z.string(), additional_redirect_urls: z.array(z.string()) }),
})

/** Where mails of Auth may lead, as config.toml has it, for the functions. */
function redirectSettings(root: string) {
  const config = parse(readFileSync(join(root, 'supabase', 'config.toml'), 'utf8'))
  const { auth } = authSettings.parse(config)
  return { AUTH_SITE_URL: auth.site_url, AUTH_REDIRECT_URLS: auth.additional_redirect_urls.join(',') }
}

/** What a worker plans with where no isolate is ended: more CPU than one ever uses, seconds. */
const WITHOUT_LIMITS = { ISOLATE_CPU_S: '1000000' }

/**
 * Starts this project on the local platform, with the secret that the database shows to the pipeline's functions. On a database that it
 * makes, staff sign in with their password alone.
 */
export async function startStack(
  options: local.StackOptions & { dataDir: string },
  output?: local.StackOutput,
): Promise<local.Stack> {
  const file = join(resolve(options.dataDir), 'pipeline-secret')
  const secret =
    existsSync(file) && !options.reset ? readFileSync(file, 'utf8') : randomBytes(32).toString('hex')
  const root = resolve(import.meta.dirname, '..')
  const env = {
    PIPELINE_SECRET: secret,
    ...redirectSettings(root),
    ...(options.siteUrl !== undefined && { AUTH_SITE_URL: options.siteUrl }),
    ...(options.limits === false && WITHOUT_LIMITS),
    ...options.env,
  }
  const textMessages = { webhook: '/functions/v1/buddy/texts' }
  // Tests that start many stacks say so.
  const { STACK_TEMPLATE: template } = process.env
  const stack = await local.startStack({ root, textMessages, template, ...options, env }, output)
  // Only now: a start that fails, or resets, leaves no file behind.
  writeFileSync(file, env.PIPELINE_SECRET, { mode: 0o600 })
  if (stack.fresh) await letStaffSignInByPassword(stack.databaseUrl)
  return stack
}

/** Reads where the stack of a data folder is. Throws an error that says how to start one. */
export function readStack(dataDir: string): RunningStack {
  const file = join(resolve(dataDir), 'stack.json')
  if (!existsSync(file)) throw new Error(`No stack is running with ${dataDir}. Start one with: npm start`)
  const description: Record<string, string> = JSON.parse(readFileSync(file, 'utf8'))
  const read = (name: string) => {
    const value = description[name]
    if (value === undefined) throw new Error(`${file} has no ${name}`)
    return value
  }
  return {
    apiUrl: read('api_url'),
    databaseUrl: read('database_url'),
    inboxUrl: read('inbox_url'),
    keys: { publishable: read('publishable_key'), secret: read('secret_key') },
  }
}
