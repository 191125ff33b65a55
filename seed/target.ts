import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import postgres, { type Sql } from 'postgres'
import type { University } from './people.ts'

const LOCAL = new Set(['127.0.0.1', 'localhost', '::1', '[::1]'])

type Target = { databaseUrl: string | null; dataDir: string; yes: boolean }

/** Opens the database to seed. Throws an error that says what to do when there is none, or when it is not local. */
export function openTarget({ databaseUrl, dataDir, yes }: Target): Sql {
  const url = databaseUrl ?? urlOfStack(dataDir)
  const { hostname } = readUrl(url)
  if (!LOCAL.has(hostname) && !yes) {
    throw new Error(
      `The database is on ${hostname}, not on this machine. Demonstration accounts with a known password would be created there; add --yes if that is what you want.`,
    )
  }
  return postgres(url, {
    max: 1,
    onnotice: () => {},
    connect_timeout: 10,
    connection: { application_name: 'seed', statement_timeout: 0, idle_in_transaction_session_timeout: 0 },
  })
}

/** Throws an error that says what to do when the database cannot be seeded. */
export async function requireReady(sql: Sql, universities: readonly University[]): Promise<void> {
  const migrated = await hasSchema(sql)
  if (!migrated) {
    throw new Error('The database lacks tables of this project. Push the migrations first: supabase db push.')
  }
  const there = await sql<{ id: string }[]>`
    select id from public.universities
    where id = any(${universities.map(({ id }) => id)}) or domain = any(${universities.map(({ domain }) => domain)})
    order by id`
  if (there.length > 0) {
    throw new Error(
      `The database already holds this seed: ${there.map(({ id }) => id).join(', ')} exists. Use another --seed, or start over with: npm start -- --reset`,
    )
  }
}

/** `until`, or the last day that is over at all universities by the database's clock. Throws when `until` is later than that. */
export async function lastDay(
  sql: Sql,
  until: string | null,
  universities: readonly University[],
): Promise<string> {
  const zones = universities.map(({ timeZone }) => timeZone)
  const [row] = await sql<{ yesterday: string }[]>`
    select (min((now() at time zone zone)::date) - 1)::text as yesterday from unnest(${zones}::text[]) as zone`
  const yesterday = row?.yesterday ?? ''
  if (until !== null && until > yesterday) {
    throw new Error(`--until takes a day that is over, at the latest ${yesterday}, not ${until}`)
  }
  return until ?? yesterday
}

async function hasSchema(sql: Sql): Promise<boolean> {
  try {
    const [row] = await sql<{ there: boolean }[]>`
      select to_regclass('private.student_days') is not null and to_regclass('checkin.check_ins') is not null as there`
    return row?.there === true
  } catch (error) {
    const reason = error instanceof Error ? error.message || Reflect.get(error, 'code') : error
    throw new Error(`The database cannot be reached: ${reason}`, { cause: error })
  }
}

function urlOfStack(dataDir: string): string {
  const file = join(resolve(dataDir), 'stack.json')
  if (!existsSync(file)) {
    throw new Error(
      `No stack is running with ${dataDir}. Start one with: npm start. Or name a database: --database-url URL`,
    )
  }
  const description: { database_url: string } = JSON.parse(readFileSync(file, 'utf8'))
  return description.database_url
}

function readUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new Error(
      '--database-url takes an address such as postgresql://postgres:postgres@127.0.0.1:54322/postgres',
    )
  }
}
