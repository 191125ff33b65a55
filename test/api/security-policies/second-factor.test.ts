import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { addAuthenticator } from '../../../harness/factories/authenticator.ts'
import {
  newPersonAt,
  newUniversity,
  ofUniversity,
  whilePolicy,
} from '../../../harness/factories/security-policies.ts'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import type { Student } from '../../../harness/factories/students.ts'
import { serviceClient } from '../../../harness/stack/project.ts'

const project = inject('project')

let university: string
beforeAll(async () => {
  university = await newUniversity(project)
})

/** The policy that is shipped, for the staff of the test's university alone. */
const staffGiveASecondFactor = () => ({
  conditions: {
    all: [
      ofUniversity(university),
      { field: 'role', op: 'in', value: ['counselor', 'university_admin', 'security_admin'] },
      { field: 'aal', op: 'ne', value: 'aal2' },
    ],
  },
  actions: [{ action: 'require_mfa' }],
  enforcement_points: ['request', 'sign_in'] as const,
})

const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** What somebody reaches: functions, REST, Storage and Realtime. */
async function reach({ id, client }: Student, token: string) {
  const response = await call(project, token, 'GET', 'api/training/modules')
  const rest = await client.from('user_roles').select('role')
  const stored = await client.storage
    .from('university-files')
    .upload(`${university}/shared/${crypto.randomUUID()}.txt`, 'text', { contentType: 'text/plain' })
  const channel = client.channel(`account:${id}`, { config: { private: true } })
  const joined = await subscribed(channel).then(
    () => true,
    () => false,
  )
  await client.removeChannel(channel)
  return {
    functions: response.body.code ?? response.status,
    rest: rest.error?.hint ?? rest.data?.length,
    storage: stored.error === null,
    realtime: joined,
  }
}

const NOWHERE = { functions: 'mfa_required', rest: 'mfa_required', storage: false, realtime: false }
const EVERYWHERE = { functions: 200, rest: 1, storage: true, realtime: true }

describe('staff without a second factor', () => {
  test('reach nothing until they give the code of their app, and nothing again once it is removed', async () => {
    const counselor = await newPersonAt(project, university, 'counselor')
    expect(await reach(counselor, counselor.token)).toEqual(EVERYWHERE)
    await whilePolicy(project, staffGiveASecondFactor(), async () => {
      expect(await reach(counselor, counselor.token)).toEqual(NOWHERE)

      const { token, factorId } = await addAuthenticator(counselor.client)
      expect(claimsOf(token)).toMatchObject({ aal: 'aal2' })
      expect(claimsOf(token)).not.toHaveProperty('mfa_required')
      expect(await reach(counselor, token)).toEqual(EVERYWHERE)

      // The session counts, at once: its token says aal2 until it is refreshed.
      const { error } = await counselor.client.auth.mfa.unenroll({ factorId })
      expect(error).toBeNull()
      expect(claimsOf(token)).toMatchObject({ aal: 'aal2' })
      expect((await reach(counselor, token)).functions).toBe('mfa_required')
      const rest = await createClient(project.apiUrl, project.publishableKey, {
        accessToken: async () => token,
      })
        .from('user_roles')
        .select('role')
      expect([rest.status, rest.error?.hint]).toEqual([403, 'mfa_required'])
    })
  })

  test('are let in to give it, with a token that says so', async () => {
    const admin = await newPersonAt(project, university, 'university_admin')
    await whilePolicy(project, staffGiveASecondFactor(), async () => {
      const { data, error } = await admin.client.auth.refreshSession()
      expect(error).toBeNull()
      expect(claimsOf(data.session?.access_token ?? '')).toMatchObject({
        aal: 'aal1',
        mfa_required: true,
        email_verified: true,
      })
    })
  })

  test('and students are not asked', async () => {
    const student = await newPersonAt(project, university)
    await whilePolicy(project, staffGiveASecondFactor(), async () => {
      const { functions, rest, realtime } = await reach(student, student.token)
      expect({ functions, rest, realtime }).toEqual({ functions: 200, rest: 1, realtime: true })
    })
  })

  test('the secret key is nobody’s session', async () => {
    await whilePolicy(
      project,
      { ...staffGiveASecondFactor(), conditions: { not: ofUniversity('nowhere') }, dry_run: true },
      async () => {
        expect((await serviceClient(project).from('user_roles').select('role').limit(1)).status).toBe(200)
      },
    )
  })
})
