import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { inDepth } from '../../depth.ts'
import { ROLES, type Role, TABLES } from './matrix.ts'
import { buildWorld, keepFigures, type World } from './world.ts'

const project = inject('project')
const sql = postgres(project.databaseUrl, { max: 3, onnotice: () => {} })

let world: World
let letGo: (() => Promise<void>) | undefined
beforeAll(async () => {
  world = await buildWorld(project, sql)
  letGo = await keepFigures(sql, world)
  // What autovacuum does: from now on the planner knows how many rows there are, and between which values.
  for (const [table, { isView }] of Object.entries(TABLES)) if (!isView) await sql`analyze ${sql(table)}`
})
afterAll(async () => {
  await letGo?.()
  await sql.end()
})

const people = ROLES.filter(
  (role): role is Exclude<Role, 'anon' | 'service'> => role !== 'anon' && role !== 'service',
)

/** A request to the Data API that asks for a table's rows, and the total that comes back. */
async function totalFor(role: Role, table: string, headers: [string, string][], query = '') {
  const [schema = '', name = ''] = table.split('.')
  const key = role === 'service' ? project.secretKey : project.publishableKey
  const response = await fetch(`${project.apiUrl}/rest/v1/${name}?limit=1&${query}`, {
    headers: [
      ['apikey', key],
      ['accept-profile', schema],
      ...(role === 'anon' || role === 'service'
        ? []
        : [['authorization', `Bearer ${world.people[role].token}`] satisfies [string, string]]),
      ...headers,
    ],
  })
  await response.body?.cancel()
  const total = response.headers.get('content-range')?.split('/')[1]
  return { status: response.status, total: total === '*' ? undefined : total }
}

// Requests are refused by their headers, before it is looked at who asks for what: of each table one role asks, in turn.
const asked = Object.keys(TABLES).map((table, place) => [table, place] as const)
describe.each(asked)('%s', (table, place) => {
  test.each(inDepth ? ROLES : ROLES.filter((_, index) => index === place % ROLES.length))(
    'is neither counted nor explained by the planner’s estimate for %s',
    async (role) => {
      for (const headers of [
        [['prefer', 'count=planned']],
        [['prefer', 'count=estimated']],
        [['prefer', 'return=minimal, Count = "planned"']],
        [
          ['prefer', 'count=planned'],
          ['prefer', 'return=minimal'],
        ],
        [['accept', 'application/vnd.pgrst.plan+json']],
      ] satisfies [string, string][][]) {
        const { status, total } = await totalFor(role, table, headers)
        expect({ headers, status, total }).toEqual({
          headers,
          status: expect.toBeOneOf([400, 406]),
          total: undefined,
        })
      }
    },
  )
})

/** Tables in which only staff have rows, and which no policy could keep the planner from estimating. */
const HIDDEN = ['public.clinical_reviews', 'public.open_clinical_reviews']

describe.each(HIDDEN)('%s', (table) => {
  test.each(people)('is not even planned for %s', async (role) => {
    const claims = JSON.stringify({ sub: world.people[role].id, role: 'authenticated' })
    const planning = sql.begin(async (transaction) => {
      await transaction`
        select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`
      return transaction.unsafe(`explain (format json) select 1 from ${table}`)
    })
    await expect(planning).rejects.toMatchObject({ code: '42501' })
    expect((await totalFor(role, table, [['prefer', 'count=exact']])).status).toBe(403)
    const response = await fetch(`${project.apiUrl}/functions/v1/api/database/select`, {
      method: 'POST',
      headers: {
        apikey: project.publishableKey,
        authorization: `Bearer ${world.people[role].token}`,
        'content-type': 'application/json',
        prefer: 'count=planned',
      },
      body: JSON.stringify({ table, limit: 0 }),
    })
    expect(await response.json()).toMatchObject({ code: 'forbidden', data: null, count: null })
  })
})

test('an exact count is of the caller’s own rows', async () => {
  const { id } = world.people.student
  expect(await totalFor('student', 'checkin.check_ins', [['prefer', 'count=exact']])).toEqual({
    status: expect.toBeOneOf([200, 206]),
    total: '1',
  })
  expect(
    await totalFor('student', 'checkin.check_ins', [['prefer', 'count=exact']], `user_id=neq.${id}`),
  ).toEqual({
    status: 200,
    total: '0',
  })
})

test('the planner’s estimate of the audit log says nothing of its entries to who may not read them', async () => {
  const claims = JSON.stringify({ sub: world.people.student.id, role: 'authenticated' })
  const [entry] = await sql`select * from public.audit_logs order by id desc limit 1`
  const estimates = await sql.begin(async (transaction) => {
    await transaction`
      select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`
    const estimate = async (filter: string) => {
      const [row] = await transaction.unsafe(
        `explain (format json) select 1 from public.audit_logs where ${filter}`,
      )
      return row?.['QUERY PLAN'][0].Plan['Plan Rows']
    }
    const filtersOf = (column: string, value: unknown) => [
      `${column} = '${value}'`,
      `${column} <> '${value}'`,
    ]
    const pairs: [string, unknown, unknown][] = [
      ['action', 'signed_in', 'evidence_sealed'],
      ['actor_role', 'authenticated', 'invented'],
      ['university_id', 'northfield', 'nowhere'],
      ['target_type', entry?.target_type ?? 'user_roles', 'nothing'],
      ['target_id', entry?.target_id ?? '1', 'nothing'],
      ['id', entry?.id, '-1'],
      ['occurred_at', new Date().toISOString(), '2020-01-01'],
    ]
    const found: [string, number, number][] = []
    for (const [column, present, absent] of pairs) {
      for (const [index, filter] of filtersOf(column, present).entries()) {
        found.push([filter, await estimate(filter), await estimate(filtersOf(column, absent)[index] ?? '')])
      }
    }
    return found
  })
  for (const [filter, present, absent] of estimates)
    expect({ filter, rows: present }).toEqual({ filter, rows: absent })
})

test('no statistics are kept of names and figures, which would show through a filter', async () => {
  const kept = await sql`
    select tablename, attname from pg_stats
    where schemaname = 'public' and (
      (tablename = 'profiles' and attname like '%name')
      or (tablename like 'cohort\\_%' and attname in ('students', 'ended', 'completed', 'score_sum', 'high_risk', 'moderate_risk'))
    )`
  expect(kept).toEqual([])
})
