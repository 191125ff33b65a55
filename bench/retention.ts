import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import postgres, { type Sql } from 'postgres'
import {
  load,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  percentile,
  writeFigures,
} from '../harness/measuring/figures.ts'
import { startSeededStack } from './data/seeded-stack.ts'

/**
 * `npm run bench:retention`: what retention has to do in a day, with check-ins being submitted beside it. Every student's
 * check-in of 30, 90 days and 3 years ago comes to its term at once, with media, transcript, features and score, and so do
 * messages and counters. Exits with 1 when it takes over 5 minutes, leaves anything, or a submission waits for it over a
 * second. `--keep DIR` keeps the seeded database for the next run; `--write` puts the figures into docs/benchmarks.md.
 */
const { values: options } = parseArgs({
  options: {
    students: { type: 'string', default: '20000' },
    keep: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const students = Number(options.students)
if (!students) throw new Error('--students takes a number')

const LIMIT_S = 300
const LONGEST_WAIT_MS = 1000
const IMAGES = 10

const folder = options.keep ? resolve(options.keep) : mkdtempSync(join(tmpdir(), 'bench-retention-'))
const dataDir = join(folder, 'retention')
mkdirSync(dataDir, { recursive: true })
const progress = (line: string) => process.stderr.write(`${line}\n`)
const { stack } = await startSeededStack(dataDir, { students, days: 1, progress })
const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
const beside = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
try {
  // Neither cron nor the workers: only retention and the submissions are measured.
  await sql`select cron.unschedule(jobname) from cron.job`
  await sql`delete from vault.secrets where name = 'functions_url'`
  await fill(sql)
  const alone = await submissions(beside, 200)
  const loadBefore = load()
  const began = performance.now()
  const working = retain(sql)
  let done = false
  working.finally(() => {
    done = true
  })
  const during: number[] = []
  while (!done) during.push(...(await submissions(beside, 1)))
  const { runs, deleted } = await working
  const seconds = (performance.now() - began) / 1000
  const left = await sql`select kind from private.purge_expired()`
  const machine = machineAfter(loadBefore)
  const report = {
    date: new Date().toISOString().slice(0, 10),
    machine,
    students,
    seconds: Math.round(seconds),
    runs: runs.length,
    longestRunMs: Math.round(Math.max(...runs)),
    deleted,
    submission: {
      alone: { median: median(alone), p99: percentile(alone, 0.99) },
      during: {
        n: during.length,
        median: median(during),
        p99: percentile(during, 0.99),
        max: Math.max(...during),
      },
    },
  }
  const ms = (value: number) => Math.round(value)
  const text = [
    `${measuredOn(machine)}; ` +
      `a day's work of ${students} students took ${report.seconds} s (limit ${LIMIT_S} s) in ${report.runs} runs, the longest ${report.longestRunMs} ms: ` +
      `${Object.entries(deleted)
        .map(([what, rows]) => `${rows} ${what}`)
        .join(', ')}.`,
    markdownTable(
      ['a check-in is submitted', 'median, ms', '99th percentile, ms', 'longest, ms'],
      [
        ['alone', ms(median(alone)), ms(percentile(alone, 0.99)), ms(Math.max(...alone))],
        [
          `beside retention, ${during.length} times`,
          ms(median(during)),
          ms(percentile(during, 0.99)),
          ms(Math.max(...during)),
        ],
      ],
    ),
  ].join('\n\n')
  console.log(text)
  console.log(JSON.stringify(report))
  if (options.write) writeFigures('retention', text)
  const over = [
    ...(seconds > LIMIT_S ? [`it took ${seconds} s`] : []),
    ...(Math.max(...during) > LONGEST_WAIT_MS + Math.max(...alone) ? ['a submission waited'] : []),
    ...(left.length > 0 ? ['something was left'] : []),
    ...((deleted.raw_media ?? 0) === students * (IMAGES + 1)
      ? []
      : ['not all media were queued for removal']),
  ]
  for (const line of over) console.error(`Over its limit: ${line}`)
  process.exitCode = over.length > 0 ? 1 : 0
} finally {
  await sql.end()
  await beside.end()
  await stack.stop()
  if (!options.keep) rmSync(folder, { recursive: true, force: true })
}

/** Repeats what cron runs until nothing is due; the time of each run, ms, and what was deleted. */
async function retain(sql: Sql): Promise<{ runs: number[]; deleted: Record<string, number> }> {
  const runs: number[] = []
  const deleted: Record<string, number> = {}
  for (;;) {
    const began = performance.now()
    const rows = await sql<
      { kind: string; deleted: number }[]
    >`select kind, deleted from private.purge_expired()`
    runs.push(performance.now() - began)
    if (rows.length === 0) return { runs, deleted }
    for (const row of rows) deleted[row.kind] = (deleted[row.kind] ?? 0) + row.deleted
  }
}

/** Submits new check-ins one after the other; the time of each, ms. */
async function submissions(sql: Sql, count: number): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < count; round += 1) {
    const [checkIn] = await sql<[{ id: string; user_id: string }]>`
      insert into checkin.check_ins (user_id, type)
      select user_id, 'daily' from public.students order by random() limit 1
      returning id, user_id`
    const media = {
      path: `${checkIn.user_id}/${checkIn.id}/audio`,
      kind: 'audio',
      ordinal: 0,
      etag: '1',
      bytes: 1,
      info: {},
    }
    const began = performance.now()
    await sql`
      select private.submit_check_in(
        ${checkIn.id}, ${checkIn.user_id}, ${sql.json({ transcript: 'I slept well.' })}, ${sql.json([media])},
        ${sql.json([
          { kind: 'audio_slice', ordinal: 0 },
          { kind: 'text', ordinal: 0 },
        ])}
      )`
    times.push(performance.now() - began)
  }
  return times
}

/** Gives every student what comes to its term on one day, and as much that does not. */
async function fill(sql: Sql): Promise<void> {
  await sql`
    create temporary table due as
    select gen_random_uuid() as id, s.user_id, a.age, now() - a.age as at
    from public.students s,
      unnest(array['1 day', '31 days', '91 days', '3 years 1 day']::interval[]) as a (age)`
  await sql`alter table checkin.check_ins disable trigger user`
  await sql`
    insert into checkin.check_ins (id, user_id, type, status, created_at, submitted_at, completed_at)
    select id, user_id, 'daily', 'complete', at, at, at from due`
  await sql`alter table checkin.check_ins enable trigger user`
  await sql`
    insert into private.check_in_inputs (check_in_id, transcript, created_at)
    select id, case when age < '1 year' then repeat('I slept well. ', 100) end, at from due`
  await sql`
    insert into private.check_in_media (check_in_id, path, kind, ordinal, etag, bytes, info, created_at)
    select id, user_id || '/' || id || '/' || case n when 0 then 'audio' else 'image-' || n end,
      case n when 0 then 'audio' else 'image' end, greatest(n - 1, 0), '1', 1, '{}', at
    from due, generate_series(0, ${IMAGES}::integer) n
    where age < '90 days'`
  await sql`
    insert into storage.objects (bucket_id, name, created_at)
    select case kind when 'audio' then 'check-in-media' else 'check-in-images' end, path, created_at from private.check_in_media`
  await sql`
    insert into checkin.fusion_results (
      check_in_id, user_id, score, uncertainty, direction_of_change, significance, risk_level, summary, themes,
      drivers_positive, drivers_negative, drivers, components, baseline, algorithm_version, created_at
    )
    select id, user_id, 50, 0.2, 'same', 'low', 'none', '', '{}', '{}', '{}', '[]', '[]', '{}', '1', at from due`
  await sql`
    insert into checkin.text_analysis (check_in_id, user_id, quality, themes, keywords, crisis_level, transcript_source, created_at)
    select id, user_id, 0.9, '{}', '{}', 'none', 'student', at from due`
  await sql`
    insert into private.outbox (channel, purpose, user_id, recipient, body, status, ended_at)
    select 'email', 'export', user_id, 'somebody@example.com', 'Hello', 'sent', now() - interval '31 days' from due where age < '2 days'`
  await sql`
    insert into realtime.messages (topic, extension, payload, event, private, inserted_at)
    select 'check-in:' || id, 'broadcast', '{}', 'progress', true, (now() - interval '4 days') at time zone 'UTC'
    from due, generate_series(1, 6)
    where age < '2 days'`
  await sql`
    insert into private.rate_limit_uses (subject, scope, used_at)
    select user_id, 'check-in-start', array[now() - interval '2 days'] from due where age < '2 days'
    on conflict do nothing`
  // As they would have, one by one.
  await sql`alter table public.consents disable trigger require_student`
  await sql`
    insert into public.consents (user_id, kind, version)
    select s.user_id, k, '2026-11' from public.students s, unnest('{audio,text}'::public.consent_kind[]) k
    on conflict do nothing`
  await sql`vacuum (analyze) checkin.check_ins, checkin.fusion_results, private.check_in_media, private.check_in_inputs`
  await sql`vacuum (analyze) private.outbox, private.rate_limit_uses, public.consents`
}
