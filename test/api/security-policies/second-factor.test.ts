import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { addAuthenticator, codeOf } from '../../../harness/factories/authenticator.ts'
import {
  newPersonAt,
  newUniversity,
  ofUniversity,
  whilePolicy,
} from '../../../harness/factories/security-policies.ts'
import { subscribed } from '../../../harness/factories/session-channel.ts'
import type { Student } from '../../../harness/factories/students.ts'
import { localOnly, serviceClient, withDatabase } from '../../../harness/stack/project.ts'

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

describe('a page for staff', () => {
  const page = 'api/training/learn.html'

  /** Sends a form of the page, as a browser does. */
  function submit(cookie: string | null, fields: Record<string, string>) {
    return fetch(`${project.apiUrl}/functions/v1/${page}`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        apikey: project.publishableKey,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...(cookie !== null && { cookie }),
      },
      body: new URLSearchParams(fields),
    })
  }

  const open = async (cookie: string) => {
    const response = await fetch(`${project.apiUrl}/functions/v1/${page}`, {
      headers: { apikey: project.publishableKey, cookie },
    })
    return { status: response.status, text: await response.text() }
  }

  const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

  test('lets them set up an app, takes its code, and asks for it at the next sign-in', async () => {
    const counselor = await newPersonAt(project, university, 'counselor')
    const credentials = { email: counselor.email, password: 'invented-password-1' }
    await whilePolicy(project, staffGiveASecondFactor(), async () => {
      const first = cookieOf(await submit(null, credentials))
      const asked = await open(first)
      expect([asked.status, asked.text.includes('Set up an app')]).toEqual([403, true])

      const added = await (await submit(first, { set_up: '1' })).text()
      const secret = /<code>([A-Z2-7]+)<\/code>/.exec(added)?.[1] ?? ''
      const factor_id = /name="factor_id" value="([^"]+)"/.exec(added)?.[1] ?? ''
      expect(added).toContain('src="data:image/svg+xml')
      const wrong = await submit(first, {
        factor_id,
        code: codeOf(secret) === '000000' ? '000001' : '000000',
      })
      expect([wrong.status, (await wrong.text()).includes('This code is not right')]).toEqual([403, true])
      const right = await submit(first, { factor_id, code: codeOf(secret) })
      expect(right.status).toBe(303)
      const shown = await open(cookieOf(right))
      expect([shown.status, shown.text.includes('Your training')]).toEqual([200, true])

      const second = cookieOf(await submit(null, credentials))
      const again = await open(second)
      expect([again.status, again.text.includes('Code of your authenticator app')]).toEqual([403, true])
      const given = await submit(second, { code: codeOf(secret) })
      expect((await open(cookieOf(given))).status).toBe(200)
    })
  })
})

test(
  'the shipped policy is off in a demonstration',
  localOnly('the seeds are the demonstration’s'),
  async () => {
    const [policy] = await withDatabase(
      project,
      (sql) =>
        sql`select enabled, actions from public.security_policies where id = 'pol_staff_second_factor'`,
    )
    expect(policy).toEqual({ enabled: false, actions: [{ action: 'require_mfa' }] })
  },
)
