import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { channelOf, subscribed } from '../../../harness/factories/session-channel.ts'
import { newSession, type Session } from '../../../harness/factories/sessions.ts'
import {
  HOME,
  logAccess,
  newStaff,
  newStudent,
  type Student,
  secondDevice,
} from '../../../harness/factories/students.ts'
import { type Client, serviceClient } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')
const opened: Client[] = []
afterAll(async () => {
  await Promise.all(opened.map((client) => client.removeAllChannels()))
})

/** A client that goes on with an access token that it has, whatever became of the session. */
function goingOn(token: string): Client {
  const client = createClient<Database>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
    accessToken: async () => token,
  })
  opened.push(client)
  return client
}

const tokenOf = async (client: Client) => (await client.auth.getSession()).data.session?.access_token ?? ''

/** How an account's access ends while its token still has an hour. */
const ends: [string, (person: Student) => Promise<unknown>][] = [
  ['banned', ({ id }) => serviceClient(project).auth.admin.updateUserById(id, { ban_duration: '1h' })],
  ['signed out', ({ client }) => client.auth.signOut()],
  [
    'signed out by a change of the password elsewhere',
    async (person) => {
      const elsewhere = await secondDevice(project, person)
      const { error } = await elsewhere.auth.updateUser({ password: 'another-password-2' })
      if (error) throw error
    },
  ],
  [
    'signed out because an operator set another password',
    ({ id }) => serviceClient(project).auth.admin.updateUserById(id, { password: 'another-password-2' }),
  ],
  ['deleted softly', ({ id }) => serviceClient(project).auth.admin.deleteUser(id, true)],
]

/** The data API refuses a ban aloud, and shows nothing to whose session has ended. */
const nothing = (end: string, value: unknown) => (end === 'banned' ? null : value)

describe.each(ends)('a student who was %s', (how, end) => {
  let client: Client
  let student: Student
  let session: Session
  let removed: Session
  const note = () => `${HOME}/students/${student.id}/note.txt`
  beforeAll(async () => {
    student = await newStudent(project)
    session = await newSession(student.client)
    removed = await newSession(student.client)
    const stored = await student.client.storage
      .from('university-files')
      .upload(note(), new Blob(['a note'], { type: 'text/plain' }))
    if (stored.error) throw stored.error
    client = goingOn(student.token)
    expect((await client.from('profiles').select('user_id')).data).toHaveLength(1)
    await end(student)
  })

  test('reads and writes nothing over REST', async () => {
    const rows = await Promise.all([
      client.from('profiles').select('user_id'),
      client.from('user_roles').select('id'),
      client.from('universities').select('id'),
      client.from('assessment_sessions').select('id'),
      client.schema('checkin').from('check_ins').select('id'),
      client.from('profiles').update({ first_name: 'Changed' }).eq('user_id', student.id).select('user_id'),
      client.from('assessment_sessions').delete().eq('id', removed.id).select('id'),
    ])
    expect(rows.map(({ data }) => data)).toEqual(rows.map(() => nothing(how, [])))
    const added = await client.from('assessment_sessions').insert({ assessment_type: 'daily' })
    expect(added.error?.code).toBe(how === 'banned' ? 'PT403' : '42501')
  })

  test('reads and stores no file', async () => {
    const files = client.storage.from('university-files')
    expect((await files.download(note())).error).not.toBeNull()
    expect((await files.createSignedUrl(note(), 60)).error).not.toBeNull()
    expect((await files.list(`${HOME}/students/${student.id}`)).data ?? []).toEqual([])
    const another = `${HOME}/students/${student.id}/another.txt`
    expect((await files.upload(another, new Blob(['x'], { type: 'text/plain' }))).error).not.toBeNull()
  })

  test('joins no channel', async () => {
    await expect(subscribed(channelOf(client, session))).rejects.toThrow(/^Unauthorized: /)
  })
})

describe.each(ends)('a counselor who was %s', (how, end) => {
  test('lists and reads no student, and holds no role', async () => {
    const counselor = await newStaff(project, 'counselor')
    const student = await newStudent(project, ['counselor_access'])
    await logAccess(counselor, { action: 'students_listed', university_id: HOME })
    await logAccess(counselor, { action: 'student_read', student_id: student.id })
    const client = goingOn(await tokenOf(counselor.client))
    const read = () => client.rpc('read_student', { student_id: student.id })
    expect((await read()).data).not.toBeNull()
    await end(counselor)
    expect((await read()).data).toBeNull()
    const listed = (await client.rpc('list_students', { university_id: HOME })).data
    if (how === 'banned') expect(listed).toBeNull()
    else expect(listed).toMatchObject({ students: [] })
    expect((await client.rpc('log_access', { action: 'reviews_listed' })).data).toBe(nothing(how, false))
    expect((await client.rpc('review_queue')).data).toEqual(nothing(how, []))
    expect((await client.storage.from('university-files').list(`${HOME}/shared`)).data ?? []).toEqual([])
  })
})

test('an account without a role reads no shared file and starts no check-in', async () => {
  const counselor = await newStaff(project, 'counselor')
  const folder = `guides-${crypto.randomUUID()}`
  const shared = `${HOME}/shared/${folder}/guide.txt`
  const put = await counselor.client.storage
    .from('university-files')
    .upload(shared, new Blob(['a guide'], { type: 'text/plain' }))
  expect(put.error).toBeNull()
  const person = await newStudent(project)
  const files = person.client.storage.from('university-files')
  expect((await files.download(shared)).error).toBeNull()
  const taken = await serviceClient(project).from('user_roles').delete().eq('user_id', person.id)
  expect(taken.error).toBeNull()
  expect((await files.download(shared)).error).not.toBeNull()
  expect((await files.list(`${HOME}/shared/${folder}`)).data).toEqual([])
  const started = await call(project, person.token, 'POST', 'checkins/start', { type: 'daily' })
  expect({ status: started.status, code: started.body.code }).toEqual({ status: 403, code: 'forbidden' })
})
