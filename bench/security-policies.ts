import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePorts } from 'local-supabase'
import postgres from 'postgres'
import { startStack } from '../demo/stack.ts'
import { send } from '../harness/client/call.ts'
import { newStudent } from '../harness/factories/students.ts'
import {
  load,
  machineAfter,
  markdownTable,
  measuredOn,
  median,
  writeFigures,
} from '../harness/measuring/figures.ts'
import type { Project } from '../harness/stack/project.ts'

const HELP = `npm run bench:security-policies -- [options]

Measures what security policies add to a request: none, and as many as can be enabled, of which one logs the request, every
fourth looks for a text, and every tenth counts events over time. They are measured alternately. Prints a table and one line of JSON. Exits with 1 when the policies
add 2 ms of CPU time or more in the database.

  --rounds N  how often each is measured (5)
  --write     also write the figures into docs/benchmarks.md
  --help      this text`

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
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

/** As many as can be enabled. */
const POLICIES = 200
const MOST_MS = 2
const EVALUATIONS = 400
/** Fewer than the data API allows in a minute, and than the gateway's limit of concurrency lets through in a burst. */
const REQUESTS = 15
/** Of the clock in which Linux counts the CPU time of processes. */
const TICK_MS = 10

const loadBefore = load()
const dataDir = mkdtempSync(join(tmpdir(), 'bench-'))
const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
const stack = await startStack(
  { port, dbPort, inboxPort, dataDir, reset: false, watch: false },
  { progress: () => {}, log: () => {} },
)
const sql = postgres(stack.databaseUrl, { max: 1, onnotice: () => {}, prepare: false })
try {
  const { keys, ...rest } = stack
  const project: Project = {
    ...rest,
    publishableKey: keys.publishable,
    secretKey: keys.secret,
    local: null,
  }
  const student = await newStudent(project, [])
  await addPolicies()
  const ways: Record<string, () => Promise<number[]>> = {
    'in the database: CPU time of an evaluation': () => cpuOfEvaluations(student.id),
    'in the database: time of an evaluation': () => timesOf(EVALUATIONS, () => evaluate(student.id)),
    'REST: a read': () => timesOf(REQUESTS, () => student.client.from('profiles').select('user_id')),
    'REST: a write': () =>
      timesOf(REQUESTS, () =>
        student.client.from('profiles').update({ first_name: 'Ada' }).eq('user_id', student.id),
      ),
    'a call of a function': () =>
      timesOf(REQUESTS, async () => (await send(project, student.token, 'GET', 'api/universities')).text()),
  }
  const found = Object.fromEntries(
    Object.keys(ways).map((name) => [name, { without: [] as number[], with: [] as number[] }]),
  )
  for (let round = -1; round < rounds; round++) {
    for (const enabled of [false, true]) {
      await sql`update public.security_policies set enabled = ${enabled} where name like 'Benchmark %'`
      await sql`delete from private.rate_limit_uses`
      for (const [name, measure] of Object.entries(ways)) {
        const times = await measure()
        // The first round starts what is started once.
        if (round >= 0) found[name]?.[enabled ? 'with' : 'without'].push(...times)
      }
    }
  }
  const figures = Object.entries(found).map(([name, times]) => {
    const [without, with_] = [median(times.without), median(times.with)]
    return { name, without, with: with_, added: with_ - without }
  })
  const machine = machineAfter(loadBefore)
  const text = [
    `${measuredOn(machine)}, ${rounds} rounds. Medians, ms.`,
    markdownTable(
      ['What', 'No policy', `${POLICIES} policies`, 'Added'],
      figures.map((row) => [row.name, row.without.toFixed(2), row.with.toFixed(2), row.added.toFixed(2)]),
    ),
  ].join('\n\n')
  console.log(text)
  console.log(JSON.stringify({ rounds, machine, figures }))
  if (options.write) writeFigures('security-policies', text)
  const added = figures[0]?.added ?? Number.NaN
  if (!(added < MOST_MS)) {
    console.error(
      `Over its bar: policies add ${added.toFixed(2)} ms of CPU time, less than ${MOST_MS} allowed`,
    )
    process.exitCode = 1
  }
} finally {
  await sql.end()
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Policies of usual size, of which one applies to every request. */
async function addPolicies(): Promise<void> {
  for (let number = 1; number <= POLICIES; number++) {
    const usual = [
      { field: 'address', op: 'not_in', value: [`10.${number}.0.0/16`, '198.51.100.0/24'] },
      {
        any: [
          { field: 'path', op: 'starts_with', value: '/api/nowhere' },
          {
            field: 'user_agent',
            op: number % 4 === 0 ? 'contains' : 'starts_with',
            value: `robot ${number}`,
          },
        ],
      },
      { not: { field: 'role', op: 'in', value: ['counselor', 'university_admin'] } },
    ]
    const counted =
      number % 10 === 0 ? [{ count: number, of: 'sign_in_failed', by: 'account', within: 60 * number }] : []
    const conditions =
      number === 1 ? { field: 'signed_in', op: 'eq', value: true } : { all: [...counted, ...usual] }
    await sql`
      insert into public.security_policies (name, category, type, conditions, actions, priority, enabled)
      values (
        ${`Benchmark ${number}`}, 'monitoring', 'detective', ${JSON.stringify(conditions)}::text::jsonb,
        '[{"action": "log_events"}]', ${number}, false
      )`
  }
}

async function evaluate(account: string): Promise<void> {
  await sql`select private.enforce_on_function(${account}, null, '203.0.113.7', 'GET', '/api/universities', 'a browser')`
}

/** CPU time of the database for each of many evaluations, ms. */
async function cpuOfEvaluations(account: string): Promise<number[]> {
  const [{ pid }] = await sql<[{ pid: number }]>`select pg_backend_pid() as pid`
  const before = ticksOf(pid)
  for (let made = 0; made < EVALUATIONS; made++) await evaluate(account)
  return [((ticksOf(pid) - before) * TICK_MS) / EVALUATIONS]
}

/** CPU time of a process, in ticks: fields 14 and 15 of proc_pid_stat(5), of which the second is a name in brackets. */
function ticksOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

async function timesOf(times: number, run: () => PromiseLike<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let made = 0; made < times; made++) {
    const began = performance.now()
    await run()
    taken.push(performance.now() - began)
  }
  return taken
}
