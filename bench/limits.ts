import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePorts } from 'local-supabase'
import postgres from 'postgres'
import { startStack } from '../demo/stack.ts'
import { newStudent, type Student } from '../harness/factories/students.ts'
import {
  load,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  writeFigures,
} from '../harness/measuring/figures.ts'
import type { Project } from '../harness/stack/project.ts'

const HELP = `npm run bench:limits -- [options]

Measures what the rate limits add to requests of REST: a read, a write, and one that adds ten rows, each with the limits and without
them, alternately. Prints a table and one line of JSON. Exits with 1 when a read takes more than half as long again.

  --rounds N  how often each is measured (10)
  --write     also write the figures into docs/benchmarks.md
  --help      this text`

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
})
if (options.help) {
  console.log(HELP)
  process.exit()
}
const rounds = Number(options.rounds)
if (!(rounds > 0)) throw new Error('--rounds takes a number')

/** A person's of one round: fewer than the limits refuse. */
const REQUESTS = 20
const BULK_REQUESTS = 4
const MOST = 1.5

/** The same functions, which limit nothing. */
const WITHOUT_LIMIT = `
  create or replace function private.limit_direct_request(account uuid, writes boolean) returns jsonb
  language plpgsql set search_path = '' as $$ begin return null; end $$`
const WITHOUT_BULK_LIMIT = `
  create or replace function private.count_bulk() returns trigger
  language plpgsql security definer set search_path = '' as $$ begin return null; end $$`

const loadBefore = load()
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
const stack = await startStack(
  { port, dbPort, inboxPort, dataDir, reset: false, watch: false },
  { progress: () => {}, log: () => {} },
)
const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {} })
try {
  const { keys, ...rest } = stack
  const project: Project = {
    ...rest,
    publishableKey: keys.publishable,
    secretKey: keys.secret,
    local: null,
  }
  const [limiting] = await sql<[{ limit_request: string; limit_bulk: string }]>`
    select
      pg_get_functiondef('private.limit_direct_request'::regproc) as limit_request,
      pg_get_functiondef('private.count_bulk'::regproc) as limit_bulk`
  const ways: Record<string, (student: Student) => Promise<number[]>> = {
    'a read': ({ client }) => timesOf(REQUESTS, () => client.from('profiles').select('user_id')),
    'a write': ({ id, client }) =>
      timesOf(REQUESTS, () => client.from('profiles').update({ first_name: 'Ada' }).eq('user_id', id)),
    'ten rows added': ({ client }) =>
      timesOf(BULK_REQUESTS, () =>
        client.from('assessment_sessions').insert(Array(10).fill({ assessment_type: 'daily' })),
      ),
  }
  const found = Object.fromEntries(
    Object.keys(ways).map((name) => [name, { without: [] as number[], with: [] as number[] }]),
  )
  for (let round = -1; round < rounds; round++) {
    for (const limited of [false, true]) {
      await sql.unsafe(limited ? limiting.limit_request : WITHOUT_LIMIT)
      await sql.unsafe(limited ? limiting.limit_bulk : WITHOUT_BULK_LIMIT)
      const student = await newStudent(project, [])
      for (const [name, measure] of Object.entries(ways)) {
        const times = await measure(student)
        // The first round starts what is started once.
        if (round >= 0) found[name]?.[limited ? 'with' : 'without'].push(...times)
      }
    }
  }
  const figures = Object.entries(found).map(([name, times]) => {
    const [without, with_] = [median(times.without), median(times.with)]
    return { name, without, with: with_, ratio: with_ / without }
  })
  const machine = machineAfter(loadBefore)
  const text = [
    `${measuredOn(machine)}, ${rounds} rounds. Medians, ms.`,
    markdownTable(
      ['REST', 'Without limits', 'With limits', 'Ratio'],
      figures.map((row) => [row.name, row.without.toFixed(2), row.with.toFixed(2), row.ratio.toFixed(2)]),
    ),
  ].join('\n\n')
  console.log(text)
  console.log(JSON.stringify({ rounds, machine, figures }))
  if (options.write) writeFigures('limits', text)
  const ratio = figures[0]?.ratio ?? Number.NaN
  if (!(ratio < MOST)) {
    console.error(`Over its bar: a read takes ${ratio.toFixed(2)} times as long, less than ${MOST} allowed`)
    process.exitCode = 1
  }
} finally {
  await sql.end()
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Times of requests one after the other, ms. Throws where one fails. */
async function timesOf(
  times: number,
  run: () => PromiseLike<{ error: { message: string } | null }>,
): Promise<number[]> {
  const taken: number[] = []
  for (let made = 0; made < times; made++) {
    const began = performance.now()
    const { error } = await run()
    taken.push(performance.now() - began)
    if (error) throw new Error(error.message)
  }
  return taken
}
