import { expect, inject, test } from 'vitest'
import { newAccount, PASSWORD, signInCall, tokensOf } from '../../../harness/factories/accounts.ts'
import { codeOf } from '../../../harness/factories/authenticator.ts'

const project = inject('project')

async function signedIn() {
  const { email } = await newAccount(project)
  const tokens = tokensOf(await signInCall(project, 'signin', { email, password: PASSWORD }))
  return { email, token: tokens.access_token }
}

const as = (token: string) => ({ authorization: `Bearer ${token}` })

test('an authenticator app is added, asked for, and removed by path', async () => {
  const { token } = await signedIn()
  const mfa = (step: string, body: unknown, bearer = token) =>
    signInCall(project, `mfa/${step}`, body, as(bearer))
  const added = await mfa('enroll', { friendly_name: 'Phone' })
  expect(added.status).toBe(200)
  const { factor_id, secret, qr_code } = Object(added.body)
  expect(qr_code).toMatch(/^data:image\/svg\+xml/)

  const wrong = await mfa('verify', { factor_id, code: '000000' })
  expect([wrong.status, wrong.body.code]).toEqual([403, 'wrong_code'])
  const asked = await mfa('challenge', { factor_id })
  const { challenge_id } = Object(asked.body)
  const given = await mfa('verify', { factor_id, challenge_id, code: codeOf(secret) })
  expect(given.status).toBe(200)
  const raised = tokensOf(given).access_token
  const { aal } = JSON.parse(Buffer.from(raised.split('.')[1] ?? '', 'base64url').toString())
  expect(aal).toBe('aal2')

  const listed = await fetch(`${project.apiUrl}/functions/v1/api/auth/mfa/factors`, { headers: as(raised) })
  expect(await listed.json()).toMatchObject({
    factors: [{ factor_id, friendly_name: 'Phone', verified: true }],
  })
  const again = await mfa('enroll', { friendly_name: 'Phone' }, raised)
  expect([again.status, again.body.code]).toEqual([409, 'factor_conflict'])
  const unknown = await mfa('unenroll', { factor_id: crypto.randomUUID() }, raised)
  expect([unknown.status, unknown.body.code]).toEqual([404, 'factor_not_found'])
  expect((await mfa('unenroll', { factor_id }, raised)).status).toBe(200)
})

test('an app is removed, and another added, only where a code was given', async () => {
  const { email, token } = await signedIn()
  const added = await signInCall(project, 'mfa/enroll', {}, as(token))
  const { factor_id, secret } = Object(added.body)
  await signInCall(project, 'mfa/verify', { factor_id, code: codeOf(secret) }, as(token))
  const later = tokensOf(await signInCall(project, 'signin', { email, password: PASSWORD })).access_token
  for (const [step, body] of [
    ['unenroll', { factor_id }],
    ['enroll', {}],
  ] as const) {
    const { status, body: said } = await signInCall(project, `mfa/${step}`, body, as(later))
    expect([status, said.code]).toEqual([403, 'mfa_required'])
  }
})

test('a sign-out ends the session, or all', async () => {
  const { email, token } = await signedIn()
  const other = tokensOf(await signInCall(project, 'signin', { email, password: PASSWORD })).access_token
  const signOut = (body: unknown, bearer: string) => signInCall(project, 'signout', body, as(bearer))
  expect((await signOut({}, token)).body).toEqual({ success: true })
  expect((await signOut({}, token)).status).toBe(401)
  expect((await signOut({ scope: 'global' }, other)).status).toBe(200)
  expect((await signOut({}, other)).status).toBe(401)
})
