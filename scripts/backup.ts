import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Sql } from 'postgres'
import { type Manifest, readConfirmedManifest, writeManifest } from './backup/manifest.ts'
import { differingObjects, dumpObjects, restoreObjects } from './backup/objects.ts'
import { differingTables, dumpRows, restoreRows } from './backup/rows.ts'
import { connectTo } from './database.ts'
import { ROOT } from './root.ts'

const HELP = `Backs up a project's rows and objects, and restores them into an empty project. docs/recovery.md

Usage:
  npm run backup -- create FOLDER     writes a backup into a new folder while the service runs on, and prints what confirms it
  npm run backup -- restore FOLDER --confirm HASH
                                      into a project with the same migrations and no accounts; leaves its cron jobs paused
  npm run backup -- objects FOLDER --confirm HASH
                                      after the platform's own restore of the database: uploads the objects that Storage lacks
  npm run backup -- open --erasures FILE | --without-erasures
                                      erases again who was erased after the backup, then lets the cron jobs run

  --confirm HASH       what create printed: a folder that somebody changed since is not restored
  --database-url URL   the database as the role postgres, directly or by the session pooler. Others can read a command line:
                       where the password counts, set SUPABASE_DB_URL instead
  --help               this text

SUPABASE_URL and SUPABASE_SECRET_KEY name the project's Storage. The folder holds health data and secrets: keep it encrypted.`

type Project = { sql: Sql; storage: SupabaseClient['storage'] }

/** `npm run backup`: exits with 1 when something is wrong, or differs. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'database-url': { type: 'string', default: process.env.SUPABASE_DB_URL },
      confirm: { type: 'string' },
      erasures: { type: 'string' },
      'without-erasures': { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  const [action = '', folder, ...others] = positionals
  const databaseUrl = values['database-url']
  const known =
    action === 'open' ? folder === undefined : ['create', 'restore', 'objects'].includes(action) && folder
  if (values.help || !known || !databaseUrl || others.length > 0) {
    console.log(HELP)
    if (!values.help) process.exitCode = 2
    return
  }
  const sql = connectTo(databaseUrl, 2)
  try {
    if (action === 'open') await open(sql, databaseUrl, values)
    else if (action === 'create') await create({ sql, storage: storageOfProject() }, folder ?? '')
    else {
      const manifest = readConfirmedManifest(folder ?? '', values.confirm)
      const put = action === 'restore' ? restore : restoreMissingObjects
      await put({ sql, storage: storageOfProject() }, folder ?? '', manifest)
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function create({ sql, storage }: Project, folder: string): Promise<void> {
  if (existsSync(join(folder, 'manifest.json'))) throw new Error(`${folder} has a backup already`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { objects: rows, ...database } = await dumpRows(sql, folder)
  const found = await dumpObjects(storage, folder, rows)
  const hash = writeManifest(folder, { format: 2, ...database, ...found })
  console.log(
    `As of ${database.taken_at}: ${database.tables.reduce((sum, table) => sum + table.rows, 0)} rows of ${database.tables.length} tables, ${found.objects.length} objects`,
  )
  for (const name of found.without_content) console.log(`${name} has no content`)
  for (const name of found.unsafe_names)
    console.log(`${shown(name)} is not backed up: its name could lead elsewhere`)
  console.log(`Keep this where the backup is not, to restore it with: --confirm ${hash}`)
}

async function restore({ sql, storage }: Project, folder: string, manifest: Manifest): Promise<void> {
  // Nothing may change what is restored, or tell anybody anything, before the erased are erased again.
  await pauseCronJobs(sql)
  console.log(`${await restoreRows(sql, folder, manifest)} rows`)
  console.log(`${await restoreObjects(sql, storage, folder, manifest)} objects`)
  sayUnsafe(manifest)
  const wrong = [
    ...(await sql.begin('read only', (tx) => differingTables(tx, manifest))),
    ...(await differingObjects(sql, storage, manifest)),
  ]
  for (const line of wrong) console.error(line)
  if (wrong.length > 0) throw new Error(`${wrong.length} tables or objects differ`)
  console.log(`Everything is as of ${manifest.taken_at}. Cron jobs are paused: now npm run backup -- open`)
}

async function restoreMissingObjects(
  { sql, storage }: Project,
  folder: string,
  manifest: Manifest,
): Promise<void> {
  const rows = await sql<{ name: string }[]>`select bucket_id || '/' || name as name from storage.objects`
  const known = new Set(rows.map(({ name }) => name))
  const objects = manifest.objects.filter(({ bucket, name }) => known.has(`${bucket}/${name}`))
  console.log(`${await restoreObjects(sql, storage, folder, { ...manifest, objects })} objects`)
  sayUnsafe(manifest)
}

function sayUnsafe({ unsafe_names }: Manifest): void {
  for (const name of unsafe_names)
    console.log(`${shown(name)} is not restored: its name could lead elsewhere`)
}

/** A name that somebody chose, without what a terminal would obey. */
function shown(name: string): string {
  return JSON.stringify(name)
}

async function open(
  sql: Sql,
  databaseUrl: string,
  { erasures, 'without-erasures': without }: { erasures?: string; 'without-erasures': boolean },
): Promise<void> {
  if ((erasures === undefined) !== without) throw new Error('Give --erasures FILE, or --without-erasures')
  const script = join(ROOT, 'scripts', 'erasures.ts')
  const file = erasures === undefined ? [] : [erasures]
  // The address has the password in it: others can read a command line.
  execFileSync(process.execPath, [script, 'replay', ...file], {
    stdio: 'inherit',
    env: { ...process.env, SUPABASE_DB_URL: databaseUrl },
  })
  await sql`select cron.alter_job(jobid, active := true) from cron.job`
  console.log('Cron jobs run.')
}

/** Pauses them and waits until those that run have ended. */
async function pauseCronJobs(sql: Sql): Promise<void> {
  await sql`select cron.alter_job(jobid, active := false) from cron.job`
  for (;;) {
    const running =
      await sql`select from cron.job_run_details where status in ('starting', 'running') and start_time > now() - interval '1 hour'`
    if (running.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

function storageOfProject(): SupabaseClient['storage'] {
  const { SUPABASE_URL, SUPABASE_SECRET_KEY } = process.env
  if (!SUPABASE_URL || !SUPABASE_SECRET_KEY)
    throw new Error('SUPABASE_URL and SUPABASE_SECRET_KEY are not set')
  return createClient(SUPABASE_URL, SUPABASE_SECRET_KEY, { auth: { persistSession: false } }).storage
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
