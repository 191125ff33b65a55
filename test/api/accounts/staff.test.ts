import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { PASSWORD } from '../../../harness/factories/accounts.ts'
import { newStaff, type Student } from '../../../harness/factories/students.ts'
import {
  checkedIn,
  dayAgo,
  newCohort,
  newUniversity,
  rollUpDays,
} from '../../../harness/factories/universities.ts'
import { type Client, serviceClient, withDatabase } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')

let university: string
let admin: Student
let security: Student

beforeAll(async () => {
  university = await newUniversity(project)
  admin = await newStaff(project, 'university_admin', university)
  security = await newStaff(project, 'security_admin')
})

const newClient = (): Client =>
  createClient<Database>(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })

const colleague = () => `colleague-${crypto.randomUUID()}@elsewhere.example.edu`

async function signIn(client: Client, email: string): Promise<void> {
  const { error } = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
}

/** Signs up as an app does, and confirms the address. */
async function signUp(client: Client, email: string): Promise<string> {
  const { data, error } = await client.auth.signUp({ email, password: PASSWORD })
  if (error || !data.user) throw error ?? new Error('Nobody signed up')
  const confirmed = await serviceClient(project).auth.admin.updateUserById(data.user.id, {
    email_confirm: true,
  })
  if (confirmed.error) throw confirmed.error
  return data.user.id
}

const rolesOf = async (client: Client) =>
  (await client.from('user_roles').select('role, university_id').order('role')).data

/** What the audit log has of what somebody did, oldest first. */
async function entriesBy(actor: string) {
  const { data, error } = await security.client.rpc('read_audit_log', { actor_id: actor })
  if (error) throw error
  return data.toReversed().map(({ action, target_type, subject_id }) => ({ action, target_type, subject_id }))
}

describe('staff', () => {
  test('are invited, accept by signing up, get a role and lose it, each step in somebody’s name', async () => {
    const email = colleague()
    const invited = await admin.client.rpc('invite_staff', {
      email,
      role: 'counselor',
      university_id: university,
    })
    expect(invited.error).toBeNull()
    expect(invited.data?.slice(0, 10)).toBe(dayAgo(-14))
    const [waiting] =
      (await admin.client.rpc('list_staff', { university_id: university }).eq('email', email)).data ?? []
    expect(waiting).toMatchObject({ user_id: null, role: 'counselor', invited_until: expect.any(String) })

    const client = newClient()
    const id = await signUp(client, email)
    await signIn(client, email)
    expect(await rolesOf(client)).toEqual([{ role: 'counselor', university_id: university }])
    expect((await client.from('students').select()).data).toEqual([])

    expect(
      (
        await admin.client.rpc('grant_role', {
          person: email,
          role: 'university_admin',
          university_id: university,
        })
      ).data,
    ).toBe(true)
    const listed = await client.rpc('list_staff').eq('user_id', id).order('role')
    expect(listed.data).toEqual(
      ['counselor', 'university_admin'].map((role) => ({
        user_id: id,
        first_name: '',
        last_name: '',
        email,
        role,
        university_id: university,
        since: expect.any(String),
        last_sign_in_at: expect.any(String),
        second_factor: false,
        disabled: false,
        invited_until: null,
      })),
    )
    const ownRole = await client.rpc('grant_role', {
      person: id,
      role: 'counselor',
      university_id: university,
    })
    expect(ownRole.error).toMatchObject({ code: '42501' })
    expect(
      (
        await admin.client.rpc('revoke_role', {
          person: id,
          role: 'university_admin',
          university_id: university,
        })
      ).data,
    ).toBe(true)
    expect((await client.rpc('list_staff')).error).toMatchObject({ code: '42501' })

    expect(await entriesBy(admin.id)).toEqual([
      { action: 'signed_in', target_type: null, subject_id: null },
      { action: expect.any(String), target_type: 'staff_invitations', subject_id: null },
      { action: 'role_granted', target_type: 'user_roles', subject_id: id },
      { action: 'role_revoked', target_type: 'user_roles', subject_id: id },
    ])
    expect(await entriesBy(id)).toEqual([
      { action: 'staff_invitation_accepted', target_type: 'staff_invitations', subject_id: id },
      { action: 'signed_in', target_type: null, subject_id: null },
    ])
  })

  test('count in no figure of the students', async () => {
    const place = await newUniversity(project)
    const { client } = await newStaff(project, 'university_admin', place)
    const emails = Array.from({ length: 3 }, colleague)
    for (const email of emails) {
      expect(
        (await client.rpc('invite_staff', { email, role: 'counselor', university_id: place })).error,
      ).toBeNull()
      await signUp(newClient(), email)
    }
    await withDatabase(project, async (sql) => {
      const students = await newCohort(sql, place, { students: 10 })
      await rollUpDays(sql, (tx) => checkedIn(tx, students, 1, 60))
      const snapshots = await sql`
        select sum(students)::int as students from public.cohort_snapshots where university_id = ${place} and grain = 0`
      expect([...snapshots]).toEqual([{ students: 10 }])
    })
  })

  test('who are students already stay students, and accept by signing in', async () => {
    const email = colleague()
    const client = newClient()
    await signUp(client, email)
    await admin.client.rpc('invite_staff', { email, role: 'counselor', university_id: university })
    await signIn(client, email)
    expect(await rolesOf(client)).toEqual([
      { role: 'student', university_id: null },
      { role: 'counselor', university_id: university },
    ])
  })

  test('are invited at most sixty times an hour by one person', async () => {
    const { client, id } = await newStaff(project, 'university_admin', university)
    await withDatabase(
      project,
      (sql) => sql`
        insert into private.rate_limit_uses (subject, scope, used_at)
        values (${id}, 'staff-invitation', array_fill(now(), '{60}'))`,
    )
    const { error, status } = await client.rpc('invite_staff', {
      email: colleague(),
      role: 'counselor',
      university_id: university,
    })
    expect({ status, code: error?.code }).toEqual({ status: 429, code: 'PT429' })
  })

  test('keep an administrator, whoever asks and however', async () => {
    const place = await newUniversity(project)
    const [only, other] = [
      await newStaff(project, 'university_admin', place),
      await newStaff(project, 'counselor', place),
    ]
    const revoked = await security.client.rpc('revoke_role', {
      person: only.email,
      role: 'university_admin',
      university_id: place,
    })
    expect({ status: revoked.status, error: revoked.error }).toEqual({
      status: 409,
      error: {
        code: 'PT409',
        message: `The last administrator of ${place} stays: make another one first.`,
        details: expect.any(String),
        hint: expect.stringContaining('grant_role'),
      },
    })
    expect((await serviceClient(project).auth.admin.deleteUser(only.id)).error).not.toBeNull()
    expect(
      (await serviceClient(project).from('user_roles').delete().eq('user_id', only.id)).error?.code,
    ).toBe('PT409')

    await security.client.rpc('grant_role', {
      person: other.email,
      role: 'university_admin',
      university_id: place,
    })
    // Each takes the other's role at the same moment.
    const taken = await Promise.all([
      only.client.rpc('revoke_role', { person: other.id, role: 'university_admin', university_id: place }),
      other.client.rpc('revoke_role', { person: only.id, role: 'university_admin', university_id: place }),
    ])
    expect(taken.map(({ data }) => data).sort()).toEqual([null, true])
  })
})
