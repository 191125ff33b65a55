import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { checkIn, type Recording } from '../../demo/mobile-client.ts'
import { PASSWORD } from '../../harness/factories/accounts.ts'
import {
  hasEnded,
  type KnownStudent,
  makeFinal,
  newKnownStudent,
  tablesWith,
} from '../../harness/factories/erasure.ts'
import { readExport, requestExport } from '../../harness/factories/exports.ts'
import { newStudent, type Student } from '../../harness/factories/students.ts'
import { demonstrationRecording } from '../../harness/factories/whole-check-ins.ts'
import { type OwnStack, startOwnStack } from '../../harness/stack/own-stack.ts'
import { readManifest } from '../../scripts/backup/manifest.ts'
import { differences } from '../../scripts/backup/tables.ts'
import { ROOT } from '../../scripts/root.ts'
import { seedDatabase } from '../../seed/seed.ts'
import { inventoryOf } from './inventory.ts'

const run = promisify(execFile)

/** How many people and days the lost project had beside those whom the drill knows. */
export type DrillSize = { students: number; days: number }

/** What the drill showed. */
export type DrillResult = {
  rows: number
  tables: number
  objects: number
  /** Tables, secrets and objects that are not as they were when the backup was made. */
  different: string[]
  /** What is left of people who were erased, by store: nothing, unless somebody returned. */
  returned: string[]
  /** Whether a student who was in the backup signs in, reads the result of before, and gets a new one. */
  works: boolean
  /** Scheduled jobs whose failures would not be counted, because what was observed of cron is of the lost project's runs. */
  unobserved: string[]
  /** Accounts that were made after the backup, and so are lost. */
  lostAccounts: number
  seconds: { backup: number; emptyProject: number; restore: number; open: number; erasedAgain: number }
}

/**
 * Loses a project and restores it: a stack with data, a backup of its rows and objects by `npm run backup`, an erasure and a sign-up
 * after it, the loss of everything, an empty stack, the restore, and the erasures again.
 */
export async function drill(
  { students, days }: DrillSize,
  progress: (line: string) => void,
): Promise<DrillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'drill-'))
  const backup = join(folder, 'backup')
  const erasures = join(folder, 'erasures.json')
  let stack: OwnStack | undefined
  try {
    progress('A project with data')
    stack = await startOwnStack()
    const lost = stack
    const recording = await demonstrationRecording(folder)
    const plan = { students, days, universities: 2, participation: 0.8, until: null, seed: '1' }
    await withSql(lost, (sql) => seedDatabase(sql, plan, () => {}))
    const kept = await newStudent(lost)
    const scored = await checkIn(kept.client, recording, () => {})
    await kept.client.removeAllChannels()
    await readyExport(lost, kept)
    const erasedBefore = await newKnownStudent(lost)
    await erase(lost, erasedBefore)
    const erasedAfter = await newKnownStudent(lost)

    progress('The backup')
    await pauseCron(lost, true)
    // As if it had run for months.
    await withSql(lost, (sql) => sql`update private.cron_heartbeats set last_run_id = last_run_id + 10000000`)
    const { before, backupS, hash } = await backUpUnchanged(lost, backup)
    await pauseCron(lost, false)
    const manifest = readManifest(backup)

    progress('After the backup: one person is erased, another signs up')
    await erase(lost, erasedAfter)
    const late = await newStudent(lost, [])
    const { stdout } = await script('erasures.ts', ['export'], lost)
    writeFileSync(erasures, stdout)

    progress('Everything is lost')
    await lost.stop()
    stack = undefined

    progress('An empty project')
    const [emptyS, restored] = await timed(() => startOwnStack())
    stack = restored
    const [restoreS] = await timed(() => backupCommand(restored, 'restore', backup, '--confirm', hash))
    const different = differences(before, await withSql(restored, inventoryOf))

    progress('The erased are erased again')
    const [openS] = await timed(() => backupCommand(restored, 'open', '--erasures', erasures))
    const needles = [...erasedBefore.needles, ...erasedAfter.needles]
    const [erasedS, returned] = await timed(() => leftOf(restored, needles))

    const unobserved = await unobservedJobs(restored)

    progress('The service goes on')
    const works = await goesOn(restored, kept, scored.result?.score, recording).catch((error) => {
      progress(error instanceof Error ? error.message : String(error))
      return false
    })
    const lostAccounts = await withSql(restored, async (sql) => {
      const known = await sql`select from auth.users where id = ${late.id}`
      return 1 - known.length
    })
    return {
      rows: manifest.tables.reduce((sum, table) => sum + table.rows, 0),
      tables: manifest.tables.length,
      objects: manifest.objects.length,
      ...{ different, returned, works, unobserved, lostAccounts },
      seconds: {
        backup: backupS,
        emptyProject: emptyS,
        restore: restoreS,
        open: openS,
        erasedAgain: erasedS,
      },
    }
  } finally {
    await stack?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A backup before and after which the database is the same: a worker that sends a message may still end meanwhile. */
async function backUpUnchanged(project: OwnStack, folder: string) {
  for (;;) {
    const before = await withSql(project, inventoryOf)
    const [backupS, { stdout }] = await timed(() => backupCommand(project, 'create', folder))
    const [hash = ''] = stdout.match(/[0-9a-f]{64}$/m) ?? []
    if (differences(before, await withSql(project, inventoryOf)).length === 0)
      return { before, backupS, hash }
    rmSync(folder, { recursive: true })
  }
}

/** Erases somebody as the service does when their 72 hours are over, the files included. */
async function erase(project: OwnStack, { id }: KnownStudent): Promise<void> {
  await withSql(project, (sql) => sql`select private.request_erasure(${id})`)
  await makeFinal(project, id)
  await until('the erasure has ended', () => hasEnded(project, id))
}

async function readyExport(project: OwnStack, student: Student): Promise<void> {
  const id = await requestExport(project, student)
  await until('the export is ready', async () => (await readExport(project, student, id)).status === 'ready')
}

/** What is found of somebody once the cron jobs have had their time; stores by name. */
async function leftOf(project: OwnStack, needles: string[]): Promise<string[]> {
  let found: string[] = []
  await until('nothing is left of the erased', async () => {
    found = await tablesWith(project, needles)
    return found.length === 0
  }).catch(() => {})
  return found
}

/** Jobs whose last observed run is later than any that cron has recorded, once cron was observed again. */
async function unobservedJobs(project: OwnStack): Promise<string[]> {
  return withSql(project, async (sql) => {
    const [{ now }] = await sql<[{ now: Date }]>`select now()`
    await until('cron was observed', async () => {
      const seen = await sql`select from private.cron_heartbeats where observed_at > ${now}`
      return seen.length > 0
    })
    const rows = await sql<{ job: string }[]>`
      select job from private.cron_heartbeats
      where last_run_id > (select max(runid) from cron.job_run_details) order by job`
    return rows.map(({ job }) => job)
  })
}

async function goesOn(
  project: OwnStack,
  student: Student,
  score: number | undefined,
  recording: Recording,
): Promise<boolean> {
  const client = createClient(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword({ email: student.email, password: PASSWORD })
  if (error) throw error
  const { data } = await client.schema('checkin').from('fusion_results').select('score')
  const next = await checkIn(client, recording, () => {})
  await client.removeAllChannels()
  return score !== undefined && data?.length === 1 && data[0]?.score === score && next.result !== undefined
}

/** Pauses the cron jobs and waits for quiet, so that two looks at the database see the same; or lets them run. */
async function pauseCron(project: OwnStack, paused: boolean): Promise<void> {
  await withSql(project, async (sql) => {
    await sql`select cron.alter_job(jobid, active := ${!paused}) from cron.job`
    await until('nothing runs', async () => {
      if (!paused) return true
      const running = await sql`select from cron.job_run_details where status = 'running'`
      const jobs = await sql`select from private.analysis_jobs where status = 'running'`
      return running.length + jobs.length === 0
    })
  })
}

function backupCommand(project: OwnStack, ...args: string[]) {
  return script('backup.ts', args, project)
}

/** Runs one of the operator's commands on a project. */
function script(name: string, args: string[], { databaseUrl, apiUrl, secretKey }: OwnStack) {
  return run(process.execPath, [join(ROOT, 'scripts', name), ...args, '--database-url', databaseUrl], {
    env: { ...process.env, SUPABASE_URL: apiUrl, SUPABASE_SECRET_KEY: secretKey },
  })
}

async function withSql<Result>(
  { databaseUrl }: OwnStack,
  use: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(databaseUrl, { max: 2, onnotice: () => {} })
  try {
    return await use(sql)
  } finally {
    await sql.end()
  }
}

/** Waits until something holds. Throws what it waited for after five minutes. */
async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const began = performance.now(); performance.now() - began < 300_000; await pause(200)) {
    if (await holds()) return
  }
  throw new Error(`Waited in vain until ${what}`)
}

async function timed<Result>(work: () => Promise<Result>): Promise<[number, Result]> {
  const began = performance.now()
  const result = await work()
  return [Math.round((performance.now() - began) / 100) / 10, result]
}
