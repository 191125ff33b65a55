import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import postgres, { type Sql } from 'postgres'
import {
  load,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  writeFigures,
} from '../harness/measuring/figures.ts'
import { startSeededStack } from './data/seeded-stack.ts'

/**
 * `npm run bench:audit`: what the audit triggers cost an update. Of each table, one row at a time is written again, in a transaction
 * of its own, with its triggers and without them in turns: as the edge functions do, by a function of the database. Exits with 1 when
 * the median of a table that the service writes all day is over 1.25 times that without. `--write` puts the figures into
 * docs/benchmarks.md, `--students` and `--updates` say how many rows there are and how many updates of each kind.
 */
const { values: options } = parseArgs({
  options: {
    students: { type: 'string', default: '200' },
    updates: { type: 'string', default: '600' },
    write: { type: 'boolean', default: false },
  },
})
const students = Number(options.students)
const updates = Number(options.updates)
if (!students || !updates) throw new Error('--students and --updates take numbers')

const MOST_RATIO = 1.25
const ROUND = 50

/** The ten tables that a check-in, its messages and a student's choices write most; the column that is written again. */
const TABLES = {
  'checkin.check_ins': 'progress',
  'private.analysis_jobs': 'attempts',
  'checkin.audio_analysis': 'user_id',
  'checkin.visual_analysis': 'user_id',
  'checkin.text_analysis': 'user_id',
  'checkin.fusion_results': 'user_id',
  'checkin.user_baselines': 'user_id',
  'private.outbox': 'attempts',
  'public.students': 'residence',
  'public.consents': 'version',
}

const folder = mkdtempSync(join(tmpdir(), 'bench-audit-'))
const { stack } = await startSeededStack(join(folder, 'stack'), {
  students,
  days: 14,
  progress: (line) => process.stderr.write(`${line}\n`),
})
const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
const service = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
try {
  // Neither cron nor the workers: only the updates are measured.
  await sql`select cron.unschedule(jobname) from cron.job`
  await sql`delete from vault.secrets where name = 'functions_url'`
  await fill(sql)
  const loadBefore = load()
  const rows: [string, 'all' | 'by_hand', number, number, number][] = []
  const over: string[] = []
  for (const [relation, column] of Object.entries(TABLES)) {
    const changes = await prepare(sql, relation, column)
    const on: number[] = []
    const off: number[] = []
    for (let round = 0; round < updates / ROUND; round += 1) {
      await sql.unsafe(`alter table ${relation} disable trigger audit_update`)
      off.push(...(await time(service, ROUND)))
      await sql.unsafe(`alter table ${relation} enable trigger audit_update`)
      on.push(...(await time(service, ROUND)))
    }
    const ratio = median(on) / median(off)
    rows.push([relation, changes, median(off), median(on), ratio])
    if (changes === 'by_hand' && ratio > MOST_RATIO) over.push(`${relation}: ${ratio.toFixed(2)}`)
  }
  const machine = machineAfter(loadBefore)
  const text = [
    `${measuredOn(machine)}, ${updates} updates of each kind.`,
    markdownTable(
      ['table', 'logged', 'median without, ms', 'median with, ms', 'ratio'],
      rows.map(([relation, changes, off, on, ratio]) => [
        `\`${relation}\``,
        changes === 'all' ? 'all changes' : 'by hand',
        off.toFixed(2),
        on.toFixed(2),
        ratio.toFixed(2),
      ]),
    ),
  ].join('\n\n')
  console.log(text)
  console.log(JSON.stringify({ machine, rows }))
  if (options.write) writeFigures('audit', text)
  for (const line of over) console.error(`Over its limit: ${line}`)
  process.exitCode = over.length > 0 ? 1 : 0
} finally {
  await Promise.all([sql.end(), service.end()])
  await stack.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Adds what the demonstration data lacks: analyses, jobs and messages. */
async function fill(sql: Sql): Promise<void> {
  await sql`
    insert into private.outbox (channel, purpose, recipient, body, status, ended_at)
    select 'email', 'training_reminder', 'somebody@northfield.example.edu', 'text', 'dead', now() from public.students`
  await sql`
    insert into private.analysis_jobs (check_in_id, kind, status)
    select id, 'fusion', 'done' from checkin.check_ins limit ${students}`
  for (const modality of ['audio', 'visual', 'text'])
    await sql.unsafe(`
      insert into checkin.${modality}_analysis (check_in_id, user_id, quality)
      select id, user_id, 0.9 from checkin.check_ins limit ${students}`)
}

/** A function that writes a random row of that table again, as the service's own functions write: with its owner's rights. */
async function prepare(sql: Sql, relation: string, column: string): Promise<'all' | 'by_hand'> {
  const [audited] = await sql<[{ key_column: string; changes: 'all' | 'by_hand' }]>`
    select key_column, changes from private.audited_tables where relation = ${relation}`
  await sql.unsafe(`
    create table if not exists public.written_again (place integer primary key, id uuid);
    truncate public.written_again;
    insert into public.written_again select row_number() over (), ${audited.key_column} from ${relation} limit ${students};
    create or replace function private.write_again() returns void
    language plpgsql security definer set search_path = '' as $$
    declare
      next constant integer := 1 + floor(random() * (select count(*) from public.written_again));
    begin
      update ${relation} set ${column} = ${column}
      where ${audited.key_column} = (select id from public.written_again where place = next);
    end
    $$`)
  return audited.changes
}

/** The time of each of so many updates, ms. */
async function time(service: Sql, count: number): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done += 1) {
    const began = performance.now()
    await service`select private.write_again()`
    times.push(performance.now() - began)
  }
  return times
}
