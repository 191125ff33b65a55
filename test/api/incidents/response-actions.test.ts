import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiClient } from '../../../harness/client/openapi-client.ts'
import { newAccount, PASSWORD } from '../../../harness/factories/accounts.ts'
import { type AttackedStack, startAttackedStack } from '../../../harness/factories/attacked-stack.ts'
import { newIncident } from '../../../harness/factories/incidents.ts'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient } from '../../../harness/stack/project.ts'

/** How long an action may take to be in force, milliseconds. */
const SOON = { timeout: 6000, interval: 200 }

/** What the platform's Management API was asked for. */
const restorePoints: string[] = []

const platform = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const { name } = JSON.parse(body)
    response.statusCode = restorePoints.includes(name) ? 409 : 201
    restorePoints.push(name)
    response.end('{}')
  })
})

let stack: AttackedStack
let administrator: Student
let api: ReturnType<typeof apiClient>

beforeAll(async () => {
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  const { port } = platform.address() as AddressInfo
  stack = await startAttackedStack({
    MANAGEMENT_API_TOKEN: 'an-invented-token',
    MANAGEMENT_API_URL: `http://127.0.0.1:${port}`,
  })
  administrator = await newStaff(stack.project, 'security_admin')
  api = apiClient(stack.project, administrator.token)
}, 60_000)

afterAll(async () => {
  await stack?.stop()
  platform.close()
})

type Action = {
  action: 'block_ip' | 'disable_user' | 'send_alert' | 'quarantine' | 'backup' | 'audit_trail'
  target?: string
  undo?: boolean
}

async function respond(incident: string, ...actions: Action[]) {
  const { data, error } = await api.PUT('/api/security/incidents/{id}/response', {
    params: { path: { id: incident } },
    body: { actions },
  })
  if (error) throw new Error(`${error.code}: ${error.error}`)
  return data
}

/** Statuses with which each way answers a person who comes from an address. */
async function ways(person: Student, address: string) {
  const { token, email } = person
  const status = async (path: string, request: Parameters<AttackedStack['send']>[2] = {}) => {
    const response = await stack.send(address, path, request)
    await response.body?.cancel()
    return response.status
  }
  const storage = await stack.send(address, '/storage/v1/object/list/university-files', {
    method: 'POST',
    token,
    body: { prefix: 'northfield/students' },
  })
  const channel = person.client.channel(`account:${person.id}`, { config: { private: true } })
  const joined = await subscribed(channel).then(
    () => true,
    () => false,
  )
  await person.client.removeAllChannels()
  return {
    functions: await status('/functions/v1/api/privacy/exports', { token }),
    rest: await status('/rest/v1/profiles?select=user_id', { token }),
    storage: storage.status === 200 ? (await storage.json()).length : storage.status,
    realtime: joined,
    signIn: await stack.signIn(address, email, PASSWORD),
    signInAtAuth: await stack.signInAtAuth(address, email, PASSWORD),
    help: await status('/functions/v1/api/crisis-resources'),
  }
}

/** A student with a file of their own in Storage. */
async function studentWithFile(): Promise<Student> {
  const student = await newStudent(stack.project, [])
  const path = `northfield/students/${student.id}/note.txt`
  const { error } = await serviceClient(stack.project)
    .storage.from('university-files')
    .upload(path, new Blob(['a note'], { type: 'text/plain' }))
  if (error) throw error
  return student
}

const open = {
  functions: 200,
  rest: 200,
  storage: 1,
  realtime: true,
  signIn: 200,
  signInAtAuth: 200,
  help: 200,
}

describe('block_ip', () => {
  test('refuses an address on every way that knows it to who signs in after it, and lifting the block opens them again', async () => {
    const [student, address, incident] = [
      await studentWithFile(),
      stack.newAddress(),
      await newIncident(stack.sql),
    ]
    expect(await ways(student, address)).toEqual(open)

    const { results } = await respond(incident, { action: 'block_ip', target: address })
    expect(results).toMatchObject([{ status: 'done', times: 1, not_reached: ['realtime', 'signed_urls'] }])
    const { data } = await student.client.auth.signInWithPassword({
      email: student.email,
      password: PASSWORD,
    })
    const later = { ...student, token: data.session?.access_token ?? '' }
    await expect
      .poll(() => ways(later, address), SOON)
      .toEqual({
        functions: 403,
        rest: 403,
        storage: 0,
        realtime: true,
        signIn: 403,
        signInAtAuth: 400,
        help: 200,
      })
    expect(await ways(student, stack.newAddress())).toEqual(open)

    await respond(incident, { action: 'block_ip', target: address, undo: true })
    await expect.poll(() => ways(student, address), SOON).toEqual(open)
  })

  test('says where help is', async () => {
    const [address, incident] = [stack.newAddress(), await newIncident(stack.sql)]
    await respond(incident, { action: 'block_ip', target: address })
    const response = await stack.send(address, '/functions/v1/api/universities')
    expect(await response.json()).toMatchObject({
      code: 'address_blocked',
      details: { crisis_resources: [{ phone: '112' }, { website: 'https://findahelpline.com' }] },
    })
  })

  test('blocks for an hour, and again for twice as long; the same block again changes nothing', async () => {
    const [address, incident] = [stack.newAddress(), await newIncident(stack.sql)]
    const block = { action: 'block_ip', target: address } as const
    const [[first], [again]] = [
      (await respond(incident, block)).results,
      (await respond(incident, block)).results,
    ]
    expect(again).toEqual(first)
    await stack.sql`update private.blocked_addresses set until = now() - interval '1 second' where network = ${address}::cidr`
    const { results, incident: after } = await respond(incident, block)
    expect(results).toMatchObject([{ times: 2 }])
    const hours = (Date.parse(results[0]?.until ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(1.9)
    expect(after.response).toHaveLength(2)
  })

  test('several administrators who block at once make one block', async () => {
    const [address, incident] = [stack.newAddress(), await newIncident(stack.sql)]
    const results = await Promise.all(
      Array.from({ length: 8 }, () => respond(incident, { action: 'block_ip', target: address })),
    )
    expect(results.map(({ results: [result] }) => result?.times)).toEqual(Array(8).fill(1))
    const { incident: after } = await respond(incident, { action: 'audit_trail' })
    expect(after.response.filter(({ action }) => action === 'block_ip')).toHaveLength(1)
  })

  test.each(['127.0.0.1', '10.0.0.8', '::1'])('never blocks %s, which is the platform’s', async (target) => {
    const { results } = await respond(await newIncident(stack.sql), { action: 'block_ip', target })
    expect(results).toMatchObject([{ status: 'failed' }])
  })
})

describe('disable_user', () => {
  test('refuses an account on every way, and enabling it opens them again', async () => {
    const [student, address, incident] = [
      await studentWithFile(),
      stack.newAddress(),
      await newIncident(stack.sql),
    ]
    expect(await ways(student, address)).toEqual(open)

    const disable = { action: 'disable_user', target: student.id } as const
    expect((await respond(incident, disable, disable)).results).toMatchObject([
      { status: 'done', not_reached: ['joined_channels', 'signed_urls'] },
      { status: 'done' },
    ])
    expect(await ways(student, address)).toEqual({
      functions: 401,
      rest: 403,
      storage: 0,
      realtime: false,
      signIn: 401,
      signInAtAuth: 400,
      help: 200,
    })

    await respond(incident, { ...disable, undo: true })
    // The ban has ended the sessions: the person signs in anew.
    const signedIn = await student.client.auth.signInWithPassword({
      email: student.email,
      password: PASSWORD,
    })
    const again = { ...student, token: signedIn.data.session?.access_token ?? '' }
    expect(await ways(again, address)).toEqual(open)
  })

  test('leaves a ban of before as it was', async () => {
    const [{ id }, incident] = [await newAccount(stack.project), await newIncident(stack.sql)]
    await serviceClient(stack.project).auth.admin.updateUserById(id, { ban_duration: '48h' })
    const banned = async () => (await stack.sql`select banned_until from auth.users where id = ${id}`)[0]
    const before = await banned()
    await respond(incident, { action: 'disable_user', target: id })
    expect(await banned()).not.toEqual(before)
    await respond(incident, { action: 'disable_user', target: id, undo: true })
    expect(await banned()).toEqual(before)
  })

  test('one security administrator is left, whoever disables whom at the same moment', async () => {
    const administrators = await stack.sql<{ user_id: string }[]>`
      select user_id from public.user_roles where role = 'security_admin'`
    const incident = await newIncident(stack.sql)
    const outcomes = await Promise.all(
      administrators.map(
        ({ user_id }) =>
          stack.sql`select private.disable_account(${user_id}, 'all at once', ${incident}) as outcome`,
      ),
    )
    const statuses = outcomes.map(([row]) => row?.outcome.status)
    expect(statuses.filter((status) => status === 'failed')).toHaveLength(1)
    const banned = await stack.sql`
      select from public.user_roles r join auth.users u on u.id = r.user_id
      where r.role = 'security_admin' and (u.banned_until is null or u.banned_until <= now())`
    expect(banned).toHaveLength(1)
    // Not by Auth's own API either, nor by deleting the account or the role.
    const left = administrators[statuses.indexOf('failed')]?.user_id ?? ''
    const { error } = await serviceClient(stack.project).auth.admin.updateUserById(left, {
      ban_duration: '1h',
    })
    expect(error).not.toBeNull()
    expect((await serviceClient(stack.project).auth.admin.deleteUser(left)).error).not.toBeNull()
    expect((await serviceClient(stack.project).auth.admin.deleteUser(left, true)).error).not.toBeNull()
    const role = () => serviceClient(stack.project).from('user_roles')
    const deleted = await role().delete().eq('user_id', left).eq('role', 'security_admin')
    expect([deleted.status, deleted.error?.message]).toEqual([409, expect.stringContaining('make another')])
    const changed = await role().update({ role: 'student' }).eq('user_id', left).eq('role', 'security_admin')
    expect(changed.status).toBe(409)
    for (const { user_id } of administrators) await stack.sql`select private.enable_account(${user_id})`
    const { data } = await administrator.client.auth.signInWithPassword({
      email: administrator.email,
      password: PASSWORD,
    })
    administrator = { ...administrator, token: data.session?.access_token ?? '' }
    api = apiClient(stack.project, administrator.token)
  })
})

describe('a security administrator', () => {
  test('is left, whoever takes whose role at the same moment', async () => {
    for (let more = 0; more < 3; more++) await newStaff(stack.project, 'security_admin')
    const roles = () => stack.sql<{ id: string; user_id: string }[]>`
      select id, user_id from public.user_roles where role = 'security_admin'`
    const before = await roles()
    const outcomes = await Promise.allSettled(
      before.map(({ id }) => stack.sql`delete from public.user_roles where id = ${id}`),
    )
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    const left = await roles()
    expect(left).toHaveLength(1)
    for (const { user_id } of before.filter(({ id }) => id !== left[0]?.id)) {
      await stack.sql`insert into public.user_roles (user_id, role) values (${user_id}, 'security_admin')`
    }
  })
})

describe('a connection that is killed in the middle', () => {
  const traces = () => stack.sql`
    select
      (select array_agg(b order by b.network) from private.blocked_addresses b)::text as blocks,
      (select array_agg(d order by d.account) from private.disabled_accounts d)::text as disabled,
      (select array_agg(q order by q.function_name) from private.quarantines q)::text as quarantines,
      (select count(*) from private.outbox) as messages,
      (select count(*) from auth.users where banned_until is not null) as banned,
      (select array_agg(i order by i.id) from public.security_incidents i)::text as incidents,
      (select count(*) from private.evidence) as evidence`

  /** As what somebody signed in does, in a transaction whose backend ends before it can commit. */
  async function killedAfter(incident: string, action: string, target: string | null) {
    const doomed = postgres(stack.project.local.adminUrl, { max: 1, onnotice: () => {} })
    const held = await doomed.reserve()
    await held`begin`
    const claims = Buffer.from(administrator.token.split('.')[1] ?? '', 'base64url').toString()
    await held`select set_config('request.jwt.claims', ${claims}, true)`
    await held`select private.respond_to_incident(${incident}, ${action}, ${target}, false)`
    // Asked for on the connection itself: one that was closed under it takes no further statement.
    await expect(held`select pg_terminate_backend(pg_backend_pid())`).rejects.toThrow()
    await doomed.end({ timeout: 1 })
  }

  test.each([
    ['block_ip', '198.51.100.77'],
    ['disable_user', 'account'],
    ['send_alert', 'Look at this.'],
    ['quarantine', 'buddy'],
    ['audit_trail', null],
  ] as const)(
    'leaves nothing of %s half done, and it is done when asked for again',
    async (action, named) => {
      const incident = await newIncident(stack.sql)
      const target = named === 'account' ? (await newAccount(stack.project)).id : named
      const before = await traces()
      await killedAfter(incident, action, target)
      expect(await traces()).toEqual(before)
      const again = { action, ...(target !== null && { target }) }
      expect((await respond(incident, again)).results).toMatchObject([{ status: 'done' }])
      expect(await traces()).not.toEqual(before)
      if (action !== 'audit_trail') await respond(incident, { ...again, undo: true })
    },
  )
})

describe('quarantine', () => {
  test('a function answers nothing but 503, and again after it is lifted; incidents can be dealt with meanwhile', async () => {
    const [student, incident] = [await newStudent(stack.project, []), await newIncident(stack.sql)]
    const status = async (path: string) =>
      (await stack.send(stack.newAddress(), `/functions/v1${path}`, { token: student.token })).status
    expect(await status('/api/privacy/exports')).toBe(200)
    const quarantine = { action: 'quarantine', target: 'api' } as const
    const { results } = await respond(incident, quarantine, quarantine)
    expect(results.map((result) => result.status)).toEqual(['done', 'done'])
    await expect.poll(() => status('/api/privacy/exports'), SOON).toBe(503)
    expect(await status('/checkins/00000000-0000-4000-8000-000000000000')).toBe(404)
    expect(await status('/api/crisis-resources')).toBe(200)
    await respond(incident, { ...quarantine, undo: true })
    await expect.poll(() => status('/api/privacy/exports'), SOON).toBe(200)
  })

  test('of all functions reaches the workers too', async () => {
    const incident = await newIncident(stack.sql)
    const [{ secret } = { secret: '' }] = await stack.sql<{ secret: string }[]>`
      select decrypted_secret as secret from vault.decrypted_secrets where name = 'pipeline_secret'`
    const worker = async () =>
      (
        await stack.send('127.0.0.1', '/functions/v1/deliver-messages', {
          method: 'POST',
          token: secret,
          body: { type: 'INSERT', table: 'outbox', record: { id: crypto.randomUUID() } },
        })
      ).status
    await respond(incident, { action: 'quarantine', target: '*' })
    await expect.poll(worker, SOON).toBe(503)
    await respond(incident, { action: 'quarantine', target: '*', undo: true })
    await expect.poll(worker, SOON).not.toBe(503)
  })
})

test('send_alert mails every security administrator once, and can be withdrawn while it waits', async () => {
  const incident = await newIncident(stack.sql)
  const mails = () => stack.sql<{ user_id: string }[]>`
    select user_id from private.outbox where purpose = 'security_alert' and strpos(body, ${incident}) > 0`
  await respond(incident, { action: 'send_alert' })
  const [first, { count } = { count: 0 }] = [
    await mails(),
    ...(await stack.sql<{ count: number }[]>`
      select count(distinct user_id)::int as count from public.user_roles where role = 'security_admin'`),
  ]
  expect(first).toHaveLength(count)
  await Promise.all(Array.from({ length: 4 }, () => respond(incident, { action: 'send_alert' })))
  expect(await mails()).toHaveLength(count)
  const { results } = await respond(incident, { action: 'send_alert', undo: true })
  expect(results).toMatchObject([{ status: 'done' }])
})

test('backup asks the platform for one restore point for an incident', async () => {
  const incident = await newIncident(stack.sql)
  const { results, incident: after } = await respond(incident, { action: 'backup' }, { action: 'backup' })
  expect(results).toMatchObject([{ status: 'done' }, { status: 'done' }])
  expect(new Set(restorePoints)).toEqual(new Set([incident.slice(0, 20)]))
  expect(after.response).toHaveLength(1)
  expect((await respond(incident, { action: 'backup', undo: true })).results).toMatchObject([
    { status: 'failed' },
  ])
})

test('audit_trail seals what shows the incident, whose hash is in the audit log', async () => {
  const { id } = await newAccount(stack.project)
  const incident = await newIncident(stack.sql, { affected: [id] })
  await stack.sql`select private.note_security_event('access_refused', ${id}, '203.0.113.99')`
  const [{ results }, again] = [
    await respond(incident, { action: 'audit_trail' }),
    await respond(incident, { action: 'audit_trail' }),
  ]
  const sha256 = results[0]?.sha256 ?? ''
  expect(again.results[0]?.sha256).toBe(sha256)
  const [evidence] = await stack.sql`
    select content, encode(sha256(convert_to(content::text, 'UTF8')), 'hex') as sha256
    from private.evidence where incident_id = ${incident}`
  expect(evidence?.sha256).toBe(sha256)
  expect(evidence?.content.events).toMatchObject([{ kind: 'access_refused', account: id }])
  expect(
    await stack.sql`
      select from public.audit_logs where action = 'evidence_sealed' and details ->> 'sha256' = ${sha256}`,
  ).toHaveLength(1)
  await expect(
    stack.sql`update private.evidence set content = '{}' where incident_id = ${incident}`,
  ).rejects.toThrow('Evidence is never changed')
})
