import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FAMILIES } from '../../functions/_shared/metrics/families.ts'
import { ROOT } from '../../scripts/root.ts'
import { call, send } from '../client/call.ts'
import { newStudent } from '../factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../stack/own-stack.ts'
import { promtool, promtoolOn, withPromtool } from '../stack/promtool.ts'
import { type Database, FAULTS } from './metrics-faults.ts'

const TOKEN = 'invented-token-of-the-metrics-0123456789'
const TOKEN_BEFORE = 'invented-token-of-before-0123456789-abcdef'
const RULES = join(ROOT, 'monitoring', 'prometheus', 'rules.yml')

let project: ConfiguredStack
let database: Database
/** As the superuser, with what triggers do. */
let admin: postgres.Sql

/** A stack whose cron stands still, so that nothing but the test changes what is measured. */
beforeAll(async () => {
  project = await startConfiguredStack({ METRICS_TOKEN: TOKEN, METRICS_TOKEN_PREVIOUS: TOKEN_BEFORE })
  const { adminUrl } = project.local
  const connection = { session_replication_role: 'replica' }
  const quiet = postgres(adminUrl, { max: 1, onnotice: () => {}, connection })
  admin = postgres(adminUrl, { max: 1, onnotice: () => {} })
  await admin`update cron.job set active = false`
  const student = await newStudent(project, [])
  const sql = postgres(project.databaseUrl, { max: 1, onnotice: () => {} })
  database = { sql, quiet, student: student.id, adminUrl }
  await everyJobSucceeded()
})

afterAll(async () => {
  await Promise.all([database.sql.end(), database.quiet.end(), admin.end()])
  await project.stop()
})

/** What cron's record and its observation are when all goes well; no job is active when others see it. */
const everyJobSucceeded = () =>
  admin.unsafe(`
    update cron.job set active = true;
    delete from cron.job_run_details;
    insert into cron.job_run_details (jobid, database, username, command, status, start_time, end_time)
    select jobid, database, username, command, 'succeeded', now(), now() from cron.job;
    select private.observe_cron_jobs(now());
    update cron.job set active = false`)

/** The metrics as Prometheus gets them: values by series; null when they cannot be read. */
async function scrape(token = TOKEN): Promise<Map<string, string> | null> {
  const response = await send(project, token, 'GET', 'api/metrics')
  const text = await response.text()
  if (response.status !== 200) return null
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  )
}

describe('GET /api/metrics', () => {
  test('is nothing where no token is set', async () => {
    const { status, body } = await call(inject('project'), TOKEN, 'GET', 'api/metrics')
    expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' })
  })

  test.each([
    ['no token', null],
    ['another one', `${TOKEN.slice(0, -1)}0`],
    ['a longer one', `${TOKEN}0`],
  ])('is forbidden with %s', async (_, token) => {
    const response = await send(project, token, 'GET', 'api/metrics')
    const { code } = await response.json()
    expect({ status: response.status, code }).toEqual({ status: 403, code: 'forbidden' })
  })

  test('is read with the token of before too, while it is replaced', async () => {
    expect((await send(project, TOKEN_BEFORE, 'GET', 'api/metrics')).status).toBe(200)
  })

  test('is Prometheus’ text, with every family that is described and no other', async () => {
    const response = await send(project, TOKEN, 'GET', 'api/metrics')
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    const text = await response.text()
    const typed = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)
    expect(typed.sort()).toEqual(Object.keys(FAMILIES).sort())
    const helped = [...text.matchAll(/^# HELP (\w+) /gm)].map(([, name]) => name)
    expect(helped.sort()).toEqual(typed)
    const shown = [...text.matchAll(/^(wellbeing_check_in_duration_seconds(?=_)|\w+)/gm)].map(
      ([, name]) => name,
    )
    expect([...new Set(shown)].sort()).toEqual(typed)
  })

  test('satisfies Prometheus’ own check', withPromtool, async () => {
    const text = await (await send(project, TOKEN, 'GET', 'api/metrics')).text()
    expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' })
  })

  test('names nobody, and no university', async () => {
    const text = await (await send(project, TOKEN, 'GET', 'api/metrics')).text()
    const rows = await database.sql<{ id: string }[]>`
      select id::text from public.universities union all select id::text from auth.users`
    expect(rows.filter(({ id }) => text.includes(id))).toEqual([])
    const labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
    expect([...labels].sort()).toEqual([
      'channel',
      'cron_job',
      'kind',
      'le',
      'outcome',
      'reason',
      'risk_level',
      'scope',
      'state',
      'status',
      'worker',
    ])
  })

  test('counts check-ins by the time from submission to score', async () => {
    const series = 'wellbeing_check_in_duration_seconds'
    const count = async (name: string) => Number((await scrape())?.get(`${series}_${name}`))
    const measured = ['bucket{le="60"}', 'bucket{le="90"}', 'bucket{le="+Inf"}', 'count', 'sum']
    const before = await Promise.all(measured.map(count))
    await database.quiet`
      insert into checkin.check_ins (user_id, type, status, submissions, submitted_at)
      select ${database.student}, 'daily', 'processing', 1, now() - make_interval(secs => s)
      from unnest(array[59, 61, 7200]) s`
    await database.sql`
      update checkin.check_ins set status = 'complete', completed_at = now() where status = 'processing'`
    await database.quiet`delete from checkin.check_ins`
    const after = await Promise.all(measured.map(count))
    const increases = after.map((value, index) => Math.round(value - (before[index] ?? 0)))
    expect(increases.slice(0, 4)).toEqual([1, 2, 3, 3])
    expect(increases[4]).toBeGreaterThanOrEqual(7320)
  })
})

test('the heartbeat of a job that succeeded arrives', async () => {
  const requested: string[] = []
  const server = createServer((request, response) => {
    requested.push(`${request.method} ${request.url}`)
    response.end('OK')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const url = `http://127.0.0.1:${address.port}/key/{job}`
  await database.sql`select vault.create_secret(${url}, 'heartbeat_url')`
  await everyJobSucceeded()
  const jobs = await database.sql<{ jobname: string }[]>`select jobname from cron.job order by jobname`
  await expect
    .poll(() => [...requested].sort())
    .toEqual(jobs.map(({ jobname }) => `GET /key/${jobname}`).sort())
  await database.sql`delete from vault.secrets where name = 'heartbeat_url'`
  server.close()
})

describe('the alert rules', withPromtool, () => {
  test('are rules to Prometheus', async () => {
    expect(await promtool(['check', 'rules', RULES])).toMatchObject({ code: 0 })
  })

  test('each fire on their fault and on nothing else', async () => {
    const groups: object[] = []
    /** A stage that is well for ten minutes and then as it was found. */
    const add = (
      name: string,
      alert: string | null,
      well: Map<string, string>,
      found: Map<string, string> | null,
    ) => {
      const up = { series: 'up{job="wellbeing"}', values: `1x10 ${found ? 1 : 0}x30` }
      const series = [...new Set([...well.keys(), ...(found?.keys() ?? [])])].map((name) => {
        const before = well.get(name) ?? found?.get(name)
        return {
          series: name.replace(/^\w+$/, '$&{}').replace('{', '{job="wellbeing",').replace(',}', '}'),
          values: `${before}x10 ${found ? `${found.get(name) ?? before}x30` : '_x30'}`,
        }
      })
      groups.push({
        name,
        interval: '1m',
        input_series: [up, ...series],
        promql_expr_test: [
          {
            expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
            eval_time: '18m',
            exp_samples: alert ? [{ labels: `{alertname="${alert}"}`, value: 1 }] : [],
          },
        ],
      })
    }

    const scraped = async () => {
      const samples = await scrape()
      if (!samples) throw new Error('The metrics could not be read')
      return samples
    }
    const isCounter = (series: string) => /_(total|bucket|sum|count)(\{|$)/.test(series)
    await everyJobSucceeded()
    let well = await scraped()
    add('nothing', null, well, await scraped())
    for (const [name, { alert, inject, mend }] of Object.entries(FAULTS)) {
      await everyJobSucceeded()
      await inject(database)
      try {
        const found = await scraped()
        add(name, alert, well, found)
        // What is counted stays counted; the rest is mended.
        well = new Map(
          [...well].map(([series, value]) => [
            series,
            isCounter(series) ? (found.get(series) ?? value) : value,
          ]),
        )
      } finally {
        await mend(database)
      }
    }
    add('a token that is not the service’s', 'MetricsMissing', well, await scrape('another-token'))

    const rules = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
    const tested = ['MetricsMissing', ...Object.values(FAULTS).map(({ alert }) => alert)]
    expect(tested.sort()).toEqual(rules.sort())
    const result = await promtoolOn(['test', 'rules'], {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: groups,
    })
    expect(result.output).toMatch(/SUCCESS/)
    expect(result.code).toBe(0)
  })
})

test('the dashboard asks for metrics that there are, in Prometheus’ language', withPromtool, async () => {
  const dashboard = readFileSync(join(ROOT, 'monitoring', 'grafana', 'dashboard.json'), 'utf8')
  const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text]) =>
    String(JSON.parse(text ?? '""')),
  )
  const asked = new Set(expressions.flatMap((expression) => expression.match(/wellbeing_\w+/g) ?? []))
  const known = Object.keys(FAMILIES)
  expect(
    [...asked].filter(
      (name) => !known.includes(name.replace(/(duration_seconds)_(bucket|sum|count)$/, '$1')),
    ),
  ).toEqual([])
  const groups = [
    {
      name: 'dashboard',
      rules: expressions.map((expr, index) => ({
        record: `dashboard:${index}`.replace(/\d+/, (digits) => `panel_${digits}`),
        expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$stage', '.*'),
      })),
    },
  ]
  const result = await promtoolOn(['check', 'rules'], { groups })
  expect(result.output).toMatch(/SUCCESS/)
  expect(result.code).toBe(0)
})
