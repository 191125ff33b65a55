import { dirname } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { PASSWORD } from '../../../harness/factories/accounts.ts'
import {
  filesWith,
  hasEnded,
  type KnownStudent,
  makeFinal,
  newKnownStudent,
  tablesWith,
} from '../../../harness/factories/erasure.ts'
import { channelOf, subscribed } from '../../../harness/factories/session-channel.ts'
import { newSession, type Session } from '../../../harness/factories/sessions.ts'
import { HOME, newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { localOnly, localStack, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')
const PATH = 'api/privacy/erasure'
const ask = ({ token }: Student, password = PASSWORD) => call(project, token, 'POST', PATH, { password })
const read = ({ token }: Student) => call(project, token, 'GET', PATH)
const cancel = ({ token }: Student) => call(project, token, 'DELETE', PATH)

/** The mails that an address got. */
async function mailsTo(address: string): Promise<{ subject: string; text: string }[]> {
  const response = await fetch(`${localStack().inboxUrl}/api/messages?to=${encodeURIComponent(address)}`)
  const { messages } = (await response.json()) as { messages: { subject: string; text: string }[] }
  return messages
}

const remains = (id: string) =>
  withDatabase(project, async (sql) => (await sql`select from auth.users where id = ${id}`).length === 1)

describe('a person who asks to be deleted', () => {
  test('has 72 hours to take it back, and asking again changes nothing', async () => {
    const student = await newStudent(project, [])
    expect((await read(student)).body.code).toBe('erasure_not_found')
    const asked = await ask(student)
    expect(asked).toMatchObject({ status: 200, body: { status: 'scheduled', hold: null } })
    const { requested_at, final_at } = asked.body as { requested_at: string; final_at: string }
    expect(Date.parse(final_at) - Date.parse(requested_at)).toBe(72 * 3_600_000)
    expect((await ask(student)).body).toEqual(asked.body)
    expect((await read(student)).body).toEqual(asked.body)
    expect((await cancel(student)).body).toEqual({ cancelled: true })
    expect(await cancel(student)).toMatchObject({ status: 404, body: { code: 'erasure_not_found' } })
    expect(await hasEnded(project, student.id)).toBe(true)
    expect(await remains(student.id)).toBe(true)
  })

  test('needs the password, and is signed in nowhere else because of it', async () => {
    const student = await newStudent(project, [])
    expect(await ask(student, 'another-password-2')).toMatchObject({
      status: 403,
      body: { code: 'wrong_password' },
    })
    expect((await read(student)).status).toBe(404)
    await ask(student)
    const sessions = await withDatabase(
      project,
      (sql) => sql`select from auth.sessions where user_id = ${student.id}`,
    )
    expect(sessions).toHaveLength(1)
  })

  test('has ten tries at the password', async () => {
    const student = await newStudent(project, [])
    const codes: unknown[] = []
    for (let tries = 0; tries < 11; tries += 1)
      codes.push((await ask(student, 'another-password-2')).body.code)
    expect(codes).toEqual([...Array(10).fill('wrong_password'), 'rate_limited'])
  })

  test('can do so without a role, as what is stored is theirs', async () => {
    const student = await newStudent(project, [])
    await serviceClient(project).from('user_roles').delete().eq('user_id', student.id)
    expect((await ask(student)).status).toBe(200)
    expect((await cancel(student)).status).toBe(200)
  })

  test('cannot take it back any more when the account is about to be deleted', async () => {
    const student = await newStudent(project, [])
    await ask(student)
    const hold = sqlHold(student)
    await hold('insert')
    await makeFinal(project, student.id)
    expect(await cancel(student)).toMatchObject({ status: 409, body: { code: 'erasure_final' } })
    await hold('delete')
    await expect.poll(() => hasEnded(project, student.id)).toBe(true)
  })

  test('sees a legal hold that keeps the account, and is deleted once it is lifted', async () => {
    const student = await newStudent(project, [])
    const sam = await newStaff(project, 'security_admin')
    const set = await sam.client.rpc('set_legal_hold', { account: student.id, reason: 'An order of a court' })
    expect(set.data).toBe(true)
    await ask(student)
    await makeFinal(project, student.id)
    expect(await hasEnded(project, student.id)).toBe(false)
    expect((await read(student)).body).toMatchObject({
      status: 'held',
      hold: { reason: 'An order of a court', since: expect.any(String) },
    })
    const removed = await serviceClient(project).auth.admin.deleteUser(student.id)
    expect(removed.error).not.toBeNull()
    expect(await remains(student.id)).toBe(true)
    expect((await sam.client.rpc('lift_legal_hold', { account: student.id })).data).toBe(true)
    await expect.poll(() => hasEnded(project, student.id)).toBe(true)
    expect(await remains(student.id)).toBe(false)
  })
})

describe('nobody else', () => {
  test.each(['student', 'counselor', 'university_admin', 'security_admin'] as const)(
    'reads, cancels or asks for a student’s erasure: %s',
    async (role) => {
      const student = await newStudent(project, [])
      const other = role === 'student' ? await newStudent(project, []) : await newStaff(project, role)
      await ask(student)
      expect((await read(other)).status).toBe(404)
      expect((await cancel(other)).status).toBe(404)
      // The id of somebody else is not asked for, and one that is sent anyway is an error.
      const named = await call(project, other.token, 'POST', PATH, {
        password: PASSWORD,
        user_id: student.id,
      })
      expect(named).toMatchObject({ status: 400, body: { code: 'invalid_parameters' } })
      expect((await other.client.rpc('set_legal_hold', { account: student.id, reason: 'x' })).data).toBe(
        role === 'security_admin',
      )
      await withDatabase(project, (sql) => sql`delete from private.legal_holds where user_id = ${student.id}`)
      expect((await read(student)).body).toMatchObject({ status: 'scheduled' })
    },
  )
})

describe('a person of whom something is stored everywhere', localOnly('searches the stack'), () => {
  let student: KnownStudent
  let session: Session
  let path: string
  const goingOn = () =>
    createClient<Database>(project.apiUrl, project.publishableKey, {
      auth: { persistSession: false },
      accessToken: async () => student.token,
    })
  const client = { current: null as ReturnType<typeof goingOn> | null }
  const before: string[] = []
  beforeAll(async () => {
    student = await newKnownStudent(project)
    session = await newSession(student.client)
    path = `${HOME}/students/${student.id}/${student.marker}.txt`
    before.push(...(await tablesWith({ ...project, local: localStack() }, student.needles)))
    await ask(student)
    await vi.waitFor(async () => expect(await mailsTo(student.email)).toHaveLength(1), { timeout: 120_000 })
    await makeFinal(project, student.id)
    await vi.waitFor(async () => expect(await hasEnded(project, student.id)).toBe(true), { timeout: 120_000 })
    client.current = goingOn()
  })
  afterAll(() => client.current?.removeAllChannels())

  test('was found in many tables before', () => {
    expect(before.length).toBeGreaterThan(15)
  })

  test('is found in no table, and in no file but those of the mails that were sent', async () => {
    await expect.poll(() => tablesWith({ ...project, local: localStack() }, student.needles)).toEqual([])
    expect(filesWith(dirname(localStack().logFile), student.needles, ['postgres'])).toEqual(['inbox.jsonl'])
    expect((await mailsTo(student.email)).map(({ subject }) => subject).sort()).toEqual([
      'Your account was deleted',
      'Your account will be deleted',
    ])
  })

  test('has a receipt that names nobody, and that the service can tell from a forged one', async () => {
    const [mail] = (await mailsTo(student.email)).filter(({ subject }) => subject.includes('was deleted'))
    const id = mail?.text.match(/Number: (\S+)/)?.[1] ?? ''
    const [receipt] = await withDatabase(
      project,
      (sql) => sql`
        select source, counts, encode(checksum, 'hex') as checksum, checksum = private.receipt_checksum(r) as valid
        from private.erasure_receipts r where id = ${id}`,
    )
    expect(receipt).toMatchObject({
      source: 'person',
      valid: true,
      counts: { 'auth.users': 1, 'public.profiles': 1, 'check-in-media': 1, 'university-files': 1 },
    })
    expect(mail?.text).toContain(receipt?.checksum)
  })

  test('is refused with the token of before, on REST, Storage, Realtime and the functions', async () => {
    const going = client.current ?? goingOn()
    expect((await going.from('profiles').select('user_id')).data).toEqual([])
    expect(
      (await going.from('assessment_sessions').insert({ assessment_type: 'daily' })).error,
    ).not.toBeNull()
    expect((await going.storage.from('university-files').download(path)).error).not.toBeNull()
    const stored = await going.storage
      .from('university-files')
      .upload(path, new Blob(['x'], { type: 'text/plain' }))
    expect(stored.error).not.toBeNull()
    await expect(subscribed(channelOf(going, session))).rejects.toThrow(/^Unauthorized: /)
    for (const [method, address] of [
      ['GET', PATH],
      ['POST', 'checkins/start'],
    ] as const) {
      expect(
        (await call(project, student.token, method, address, method === 'POST' ? {} : undefined)).status,
      ).toBe(401)
    }
  })
})

/** Holds an account without an entry in the audit log, or lets it go. */
function sqlHold({ id }: Student) {
  return (action: 'insert' | 'delete') =>
    withDatabase(project, (sql) =>
      action === 'insert'
        ? sql`insert into private.legal_holds (user_id, reason, confidential) values (${id}, 'x', true)`
        : sql`delete from private.legal_holds where user_id = ${id}`,
    )
}
