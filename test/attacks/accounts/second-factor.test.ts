import { describe, expect, inject, test } from 'vitest'
import { addAuthenticator, codeOf } from '../../../harness/factories/authenticator.ts'
import { newStudent, type Student, secondDevice } from '../../../harness/factories/students.ts'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** A student who gives codes of an app, and the key of the app. */
async function studentWithApp() {
  const student = await newStudent(project, [])
  const { factorId, secret } = await addAuthenticator(student.client)
  return { ...student, factorId, secret }
}

type Guesser = { token: string; factorId: string }

/** Somebody who has the password, and nothing else. */
async function guesserAt(student: Student & { factorId: string }): Promise<Guesser> {
  const { auth } = await secondDevice(project, student)
  const { data } = await auth.getSession()
  return { token: data.session?.access_token ?? '', factorId: student.factorId }
}

/** Asks Auth as somebody at an address, which the gateway would name. */
async function ask(path: string, { token }: { token: string }, address: string, body: unknown = {}) {
  const response = await fetch(`${project.apiUrl}/auth/v1/${path}`, {
    method: 'POST',
    headers: {
      apikey: project.secretKey,
      authorization: `Bearer ${token}`,
      'sb-forwarded-for': address,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: await response.json() }
}

const addressOf = (index: number) => `2001:db8:${index.toString(16)}::1`

async function challenge(guesser: Guesser, address: string): Promise<string> {
  return (await ask(`factors/${guesser.factorId}/challenge`, guesser, address)).body.id
}

async function giveCode(guesser: Guesser, code: string, address: string) {
  const challenge_id = await challenge(guesser, address)
  return ask(`factors/${guesser.factorId}/verify`, guesser, address, { challenge_id, code })
}

const wrongCodeOf = (secret: string) =>
  String((Number(codeOf(secret)) + 500_000) % 1_000_000).padStart(6, '0')

/** Statuses of wrong codes, each from an address of its own. */
async function guess(guesser: Guesser, secret: string, times: number, first = 0) {
  const statuses: number[] = []
  for (let index = first; index < first + times; index++) {
    statuses.push((await giveCode(guesser, wrongCodeOf(secret), addressOf(index))).status)
  }
  return statuses
}

const works = async (token: string) =>
  (
    await fetch(`${project.apiUrl}/auth/v1/user`, {
      headers: { apikey: project.publishableKey, authorization: `Bearer ${token}` },
    })
  ).ok

describe('somebody who has the password and guesses the code', () => {
  test('is refused and signed out after ten, from however many addresses, and the owner stays signed in', async () => {
    const owner = await studentWithApp()
    const guesser = await guesserAt(owner)
    expect(await guess(guesser, owner.secret, 9)).toEqual(Array(9).fill(422))
    expect(await works(guesser.token)).toBe(true)

    expect(await giveCode(guesser, wrongCodeOf(owner.secret), addressOf(9))).toMatchObject({
      status: 429,
      body: {
        msg: expect.stringMatching(
          /^Too many wrong codes\. No code is taken before \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
        ),
      },
    })
    expect(await works(guesser.token)).toBe(false)
    expect(await works(owner.token)).toBe(true)
  })

  test('is refused with the right code too until the time is over', async () => {
    const owner = await studentWithApp()
    await guess(await guesserAt(owner), owner.secret, 10)
    const again = await guesserAt(owner)
    const refused = await giveCode(again, codeOf(owner.secret), addressOf(10))
    expect([refused.status, await works(again.token)]).toEqual([429, false])

    await withDatabase(
      project,
      (sql) => sql`
        update private.rate_limit_uses
        set used_at = array(select t - interval '16 minutes' from unnest(used_at) t)
        where subject = ${owner.id} and scope = 'second-factor'`,
    )
    await withDatabase(
      project,
      (sql) => sql`
        update auth.mfa_challenges set created_at = created_at - interval '16 minutes' where factor_id = ${owner.factorId}`,
    )
    const later = await giveCode(await guesserAt(owner), codeOf(owner.secret), addressOf(11))
    expect(later.status).toBe(200)
  })

  test('gets no more tries by guessing at once', async () => {
    const owner = await studentWithApp()
    const guesser = await guesserAt(owner)
    const addresses = Array.from({ length: 40 }, (_, index) => addressOf(index))
    // One after the other: GoTrue's own statements for challenges of one factor block one another.
    const challenges: string[] = []
    for (const address of addresses) challenges.push(await challenge(guesser, address))
    const answers = await Promise.all(
      addresses.map((address, index) =>
        ask(`factors/${owner.factorId}/verify`, guesser, address, {
          challenge_id: challenges[index],
          code: wrongCodeOf(owner.secret),
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(9)
    const [counted] = await withDatabase(
      project,
      (sql) => sql`
        select cardinality(used_at) as failures from private.rate_limit_uses
        where subject = ${owner.id} and scope = 'second-factor'`,
    )
    expect(counted).toEqual({ failures: 10 })
  })

  test('is an incident, and the owner is told that somebody has the password', async () => {
    const owner = await studentWithApp()
    await guess(await guesserAt(owner), owner.secret, 10)
    const found = await withDatabase(project, async (sql) => {
      const events = await sql`
        select sum(occurrences)::integer as codes, count(distinct address)::integer as networks from private.security_events
        where kind = 'second_factor_failed' and account = ${owner.id}`
      await sql`select from private.detect_incidents()`
      const incidents = await sql`
        select type, severity, affected_users, response -> 0 ->> 'action' as response from public.security_incidents
        where key = ${`second_factor:${owner.id}`}`
      const mails = await sql`
        select recipient, subject from private.outbox where user_id = ${owner.id} and purpose = 'second_factor_guessing'`
      return { events: [...events], incidents: [...incidents], mails: [...mails] }
    })
    expect(found).toEqual({
      events: [{ codes: 10, networks: 10 }],
      incidents: [
        {
          type: 'brute_force_attacks',
          severity: 'high',
          affected_users: [owner.id],
          response: 'send_alert',
        },
      ],
      mails: [{ recipient: owner.email, subject: 'Somebody has your password' }],
    })
  })

  test('writes a row a minute once refused, however many addresses it is tried from', async () => {
    const owner = await studentWithApp()
    await guess(await guesserAt(owner), owner.secret, 10)
    const rows = () =>
      withDatabase(
        project,
        (sql) => sql`
          select from private.security_events where kind = 'second_factor_failed' and account = ${owner.id}`,
      )
    expect(await rows()).toHaveLength(10)
    for (let index = 10; index < 15; index++) await guess(await guesserAt(owner), owner.secret, 1, index)
    // Two where a minute ends meanwhile.
    expect([11, 12]).toContain((await rows()).length)
  })
})

/** A student with an app who began to add another, and left it: its id is told to whoever is signed in. */
async function studentWithAbandonedApp() {
  const owner = await studentWithApp()
  const { data } = await owner.client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })
  return { owner, abandoned: { factorId: data?.id ?? '', secret: data?.totp.secret ?? '' } }
}

describe('somebody who has the password, and an app that the owner began to add and left', () => {
  test('gets ten codes of both apps together', async () => {
    const { owner, abandoned } = await studentWithAbandonedApp()
    const guesser = await guesserAt(owner)
    expect(await guess(guesser, owner.secret, 4)).toEqual(Array(4).fill(422))
    const other = { ...guesser, factorId: abandoned.factorId }
    expect(await guess(other, abandoned.secret, 6, 4)).toEqual([...Array(5).fill(422), 429])
    expect([await works(guesser.token), await works(owner.token)]).toEqual([false, true])
    const logged = await withDatabase(
      project,
      (sql) => sql`
        select sum(occurrences)::integer as codes from private.security_events
        where kind = 'second_factor_failed' and account = ${owner.id}`,
    )
    expect([...logged]).toEqual([{ codes: 10 }])
  })

  test('does not get in by a right code of it, and the owner who has given one of the other app adds it', async () => {
    const { owner, abandoned } = await studentWithAbandonedApp()
    const guesser = { ...(await guesserAt(owner)), factorId: abandoned.factorId }
    expect(await giveCode(guesser, codeOf(abandoned.secret), addressOf(0))).toMatchObject({
      status: 403,
      body: { msg: expect.stringMatching(/^Give a code of an app that you have set up already/) },
    })
    const factors = await withDatabase(
      project,
      (sql) => sql`select status from auth.mfa_factors where id = ${abandoned.factorId}`,
    )
    expect([...factors]).toEqual([{ status: 'unverified' }])

    const added = { token: owner.token, factorId: abandoned.factorId }
    expect((await giveCode(added, codeOf(abandoned.secret), addressOf(1))).status).toBe(200)
    const signedIn = { ...(await guesserAt(owner)), factorId: abandoned.factorId }
    expect((await giveCode(signedIn, codeOf(abandoned.secret), addressOf(2))).status).toBe(200)
  })

  test('is found by challenges of it where Auth does not tell of wrong codes', async () => {
    const { owner, abandoned } = await studentWithAbandonedApp()
    const guesser = await guesserAt(owner)
    for (let index = 0; index < 10; index++) {
      await challenge({ ...guesser, factorId: abandoned.factorId }, addressOf(index))
    }
    const refused = await giveCode(guesser, codeOf(owner.secret), addressOf(10))
    expect(refused.status).toBe(429)
    const incidents = await withDatabase(project, async (sql) => {
      await sql`select from private.detect_incidents()`
      return sql`
        select indicators ->> 'seen' as seen from public.security_incidents where key = ${`second_factor:${owner.id}`}`
    })
    expect([...incidents]).toEqual([{ seen: 'challenges without an answer' }])
  })
})

// Hosted projects have the MFA verification hook from the Team plan on.
describe('where Auth does not tell of wrong codes', () => {
  /** As many wrong codes as Auth keeps of them: a challenge each. */
  async function guessUnseen(guesser: Guesser, times: number) {
    for (let index = 0; index < times; index++) await challenge(guesser, addressOf(index))
  }

  test('ten challenges without an answer are taken for wrong codes', async () => {
    const owner = await studentWithApp()
    const guesser = await guesserAt(owner)
    await guessUnseen(guesser, 9)
    expect((await giveCode(guesser, codeOf(owner.secret), addressOf(20))).status).toBe(200)

    const again = await guesserAt(owner)
    await guessUnseen(again, 1)
    const refused = await giveCode(again, codeOf(owner.secret), addressOf(21))
    expect(refused).toMatchObject({
      status: 429,
      body: { msg: expect.stringMatching(/^Too many wrong codes/) },
    })
    const levels = await withDatabase(
      project,
      (sql) => sql`select aal from auth.sessions where user_id = ${owner.id} order by aal`,
    )
    expect(levels.filter(({ aal }) => aal === 'aal1')).toHaveLength(1)
  })

  test('one that has expired counts, although Auth deletes it when a code is given for it', async () => {
    const owner = await studentWithApp()
    const guesser = await guesserAt(owner)
    const challenge_id = await challenge(guesser, addressOf(0))
    await withDatabase(
      project,
      (sql) =>
        sql`update auth.mfa_challenges set created_at = now() - interval '1 hour' where id = ${challenge_id}`,
    )
    const path = `factors/${owner.factorId}/verify`
    const late = await ask(path, guesser, addressOf(0), { challenge_id, code: codeOf(owner.secret) })
    expect(late).toMatchObject({ status: 422, body: { error_code: 'mfa_challenge_expired' } })
    const kept = await withDatabase(
      project,
      (sql) => sql`select from auth.mfa_challenges where id = ${challenge_id}`,
    )
    expect(kept).toHaveLength(1)
  })

  test('they are an incident, and the sessions without a code end', async () => {
    const owner = await studentWithApp()
    const guesser = await guesserAt(owner)
    await guessUnseen(guesser, 10)
    const incidents = await withDatabase(project, async (sql) => {
      await sql`select from private.detect_incidents()`
      return sql`
        select indicators ->> 'seen' as seen from public.security_incidents where key = ${`second_factor:${owner.id}`}`
    })
    expect([...incidents]).toEqual([{ seen: 'challenges without an answer' }])
    expect([await works(guesser.token), await works(owner.token)]).toEqual([false, true])
  })
})

describe('a person', () => {
  test('whose app an administrator has removed sets up another, whatever codes were tried before', async () => {
    const owner = await studentWithApp()
    await guess(await guesserAt(owner), owner.secret, 10)
    const removed = await serviceClient(project).auth.admin.mfa.deleteFactor({
      id: owner.factorId,
      userId: owner.id,
    })
    expect(removed.error).toBeNull()
    await expect(addAuthenticator(await secondDevice(project, owner))).resolves.toMatchObject({
      factorId: expect.any(String),
    })
  })

  test('who mistypes while setting up an app is taken for nobody who guesses', async () => {
    const { client, token, id } = await newStudent(project, [])
    const { data } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    const factor = { token, factorId: data?.id ?? '' }
    const secret = data?.totp.secret ?? ''
    await guess(factor, secret, 5)
    expect((await giveCode(factor, codeOf(secret), addressOf(30))).status).toBe(200)
    const rows = await withDatabase(
      project,
      (sql) => sql`
        select from private.security_events where kind = 'second_factor_failed' and account = ${id}`,
    )
    expect(rows).toHaveLength(0)
  })

  test('who mistypes while adding a second app stays signed in', async () => {
    const { owner, abandoned } = await studentWithAbandonedApp()
    const session = { token: owner.token, factorId: abandoned.factorId }
    expect((await guess(session, abandoned.secret, 10)).at(-1)).toBe(429)
    expect(await works(owner.token)).toBe(true)
  })

  test('who mistypes three times gets in', async () => {
    const owner = await studentWithApp()
    const session = await guesserAt(owner)
    expect(await guess(session, owner.secret, 3)).toEqual([422, 422, 422])
    expect((await giveCode(session, codeOf(owner.secret), addressOf(3))).status).toBe(200)
  })
})
