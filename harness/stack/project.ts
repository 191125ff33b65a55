import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { type BuiltDatabase, buildPlatformDatabase, MIGRATED_DATABASE } from 'local-supabase'
import postgres from 'postgres'
import { inject, type TestOptions } from 'vitest'
import type { EveryColumn } from './every-column.ts'

/** The Supabase project that the suites run against: a stack that was booted for them, or one from outside. */
export type Project = {
  apiUrl: string
  /** The database as `postgres`, which owns the schema and is no superuser on Supabase. */
  databaseUrl: string
  publishableKey: string
  secretKey: string
  /** Null for a project from outside. */
  local: LocalStack | null
}

/** What only a stack of this machine lets a test see or do. */
export type LocalStack = {
  /** The database as its superuser. */
  adminUrl: string
  /** Shows every email and SMS. */
  inboxUrl: string
  /** Signs access tokens (HS256). */
  jwtSecret: string
  /** Where the stack writes its log. */
  logFile: string
  /** Process that owns the stack's others. */
  pid: number
}

/** A project that was booted on this machine. */
export type LocalProject = Project & { local: LocalStack }

export type Client = SupabaseClient<EveryColumn>

declare module 'vitest' {
  export interface ProvidedContext {
    project: Project
  }
  interface TaskMeta {
    /** Why a test is skipped here. */
    skippedBecause?: string
  }
}

/**
 * Options of a test, or of a group of tests, that needs something that only a stack of this machine has. Against a
 * project from outside it is skipped, and the end of the run says why.
 *
 * @example
 * test('sends a code', localOnly('reads the inbox'), async () => { … localStack().inboxUrl … })
 */
export function localOnly(reason: string): TestOptions {
  return inject('project').local
    ? {}
    : { skip: true, meta: { skippedBecause: `${reason}: only on a local stack` } }
}

/** What only the local stack has, within a test that is `localOnly`. */
export function localStack(): LocalStack {
  const { local } = inject('project')
  if (!local) throw new Error('The project is not a local stack: mark the test as localOnly(…)')
  return local
}

/** Makes a database beside the local stack's, in place of one of that name, which holds what the migrations make and no seeds. */
export function migratedDatabase(name: string): Promise<BuiltDatabase> {
  return buildPlatformDatabase(localStack().adminUrl, name, MIGRATED_DATABASE)
}

/** A client with the secret key. */
export function serviceClient(project: Project): Client {
  return createClient<EveryColumn>(project.apiUrl, project.secretKey, { auth: { persistSession: false } })
}

/** Connections that no test uses at the moment, by address: a new one costs more than most of what is asked. */
const unused = new Map<string, postgres.Sql[]>()

/** Connections of a worker at once: its share of the hundred that a project has, whose functions need theirs. */
const MOST_CONNECTIONS = 15
let inUse = 0
const waiting: (() => void)[] = []

/**
 * Runs statements as `postgres`, for what no API lets a test see or set, on a connection that nobody else has meanwhile;
 * waits for one while the worker has as many as it may have. The next test gets it as it is left: settings are to be made
 * `local` to a transaction.
 */
export async function withDatabase<Result>(
  { databaseUrl }: Project,
  use: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const connections = unused.get(databaseUrl) ?? []
  unused.set(databaseUrl, connections)
  if (inUse === MOST_CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve))
  else inUse++
  const sql = connections.pop() ?? postgres(databaseUrl, { max: 1, idle_timeout: 20, onnotice: () => {} })
  try {
    return await use(sql)
  } finally {
    connections.push(sql)
    const next = waiting.shift()
    if (next) next()
    else inUse--
  }
}
