import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { FAMILIES } from '../../../functions/_shared/monitoring/families.ts'
import { call, send } from '../../../harness/client/call.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { type ConfiguredStack, startConfiguredStack } from '../../../harness/stack/own-stack.ts'
import { promtool, promtoolOn, withPromtool } from '../../../harness/stack/promtool.ts'
import { ROOT } from '../../../scripts/root.ts'
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
  const student = await newStudent(project, ['audio'])
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
    const shown = [
      ...text.matchAll(
        /^(wellbeing_(?:check_in_duration|review_delay|review_time_to_human)_seconds(?=_)|\w+)/gm,
      ),
    ].map(([, name]) => name)
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
      'cause',
      'channel',
      'cron_job',
      'error_code',
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

test('how often a job runs is not said where its schedule does not say it', async () => {
  await database.sql`select cron.schedule('invented-yearly', '0 0 1 1 *', 'select 1')`
  await everyJobSucceeded()
  const names = [...((await scrape())?.keys() ?? [])].filter((series) => series.includes('"invented-yearly"'))
  expect(names.sort()).toEqual([
    'wellbeing_cron_job_failures_total{cron_job="invented-yearly"}',
    'wellbeing_cron_job_success_age_seconds{cron_job="invented-yearly"}',
  ])
  await database.sql`select cron.unschedule('invented-yearly')`
  await database.sql`delete from private.cron_heartbeats where job = 'invented-yearly'`
})

test('a write of the Data API that the limit refuses counts, though it is rolled back', async () => {
  const series = 'wellbeing_rate_limited_total{scope="data-api"}'
  const { client } = await newStudent(project, [])
  const before = Number((await scrape())?.get(series))
  const [rule] = await database.sql<{ requests: number }[]>`
    select requests from private.rate_limit_rules where scope = 'data-api'`
  await database.sql`update private.rate_limit_rules set requests = 1 where scope = 'data-api'`
  const write = () => client.from('profiles').update({ first_name: 'Invented' }).eq('first_name', 'Nobody')
  const statuses = [await write(), await write(), await write()].map(({ status }) => status)
  await database.sql`update private.rate_limit_rules set requests = ${rule?.requests ?? 0} where scope = 'data-api'`
  expect(statuses).toEqual([204, 429, 429])
  expect(Number((await scrape())?.get(series)) - before).toBe(2)
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
    expect([...new Set(tested)].sort()).toEqual(rules.sort())
    const result = await promtoolOn(['test', 'rules'], {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: groups,
    })
    expect(result.output).toMatch(/SUCCESS/)
    expect(result.code).toBe(0)
  })
})

describe('of several stages', withPromtool, () => {
  const SCRAPE = join(ROOT, 'monitoring', 'prometheus', 'scrape.yml')

  test('the example makes one job with a stage for each', async () => {
    const jobs = [...readFileSync(SCRAPE, 'utf8').matchAll(/- job_name: (\S+)/g)].map(([, name = '']) => name)
    const targets = await Promise.all(
      jobs.map((job) => promtool(['check', 'service-discovery', '--timeout=1s', SCRAPE, job])),
    )
    const labels = targets.map(({ output }) => JSON.parse(output)[0].labels)
    expect(labels.map(({ job, stage }) => ({ job, stage }))).toEqual([
      { job: 'wellbeing', stage: 'production' },
      { job: 'wellbeing', stage: 'staging' },
    ])
  })

  /** Labels of two stages. */
  const OF_PROMETHEUS = ['job="wellbeing", stage="production"', 'job="wellbeing", stage="staging"'] as const
  const OF_GRAFANA_CLOUD = [
    'job="integrations/metrics_endpoint/production"',
    'job="integrations/metrics_endpoint/staging"',
  ] as const

  test.each([
    ['all are read', OF_PROMETHEUS, '1x40', '0x40', []],
    ['one cannot be read', OF_PROMETHEUS, '1x10 0x30', '0x10 _x30', [OF_PROMETHEUS[1]]],
    ['one could never be read', OF_PROMETHEUS, '0x40', '_x40', [OF_PROMETHEUS[1]]],
    ['one is not asked any more', OF_PROMETHEUS, '1x10 _x30', '0x10 _x30', [OF_PROMETHEUS[1]]],
    ['a collector without `up` reads all', OF_GRAFANA_CLOUD, null, '0x40', []],
    ['a collector without `up` cannot read one', OF_GRAFANA_CLOUD, null, '0x10 _x30', [OF_GRAFANA_CLOUD[1]]],
  ])('MetricsMissing tells which: %s', async (name, [well, other], up, metric, missing) => {
    const series = (family: string, labels: string, values: string) => ({
      series: `${family}{${labels}}`,
      values,
    })
    const result = await promtoolOn(['test', 'rules'], {
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          name,
          interval: '1m',
          input_series: [
            series('wellbeing_check_ins_processing', well, '0x40'),
            series('wellbeing_check_ins_processing', other, metric),
            ...(up === null ? [] : [series('up', well, '1x40'), series('up', other, up)]),
          ],
          promql_expr_test: [
            {
              expr: 'group by (alertname, job, stage) (ALERTS{alertstate="firing"})',
              eval_time: '30m',
              exp_samples: missing.map((labels) => ({
                labels: `{alertname="MetricsMissing", ${labels}}`,
                value: 1,
              })),
            },
          ],
        },
      ],
    })
    expect(result.output).toMatch(/SUCCESS/)
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
      (name) => !known.includes(name.replace(/((?:duration|delay)_seconds)_(bucket|sum|count)$/, '$1')),
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
