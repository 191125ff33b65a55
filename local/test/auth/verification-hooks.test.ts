import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dataOf, startStack, type TestStack } from '../gateway/stack.ts'

let stack: TestStack

/** Keeps what the hook is given, and answers as the nickname of the account says. */
const hook = `
  create table public.attempts (id bigint generated always as identity, event jsonb not null);
  create function public.decide(event jsonb) returns jsonb language plpgsql security definer set search_path = '' as $$
  declare
    nickname text := (select raw_user_meta_data ->> 'nickname' from auth.users where id = (event ->> 'user_id')::uuid);
  begin
    insert into public.attempts (event) values (event);
    if nickname = 'failed' then
      raise exception 'Broken';
    end if;
    return case nickname
      when 'rejected' then '{"decision": "reject"}'::jsonb
      when 'rejected with words' then '{"decision": "reject", "message": "Not today"}'
      when 'refused' then '{"error": {"http_code": 429, "message": "Too often"}}'
      else '{"decision": "continue"}'
    end;
  end
  $$;
  grant usage on schema public to supabase_auth_admin;
`

const uri = 'pg-functions://postgres/public/decide'

beforeAll(async () => {
  stack = await startStack(hook, {
    factorRequestsPerMinute: 1000,
    config: {
      auth: {
        mfa: { totp: { enroll_enabled: true, verify_enabled: true } },
        hook: { mfa_verification_attempt: { enabled: true, uri } },
      },
    },
  })
})
afterAll(() => stack?.stop())

/** A person of whose codes the hook says what the nickname asks for. */
async function person(nickname: string) {
  const user = await stack.user('answered')
  const { id: factorId, totp } = dataOf(
    await user.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' }),
  )
  await stack.admin.auth.admin.updateUserById(user.id, { user_metadata: { nickname } })
  const code = new TOTP({ secret: Secret.fromBase32(totp.secret) }).generate()
  const wrong = String((Number(code) + 500_000) % 1_000_000).padStart(6, '0')
  const give = (given: string) => user.client.auth.mfa.challengeAndVerify({ factorId, code: given })
  const attempts = async () =>
    (
      await stack.sql`select event from public.attempts where event ->> 'user_id' = ${user.id} order by id`
    ).map(({ event }) => event)
  const sessions = async () => (await stack.sql`select from auth.sessions where user_id = ${user.id}`).length
  return { ...user, factorId, code, wrong, give, attempts, sessions }
}

describe('the hook for codes', () => {
  it('is told of wrong and of right ones', async () => {
    const { id, factorId, give, wrong, code, attempts } = await person('')
    expect((await give(wrong)).error).toMatchObject({ status: 422, code: 'mfa_verification_failed' })
    expect((await give(code)).error).toBeNull()
    const common = {
      metadata: {
        uuid: expect.any(String),
        time: expect.any(String),
        name: 'mfa-verification',
        ip_address: '127.0.0.1',
      },
      ...{ user_id: id, factor_id: factorId, factor_type: 'totp' },
    }
    expect(await attempts()).toEqual([
      { ...common, valid: false },
      { ...common, valid: true },
    ])
  })

  it.each([
    ['rejected', 'Further MFA verification attempts will be rejected.'],
    ['rejected with words', 'Not today'],
  ])('that rejects ends every session of the account: %s', async (nickname, message) => {
    const { email, password, give, code, sessions } = await person(nickname)
    dataOf(await stack.client().auth.signInWithPassword({ email, password }))
    expect(await sessions()).toBe(2)
    expect((await give(code)).error).toMatchObject({
      ...{ status: 403, code: 'mfa_verification_rejected', message },
    })
    expect(await sessions()).toBe(0)
  })

  it('that returns an error ends no session, and what it has written stays', async () => {
    const { give, code, attempts, sessions } = await person('refused')
    expect((await give(code)).error).toMatchObject({ status: 429, code: 'unknown', message: 'Too often' })
    expect([(await attempts()).length, await sessions()]).toEqual([1, 1])
  })

  it('that fails lets nobody in', async () => {
    const { give, code, attempts } = await person('failed')
    expect((await give(code)).error).toMatchObject({ status: 500 })
    expect(await attempts()).toEqual([])
  })
})
