import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { unusedPolicy } from '../../../harness/factories/security-policies.ts'
import type { Student } from '../../../harness/factories/students.ts'
import { newAttempt } from '../../../harness/factories/training.ts'
import { inDepth } from '../../depth.ts'
import { argumentsAbout } from './function-arguments.ts'
import { cellOf, FUNCTIONS, type Reach, ROLES, type Role, TABLES, type TableRights } from './matrix.ts'
import {
  type Answer,
  apiWay,
  callByRequest,
  callInDatabase,
  databaseWay,
  type Outcome,
  restWay,
  type Way,
} from './ways.ts'
import { buildWorld, columnsOf, keepFigures, type Row, restore, rowsOf, type World } from './world.ts'

const project = inject('project')
const sql = postgres(project.databaseUrl, { max: 3, onnotice: () => {} })

let world: World
beforeAll(async () => {
  world = await buildWorld(project, sql)
})
afterAll(() => sql.end())

type Caller = { role: Role; id: string | null; university: string | null; ways: [string, Way][] }

/** Those who differ from another one in their place alone ask the database itself: requests are those of one of each kind. */
const AT_THE_DATABASE: readonly Role[] = inDepth
  ? []
  : ['other student', 'counselor elsewhere', 'university admin elsewhere']

function callerOf(role: Role): Caller {
  if (role === 'anon') {
    return { role, id: null, university: null, ways: [['REST', restWay(project, project.publishableKey)]] }
  }
  if (role === 'service') {
    return { role, id: null, university: null, ways: [['REST', restWay(project, project.secretKey)]] }
  }
  const { id, token } = world.people[role]
  if (AT_THE_DATABASE.includes(role)) {
    return { role, id, university: world.universityOf(id), ways: [['SQL', databaseWay(sql, token)]] }
  }
  // The matrix asks more often than a person may.
  const forget = () => sql`delete from private.rate_limit_uses where subject = ${id}`
  return {
    role,
    id,
    university: world.universityOf(id),
    ways: [
      ['REST', restWay(project, token)],
      ['the API', apiWay(project, token, forget)],
    ],
  }
}

function reached(reach: Reach, caller: Caller, rows: Row[]): Row[] {
  if (reach === 'all') return rows
  if (reach === 'own') return rows.filter(({ owner }) => owner === caller.id)
  if (reach === 'university') return rows.filter(({ university }) => university === caller.university)
  return []
}

const keysOf = (rows: { key: string }[]) => rows.map(({ key }) => key).sort()

/** Expects an answer that is as the cell says. */
function expectOutcome(
  outcome: Outcome,
  { isView }: TableRights,
  reach: Reach,
  caller: Caller,
  rows: Row[],
  note: string,
) {
  if (reach !== 'refused') {
    expect({ ...outcome, note }).toEqual({
      status: expect.toSatisfy((status) => status === 200 || status === 201),
      code: null,
      keys: keysOf(reached(reach, caller, rows)),
      note,
    })
    return
  }
  expectRefusal(outcome, { isView }, caller, note)
}

/** What the database says of a view, or of a column, that takes no values from anybody. */
const NOT_TAKEN = ['55000', '0A000', '428C9']

function expectRefusal(
  outcome: Outcome,
  { isView }: Pick<TableRights, 'isView'>,
  caller: Caller,
  note: string,
) {
  if (isView && NOT_TAKEN.includes(outcome.code ?? '')) {
    expect(outcome.keys).toEqual([])
    return
  }
  expect({ ...outcome, note }).toEqual({
    status: caller.role === 'anon' ? 401 : 403,
    code: expect.toBeOneOf(['42501', 'forbidden']),
    keys: [],
    note,
  })
}

const allowedAtAll = new Map<string, Promise<boolean>>()

/**
 * Whether a cell needs no request: where Postgres gives people who are signed in no right to an action, all of them are refused
 * alike, as the student is by request. The matrix has to say so.
 */
async function isRefusedAlike(
  table: string,
  action: 'select' | 'insert' | 'update' | 'delete',
  role: Role,
  reach: Reach,
): Promise<boolean> {
  if (role === 'anon' || role === 'service' || role === 'student') return false
  const place = `${action} ${table}`
  const allowed =
    allowedAtAll.get(place) ??
    sql<[{ allowed: boolean }]>`
      select has_table_privilege('authenticated', ${table}, ${action})
        or (${action !== 'delete'} and has_any_column_privilege('authenticated', ${table}, ${action === 'delete' ? 'select' : action}))
        as allowed`.then(([row]) => row.allowed)
  allowedAtAll.set(place, allowed)
  if (await allowed) return false
  expect(reach).toBe('refused')
  return true
}

/** Which rows may be removed without taking others along. */
function removable(table: string, rows: Awaited<ReturnType<typeof rowsOf>>) {
  if (table === 'public.universities') return rows.filter(({ key }) => key === world.spareUniversity)
  if (table === 'public.profiles') return rows.filter(({ key }) => key === world.spareAccount)
  if (table === 'public.user_roles') return rows.filter(({ content }) => content.university_id === null)
  if (table === 'public.assessment_sessions') {
    return rows.filter(({ content }) => content.assessment_type === 'daily')
  }
  return rows
}

/** A row that somebody would add, as theirs or in another's name. */
function newRow(table: string, owner: string, row: Record<string, unknown> | undefined): object {
  const name = `n${crypto.randomUUID().slice(0, 8)}`
  const rows: Record<string, object> = {
    'public.universities': { id: name, name, short_name: name, domain: `${name}.example.edu` },
    'public.profiles': { user_id: world.accountWithoutProfile },
    'public.user_roles': { user_id: owner, role: 'security_admin' },
    'public.consents': { user_id: owner, kind: 'camera', version: '2026-11' },
    'public.buddy_contacts': { user_id: owner, name, phone: '+12025550199' },
    'public.assessment_sessions': { user_id: owner, assessment_type: 'baseline' },
    'public.security_policies': { ...unusedPolicy, name },
    'public.training_assignments': { user_id: owner, module_id: world.modules[1] },
  }
  const own = TABLES[table]?.row
  return rows[table] ?? (own ? { user_id: owner, ...own } : { ...row, grain: undefined })
}

describe.each(Object.entries(TABLES))('%s', (table, rights) => {
  const { key } = rights
  const inTable = () => rowsOf(sql, world, table, key)

  let letGo: (() => Promise<void>) | undefined
  beforeAll(async () => {
    if (key === 'university_id') letGo = await keepFigures(sql, world)
  })
  afterAll(() => letGo?.())

  test.each(ROLES)('is read by %s as the matrix says', async (role) => {
    const reach = cellOf(rights.select, role, 'refused')
    if (await isRefusedAlike(table, 'select', role, reach)) return
    const caller = callerOf(role)
    const rows = await inTable()
    expect(rows.length).toBeGreaterThan(1)
    for (const [way, rest] of caller.ways) {
      // Without a filter, where there is nothing of anybody else's.
      const keys = reach === 'all' ? keysOf(rows) : null
      expectOutcome(await rest.select(table, key, keys), rights, reach, caller, rows, way)
    }
  })

  test.each(ROLES)('is added to by %s as the matrix says', async (role) => {
    const reach = cellOf(rights.insert, role, 'refused')
    if (await isRefusedAlike(table, 'insert', role, reach)) return
    const caller = callerOf(role)
    const before = await inTable()
    const own = caller.id ?? world.people.student.id
    const other = role === 'student' ? world.people['other student'].id : world.people.student.id
    for (const [way, rest] of caller.ways) {
      const add = (owner: string) => rest.insert(table, key, newRow(table, owner, before[0]?.content))
      if (reach === 'all' || reach === 'own') {
        // An account has one such row.
        const taken = key === 'user_id' ? before.filter((row) => row.key === own) : []
        await sql`delete from ${sql(table)} where ${sql(key)} = any (${keysOf(taken)})`
        const { status, keys } = await add(own)
        expect({ way, status, added: keys.length }).toEqual({
          way,
          status: expect.toBeOneOf([200, 201]),
          added: 1,
        })
        // As an erasure of the account does, which alone deletes consents.
        await sql.begin(async (tx) => {
          await tx`select set_config('private.erasing', ${own}, true)`
          // A policy is never deleted; this one was not enabled, so that nothing else is of it.
          if (table === 'public.security_policies') await tx`set local session_replication_role = replica`
          await tx`delete from ${tx(table)} where ${tx(key)} = any (${keys})`
        })
        if (taken.length > 0) await restore(sql, table, key, taken)
      } else {
        expectRefusal(await add(own), rights, caller, way)
      }
      if (reach !== 'all') expectRefusal(await add(other), rights, caller, `${way}, in another’s name`)
    }
    expect(await inTable()).toEqual(before)
  })

  test.each(ROLES)('is changed by %s as the matrix says', async (role) => {
    const reach = cellOf(rights.update, role, 'refused')
    if (await isRefusedAlike(table, 'update', role, reach)) return
    const caller = callerOf(role)
    const before = await inTable()
    const change = rights.change ?? { [key]: before[0]?.key }
    for (const [way, rest] of caller.ways) {
      const outcome = await rest.update(table, key, keysOf(before), change)
      expectOutcome(outcome, rights, reach, caller, before, way)
      const after = await inTable()
      const changed = after.filter(({ content }, place) => !same(content, before[place]?.content))
      expect(keysOf(changed), way).toEqual(keysOf(reached(reach, caller, before)))
      if (changed.length === 0) continue
      await restore(sql, table, key, before)
      expect(await inTable()).toEqual(before)
    }
  })

  test.each(ROLES)('is removed from by %s as the matrix says', async (role) => {
    const reach = cellOf(rights.delete, role, 'refused')
    if (await isRefusedAlike(table, 'delete', role, reach)) return
    const caller = callerOf(role)
    const before = await inTable()
    const targets = reach === 'refused' ? before : removable(table, before)
    for (const [way, rest] of caller.ways) {
      const outcome = await rest.remove(table, key, keysOf(targets))
      expectOutcome(outcome, rights, reach, caller, targets, way)
      const rowsLeft = await inTable()
      const left = new Set(keysOf(rowsLeft))
      const gone = before.filter((row) => !left.has(row.key))
      expect(keysOf(gone), way).toEqual(keysOf(reached(reach, caller, targets)))
      if (gone.length > 0) await restore(sql, table, key, gone)
      expect(gone.length > 0 ? await inTable() : rowsLeft).toEqual(before)
    }
  })

  test('lets people write no other column', async () => {
    // Postgres refuses what these roles have no right to, whatever the request.
    expect(await writableColumns(table, 'authenticated')).toEqual({
      insert: [...(rights.writable?.insert ?? [])].sort(),
      update: [...(rights.writable?.update ?? [])].sort(),
    })
    expect(await writableColumns(table, 'anon')).toEqual({ insert: [], update: [] })
    await refusesOthers(table, rights, await columnsOf(sql, table), await inTable())
  })
})

/** Through `/api/database/*` there is no way without the token of a person: of each table one action is tried, in turn. */
test.each([
  ['nothing', ''],
  ['the publishable key', project.publishableKey],
  ['the secret key', project.secretKey],
])('through the API no table is reached with %s', async (_, credential) => {
  const rest = apiWay(project, credential, async () => {})
  for (const [place, [table, { key: column, change = {} }]] of Object.entries(TABLES).entries()) {
    const before = await rowsOf(sql, world, table, column)
    const keys = keysOf(before)
    const actions = [
      () => rest.select(table, column, keys),
      () => rest.insert(table, column, newRow(table, world.people.student.id, before[0]?.content)),
      () => rest.update(table, column, keys, { [column]: keys[0], ...change }),
      () => rest.remove(table, column, keys),
    ]
    const outcome = await actions[place % actions.length]?.()
    expect({ table, ...outcome }).toEqual({ table, status: 401, code: 'unauthorized', keys: [] })
    expect(await rowsOf(sql, world, table, column)).toEqual(before)
  }
})

/** Columns of a table that a role of the database has the right to give a value, or to change. */
async function writableColumns(table: string, role: string): Promise<{ insert: string[]; update: string[] }> {
  const [rights] = await sql<[{ insert: string[]; update: string[] }]>`
    with columns as (
      select attname::text as name from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
    )
    select
      array(select name from columns where has_column_privilege(${role}, ${table}, name, 'insert') order by 1) as insert,
      array(select name from columns where has_column_privilege(${role}, ${table}, name, 'update') order by 1) as update`
  return rights
}

/** Tries another column through the API, which writes with the caller's rights. */
async function refusesOthers(
  table: string,
  rights: TableRights,
  columns: string[],
  rows: Awaited<ReturnType<typeof rowsOf>>,
): Promise<void> {
  // Who may write the most: the student the own rows, the administrator those of the university.
  const caller = callerOf(table === 'public.universities' ? 'university admin' : 'student')
  const row = rows.find(({ owner }) => owner === world.people.student.id) ?? rows[0]
  if (!row) throw new Error('The table has no row')
  for (const [way, api] of caller.ways.filter(([way]) => way !== 'REST')) {
    const refused = async (action: 'insert' | 'update', attempt: (value: object) => Promise<Outcome>) => {
      const name = columns.find((column) => !rights.writable?.[action]?.includes(column))
      if (name === undefined) return
      const outcome = await attempt({ [name]: row.content[name] ?? null })
      if (!NOT_TAKEN.includes(outcome.code ?? '')) expectRefusal(outcome, rights, caller, `${way}: ${name}`)
    }
    await refused('update', (value) => api.update(table, rights.key, [row.key], value))
    await refused('insert', (value) => api.insert(table, rights.key, value))
  }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Functions that want an entry in the access log. */
const LOGGED_READS = new Set([
  'list_students',
  'read_student',
  'list_open_reviews',
  'list_closed_reviews',
  'read_review',
])

describe.each(Object.entries(FUNCTIONS))('the function %s', (name, { about, calls }) => {
  let letGo: (() => Promise<void>) | undefined
  beforeAll(async () => {
    if (about === 'university') letGo = await keepFigures(sql, world)
    // Consents that were changed and put back.
    await sql`update public.students set counselor_access = true where user_id = ${world.people.student.id}`
    if (['list_schema_changes', 'accept_schema_change'].includes(name)) {
      await sql`create index if not exists unmigrated_idx on private.known_networks (note)`
    }
    if (['read_legal_holds', 'lift_legal_hold'].includes(name)) {
      await sql`
        insert into private.legal_holds (user_id, reason, confidential)
        values (${world.people.student.id}, 'an order of a court', false)
        on conflict do nothing`
    }
    if (name === 'list_closed_reviews') {
      const review = await reviewFor(name)
      await closeReviews(sql`id = ${review}`)
    }
  })
  afterAll(async () => {
    await sql`delete from private.legal_holds where user_id = ${world.people.student.id}`
    if (name === 'accept_schema_change') await sql`drop index private.unmigrated_idx`
    await letGo?.()
  })

  test.each(ROLES)('gives %s what the matrix says', async (role) => {
    const args = await argumentsAbout(about, sql, world, {
      openReview: () => reviewFor(name),
      ownAttempt: () => attemptFor(role),
    })
    if (role !== 'anon' && role !== 'service') {
      const person = world.people[role]
      // Calls of the Data API count, and all of these are one person's.
      await sql`delete from private.rate_limit_uses where subject = ${person.id}`
      if (LOGGED_READS.has(name)) await noteReads(person, world)
    }
    const { status, code, answer } = await callAs(role, name, args)
    const expected = cellOf(calls, role, 'refused')
    if (expected === 'refused') {
      expect({ status, code }).toEqual({ status: role === 'anon' ? 401 : 403, code: '42501' })
      return
    }
    if (expected === 'not found') {
      expect({ status, code }).toEqual({ status: 404, code: 'PT404' })
      return
    }
    expect(status).toBeOneOf([200, 204])
    expect(isEmpty(answer) ? 'empty' : 'answered').toBe(expected)
    // Neither the other university's students nor the other student.
    const strangers = (['student elsewhere', 'other student'] as const)
      .filter((stranger) => stranger !== role)
      .map((stranger) => world.people[stranger])
    const mayBeNamed = ['list_students', 'list_open_reviews', 'read_audit_log', 'preview_policy'].includes(
      name,
    )
    if (!mayBeNamed) for (const { id } of strangers) expect(JSON.stringify(answer)).not.toContain(id)
  })
})

/** Calls a function as that role: by a request, or at the database. */
async function callAs(role: Role, name: string, args: object): Promise<Answer> {
  const token = role === 'anon' || role === 'service' ? null : world.people[role].token
  if (token && AT_THE_DATABASE.includes(role)) return callInDatabase(sql, token, name, args)
  return callByRequest(
    project,
    token ?? (role === 'service' ? project.secretKey : project.publishableKey),
    name,
    args,
  )
}

/** Changes reviews as who claimed the student's, else as the counselor, who says so at the database. */
function handling(change: (transaction: postgres.TransactionSql) => Promise<unknown>): Promise<unknown> {
  return sql.begin(async (transaction) => {
    await transaction`
      select set_config('app.acting_for', email, true)
      from auth.users
      where id = coalesce(
        (select claimed_by from public.clinical_reviews where user_id = ${world.people.student.id} and status = 'claimed'),
        ${world.people.counselor.id}
      )`
    await change(transaction)
  })
}

function closeReviews(which: postgres.PendingQuery<postgres.Row[]>): Promise<unknown> {
  return handling(
    (transaction) => transaction`update public.clinical_reviews set status = 'closed' where ${which}`,
  )
}

/** A new review of the student at the home university, in the state in which that function changes it. */
async function reviewFor(change: string): Promise<string> {
  const { student, counselor } = world.people
  const claim = () =>
    handling(
      (transaction) => transaction`
        update public.clinical_reviews set status = 'claimed', claimed_by = ${counselor.id}
        where user_id = ${student.id} and status = 'open'`,
    )
  await claim()
  await closeReviews(sql`user_id = ${student.id} and status = 'claimed'`)
  await sql`select private.open_clinical_review(${student.id}, 'session', ${crypto.randomUUID()})`
  if (change !== 'claim_review') await claim()
  const [review] = await sql<[{ id: string }]>`
    select id from public.clinical_reviews where user_id = ${student.id} and status <> 'closed'`
  return review.id
}

/** An open attempt of that person. */
async function attemptFor(role: Role): Promise<string> {
  if (role === 'anon' || role === 'service') return 'att_none'
  return newAttempt(sql, world.people[role].id, world.modules[0])
}

/** Logs all that a person can log before a read. */
async function noteReads({ token }: Student, { home, people }: World): Promise<void> {
  for (const read of [
    { action: 'students_listed', university_id: home },
    { action: 'student_read', student_id: people.student.id },
    { action: 'reviews_listed' },
  ]) {
    const { status } = await callInDatabase(sql, token, 'log_access', read)
    expect(status).toBe(200)
  }
}

/** Whether an answer says nothing: no value, no rows, or a page without students. */
function isEmpty(answer: unknown): boolean {
  if (answer === null || answer === false || (Array.isArray(answer) && answer.length === 0)) return true
  return same(answer, { total: 0, students: [] }) || same(answer, { students: [], total: 0 })
}

test('a counselor is told of the own university’s students alone', async () => {
  for (const [role, seen, unseen] of [
    ['counselor', 'student', 'student elsewhere'],
    ['counselor elsewhere', 'student elsewhere', 'student'],
  ] as const) {
    const { client } = world.people[role]
    await noteReads(world.people[role], world)
    const reviews = JSON.stringify((await client.rpc('list_open_reviews')).data)
    expect(reviews).toContain(world.people[seen].id)
    expect(reviews).not.toContain(world.people[unseen].id)
  }
})

test('the matrix has every exposed table, view and function, and no others', async () => {
  const tables = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'checkin') and c.relkind in ('r', 'p', 'v', 'm', 'f')
    order by 1`
  expect(tables.map(({ name }) => name)).toEqual(Object.keys(TABLES).sort())
  const functions = await sql<{ name: string }[]>`
    select p.proname::text as name
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'checkin')
    order by 1`
  expect(functions.map(({ name }) => name)).toEqual(Object.keys(FUNCTIONS).sort())
})
