import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePorts, type IsolateEvent } from 'local-supabase'
import postgres, { type Sql } from 'postgres'
import { startStack } from '../demo/stack.ts'
import type { ExportDetail } from '../functions/_shared/exports/requests.ts'
import { newStudent } from '../harness/factories/students.ts'
import { load, machineAfter, markdownTable, measuredOn, writeFigures } from '../harness/measuring/figures.ts'
import { type Project, serviceClient } from '../harness/stack/project.ts'

const HELP = `npm run bench:exports -- [options]

Exports a student with check-ins and their media on a local stack that limits isolates as a hosted project does. Prints a table and one
line of JSON. Exits with 1 when an isolate used more than 200 MB, was killed, or the export did not become ready.

  --check-ins N  check-ins of the student (200)
  --json         print the line of JSON alone
  --write        also write the figures into docs/benchmarks.md
  --help         this text`

const MAX_MEMORY_MB = 200

/** What a check-in of three minutes has: bytes of a recording, and of each of 8 images. */
const RECORDING_BYTES = 1_500_000
const IMAGE_BYTES = 120_000

/** Uploads under way at once. */
const UPLOADS = 8

const { values: options } = parseArgs({
  options: {
    'check-ins': { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const checkIns = Number(options['check-ins'])
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const loadBefore = load()
const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
const events: IsolateEvent[] = []
const stack = await startStack(
  { port, dbPort, inboxPort, dataDir: folder, reset: false, watch: false, durable: false },
  { progress: () => {}, log: () => {}, isolate: (event) => events.push(event) },
)
const project: Project = {
  apiUrl: stack.apiUrl,
  databaseUrl: stack.databaseUrl,
  publishableKey: stack.keys.publishable,
  secretKey: stack.keys.secret,
  local: null,
}
let figures: Record<string, number>
try {
  const student = await newStudent(project, [])
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  const ids = await addCheckIns(sql, student.id, checkIns)
  await sql.end()
  await addMedia(project, student.id, ids)
  const began = performance.now()
  let exported = await privacyCall(student, 'POST', 'exports', {})
  while (exported.status === 'queued' || exported.status === 'building') {
    await pause(2000)
    exported = await privacyCall(student, 'GET', `exports/${exported.id}`)
  }
  if (exported.status !== 'ready') throw new Error(`The export is ${exported.status} ${exported.error_code}`)
  const seconds = (performance.now() - began) / 1000
  const { volumes } = exported
  figures = figuresOf(seconds, volumes)
} finally {
  await stack.stop()
  rmSync(folder, { recursive: true, force: true })
}

const machine = machineAfter(loadBefore)
if (!options.json) console.table(figures)
console.log(JSON.stringify({ machine, figures }))
if (options.write) {
  const rows = Object.entries(figures).map(([what, value]) => [what, value])
  writeFigures('exports', `${measuredOn(machine)}.\n\n${markdownTable(['', ''], rows)}`)
}
const isOver = (figures['most memory of an isolate, MB'] ?? Infinity) > MAX_MEMORY_MB
process.exit(isOver || (figures['isolates killed'] ?? 1) > 0 ? 1 : 0)

function figuresOf(seconds: number, volumes: { bytes: number | null; content: string }[]) {
  const isolates = new Map<number, IsolateEvent>()
  for (const event of events) if (event.name === 'export-data') isolates.set(event.pid, event)
  const used = [...isolates.values()]
  const killed = used.filter(
    (event) => event.type === 'ended' && ['CPUTime', 'Memory', 'WallClockTime'].includes(event.reason),
  )
  const bytes = volumes.reduce((sum, volume) => sum + (volume.bytes ?? 0), 0)
  const cpuS = used.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000
  return {
    'check-ins': checkIns,
    volumes: volumes.length,
    'all volumes, MB': Math.round(bytes / 1e6),
    'largest volume, MB': Math.round(Math.max(...volumes.map((volume) => volume.bytes ?? 0)) / 1e6),
    isolates: used.length,
    'isolates killed': killed.length,
    'most memory of an isolate, MB': Math.max(...used.map(({ memoryMb }) => memoryMb)),
    'CPU of all, s': Number(cpuS.toFixed(2)),
    'CPU for a volume, s': Number((cpuS / volumes.length).toFixed(2)),
    'ready after, s': Math.round(seconds),
  }
}

async function privacyCall(
  { token }: { token: string },
  method: string,
  path: string,
  body?: object,
): Promise<ExportDetail> {
  const response = await fetch(`${project.apiUrl}/functions/v1/api/privacy/${path}`, {
    method,
    headers: {
      apikey: project.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    body: body === undefined ? null : JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}`)
  return response.json()
}

/** Check-ins with every analysis, one a day; their ids. */
async function addCheckIns(sql: Sql, student: string, count: number): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    insert into checkin.check_ins (user_id, type, status, progress, submissions, risk_level, created_at, submitted_at, completed_at)
    select ${student}, 'daily', 'complete', 1, 1, 'none', now() - n * interval '1 day', now() - n * interval '1 day',
      now() - n * interval '1 day'
    from generate_series(1, ${count}) as n
    returning id`
  for (const modality of ['audio', 'visual', 'text']) await addAnalyses(sql, student, modality)
  await sql`
    insert into checkin.fusion_results (
      check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes, drivers_positive,
      drivers_negative, drivers, components, baseline, algorithm_version
    )
    select id, user_id, 61.25, 0.31, 'same', 'low', 'none', 'About as usual for you.', '{sleep,exams}', '{an easy pace of speech}',
      '{fewer plans}', '[]', '[]', '{}', 'wb-1.1.0'
    from checkin.check_ins where user_id = ${student}`
  await sql`
    insert into private.check_in_inputs (check_in_id, transcript, mood_score)
    select id, repeat('I slept well and I feel calm about the week. ', 60), 6 from checkin.check_ins where user_id = ${student}`
  return rows.map(({ id }) => id)
}

/** A row for each check-in with a value in each column of a feature. */
async function addAnalyses(sql: Sql, student: string, modality: string): Promise<void> {
  const table = `checkin.${modality}_analysis`
  const columns = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and atttypid = 'double precision'::regtype
      and attname not in ('quality', 'stated_mood')`
  const names = columns.map(({ name }) => name).join(', ')
  const values = columns.map(() => '0.123456789012345').join(', ')
  await sql.unsafe(
    `insert into ${table} (check_in_id, user_id, quality, ${names}) select id, user_id, 0.8, ${values} from checkin.check_ins where user_id = $1`,
    [student],
  )
}

async function addMedia(target: Project, student: string, ids: readonly string[]): Promise<void> {
  const { storage } = serviceClient(target)
  const objects = ids.flatMap((id) => [
    {
      bucket: 'check-in-media',
      path: `${student}/${id}/audio`,
      bytes: RECORDING_BYTES,
      contentType: 'audio/mp4',
    },
    ...Array.from({ length: 8 }, (_, index) => ({
      bucket: 'check-in-images',
      path: `${student}/${id}/image-0${index + 1}`,
      bytes: IMAGE_BYTES,
      contentType: 'image/jpeg',
    })),
  ])
  await Promise.all(
    Array.from({ length: UPLOADS }, async () => {
      for (let object = objects.pop(); object; object = objects.pop()) {
        const { bucket, path, bytes, contentType } = object
        const { error } = await storage
          .from(bucket)
          .upload(path, new Uint8Array(randomBytes(bytes)), { contentType })
        if (error) throw error
      }
    }),
  )
}
