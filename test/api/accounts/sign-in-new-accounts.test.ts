import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import { describe, expect, inject, test } from 'vitest'
import {
  newAccount,
  newAddress,
  newcomer,
  PASSWORD,
  type SignInResponse,
  signInCall,
  tokensOf,
} from '../../../harness/factories/accounts.ts'
import { authLinkTo, mailsTo, takeLink } from '../../../harness/factories/mails.ts'
import { newUniversityWith } from '../../../harness/factories/universities.ts'
import { localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

const project = inject('project')

const signUp = (body: unknown) => signInCall(project, 'signup', body)
const signIn = (email: string, password = PASSWORD) => signInCall(project, 'signin', { email, password })

/** What an answer tells, but for the time and the names of the requests. */
function told({ status, text, headers }: SignInResponse) {
  const changing = [
    'date',
    'x-request-id',
    'sb-request-id',
    'traceparent',
    'ratelimit-remaining',
    'ratelimit-reset',
  ]
  return { status, text, headers: [...headers].filter(([name]) => !changing.includes(name)) }
}

async function universityOf(email: string): Promise<string | null | undefined> {
  const [profile] = await withDatabase(
    project,
    (sql) => sql<{ university_id: string | null }[]>`
      select p.university_id from public.profiles p join auth.users u on u.id = p.user_id where u.email = ${email}`,
  )
  return profile?.university_id
}

describe('signup', () => {
  test(
    'makes an account that begins with the link of its mail, at the university of the address',
    localOnly('reads the inbox'),
    async () => {
      const person = newcomer()
      const answer = await signUp({ ...person, university_id: 'northfield' })
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ success: true, verification_required: true })

      const early = await signIn(person.email)
      expect(early.status).toBe(401)
      expect(early.body).toMatchObject({ success: false, code: 'invalid_credentials' })

      expect(await takeLink(project, await authLinkTo(person.email))).toMatchObject({ error: null })

      const signedIn = await signIn(person.email)
      expect(signedIn.body).toMatchObject({
        success: true,
        user: { email: person.email, email_verified: true, first_name: 'New', last_name: 'Comer' },
      })
      const client = createClient<Database>(project.apiUrl, project.publishableKey, {
        auth: { persistSession: false },
        global: { headers: { authorization: `Bearer ${tokensOf(signedIn).access_token}` } },
      })
      const { data } = await client.from('profiles').select('first_name, last_name, university_id').single()
      expect(data).toEqual({ first_name: 'New', last_name: 'Comer', university_id: 'northfield' })
    },
  )

  test('answers alike, byte by byte, whether or not the address has an account', async () => {
    const { email: confirmed } = await newAccount(project)
    const { email: unconfirmed } = newcomer()
    await signUp(newcomer(unconfirmed))
    const answers = await Promise.all([
      signUp(newcomer()),
      signUp(newcomer(confirmed)),
      signUp(newcomer(confirmed.toUpperCase())),
      signUp(newcomer(unconfirmed)),
    ])
    const [first] = answers
    if (!first) throw new Error('There is no answer')
    expect(first.body).toEqual({ success: true, verification_required: true })
    for (const answer of answers) expect(told(answer)).toEqual(told(first))
  })

  test('and then a sign-in with the same password tell nobody whether the address had an account before', async () => {
    const { email: taken } = await newAccount(project)
    const password = 'another-password-2'
    const [known, unknown, neverSignedUp] = await Promise.all(
      [newcomer(taken), newcomer(), null].map(async (person) => {
        if (person) await signUp({ ...person, password })
        return told(await signIn(person?.email ?? newAddress(), password))
      }),
    )
    const withoutTime = (answer?: ReturnType<typeof told>) => ({
      ...answer,
      text: answer?.text.replace(/"timestamp":"[^"]+"/, ''),
    })
    expect(known).toMatchObject({ status: 401, text: expect.stringContaining('invalid_credentials') })
    expect(withoutTime(unknown)).toEqual(withoutTime(known))
    expect(withoutTime(neverSignedUp)).toEqual(withoutTime(known))
  })

  test('refuses alike whether or not the address has an account', async () => {
    const { email } = await newAccount(project)
    for (const fault of [{ password: 'short' }, { first_name: '' }, { university_id: 'nowhere' }]) {
      const [known, unknown] = await Promise.all([
        signUp({ ...newcomer(email), ...fault }),
        signUp({ ...newcomer(), ...fault }),
      ])
      const withoutTime = ({ body: { timestamp: _, ...body }, status }: SignInResponse) => ({ status, body })
      expect(known.status).toBe(400)
      expect(withoutTime(known)).toEqual(withoutTime(unknown))
    }
  })

  test('takes its usual time for an error as well, which so says nothing about the address', async () => {
    // The first call starts the function.
    await signUp({ ...newcomer(), password: 'short' })
    const begun = performance.now()
    expect((await signUp({ ...newcomer(), password: 'short' })).body.code).toBe('weak_password')
    // A timer may fire a moment early.
    expect(performance.now() - begun).toBeGreaterThan(990)
  })

  test('rejects a body of more than 10 kB', async () => {
    const { status, body } = await signUp({ ...newcomer(), password: 'x'.repeat(10_000) })
    expect({ status, ...body }).toMatchObject({
      status: 400,
      success: false,
      code: 'body_too_large',
      details: { max_bytes: 10_000 },
    })
  })

  test('leaves an account as it is', localOnly('reads the inbox'), async () => {
    const { id, email } = await newAccount(project)
    await signUp({ ...newcomer(email), password: 'another-password-2', first_name: 'Mallory' })
    expect((await signIn(email)).body).toMatchObject({ success: true, user: { id, email } })
    expect((await signIn(email, 'another-password-2')).status).toBe(401)
    expect(await mailsTo(email)).toEqual([])
  })

  test('answers for another address of a mailbox with an account as for the address itself', async () => {
    const { id, email } = await newAccount(project)
    const another = email.replace('@', '+1@')
    const answers = await Promise.all([signUp(newcomer(another)), signUp(newcomer(another.toUpperCase()))])
    const [known] = await Promise.all([signUp(newcomer(email))])
    for (const answer of answers) expect(told(answer)).toEqual(told(known))
    const weak = { password: 'short' }
    expect((await signUp({ ...newcomer(another), ...weak })).body.code).toBe('weak_password')
    expect(await universityOf(another)).toBeUndefined()
    expect((await signIn(email)).body).toMatchObject({ user: { id } })
  })

  test('of one address at the same time makes one account', async () => {
    const person = newcomer()
    const answers = await Promise.all(Array.from({ length: 5 }, () => signUp(person)))
    for (const { status, body } of answers) {
      expect({ status, ...body }).toEqual({ status: 200, success: true, verification_required: true })
    }
    const accounts = await withDatabase(
      project,
      (sql) => sql`select 1 from auth.users where email = ${person.email}`,
    )
    expect(accounts).toHaveLength(1)
  })

  test.each([
    ['a1', ['length']],
    ['only-letters-here', ['characters']],
    ['tiny', ['length', 'characters']],
    ['12345678901234', ['characters']],
  ])('refuses the weak password %s and says why', async (password, reasons) => {
    const { status, body } = await signUp({ ...newcomer(), password })
    expect(status).toBe(400)
    expect(body).toEqual({
      success: false,
      error: expect.stringMatching(/^Choose another password: this one .+\.$/),
      code: 'weak_password',
      details: { reasons },
      timestamp: expect.any(String),
    })
    expect(JSON.stringify(body)).not.toContain(password)
  })

  test.each<[string, Record<string, unknown>]>([
    ['no address', { email: undefined }],
    ['a text that is no address', { email: 'robin@' }],
    ['no password', { password: undefined }],
    ['a password that is longer than its hash takes', { password: 'ä1'.repeat(25) }],
    ['no first name', { first_name: undefined }],
    ['an empty last name', { last_name: '   ' }],
    ['a very long name', { first_name: 'x'.repeat(101) }],
    ['NUL in a name', { first_name: 'a\0b' }],
    ['half of a surrogate pair in a name', { first_name: '\ud83d' }],
    ['an object for a name', { last_name: { first: 'a' } }],
    ['a number for a university', { university_id: 1 }],
    ['an empty university', { university_id: '' }],
  ])('refuses %s', async (_, fault) => {
    const { status, body } = await signUp({ ...newcomer(), ...fault })
    expect(status).toBe(400)
    expect(body).toMatchObject({ success: false, code: 'invalid_parameters' })
  })
})

describe('the university of a new account', () => {
  test('is that of the mail domain, or of the domain that it is part of', async () => {
    const { id, domain } = await newUniversityWith(project)
    for (const host of [domain, `students.${domain}`]) {
      const email = `person-${crypto.randomUUID()}@${host}`
      expect((await signUp({ ...newcomer(email), university_id: id })).status).toBe(200)
      expect(await universityOf(email)).toBe(id)
    }
  })

  test('may be left to the mail domain, and is none where no university has it', async () => {
    const [atHome, elsewhere] = [newAddress(), `person-${crypto.randomUUID()}@elsewhere.example.com`]
    await Promise.all([signUp(newcomer(atHome)), signUp(newcomer(elsewhere))])
    expect(await universityOf(atHome)).toBe('northfield')
    expect(await universityOf(elsewhere)).toBeNull()
  })

  test('may be one that takes addresses of other domains', async () => {
    const open = await newUniversityWith(project, { accepts_other_domains: true })
    const email = `person-${crypto.randomUUID()}@elsewhere.example.com`
    expect((await signUp({ ...newcomer(email), university_id: open.id })).status).toBe(200)
    expect(await universityOf(email)).toBe(open.id)
  })

  test('may not be one that is unknown, takes no other domains, or would lose to the mail domain', async () => {
    const open = await newUniversityWith(project, { accepts_other_domains: true })
    const elsewhere = () => `person-${crypto.randomUUID()}@elsewhere.example.com`
    const attempts: [string, string][] = [
      [elsewhere(), 'nowhere'],
      [elsewhere(), 'northfield'],
      [newAddress(), 'eastbrook'],
      [newAddress(), open.id],
      [newAddress(), "northfield' or true --"],
    ]
    for (const [email, university_id] of attempts) {
      const { status, body } = await signUp({ ...newcomer(email), university_id })
      expect({ status, ...body }).toMatchObject({
        status: 400,
        success: false,
        code: 'university_not_accepted',
      })
      expect(await universityOf(email)).toBeUndefined()
    }
  })
})

describe('an address that two people sign up', localOnly('reads the inbox'), () => {
  const phone = () =>
    createClient<Database>(project.apiUrl, project.publishableKey, { auth: { persistSession: false } })

  /** The ways to sign up. */
  const ways = {
    'through the API': async (person: ReturnType<typeof newcomer>) => {
      expect((await signUp(person)).status).toBe(200)
    },
    'with supabase-js': async ({ email, password, ...data }: ReturnType<typeof newcomer>) => {
      expect((await phone().auth.signUp({ email, password, options: { data } })).error).toBeNull()
    },
  }
  const pairs = Object.entries(ways).flatMap(([first, signUpFirst]) =>
    Object.entries(ways).map(([second, signUpSecond]) => [first, second, signUpFirst, signUpSecond] as const),
  )

  const mallory = (email: string) => ({
    ...newcomer(email),
    password: 'password-of-mallory-1',
    first_name: 'Mallory',
  })

  /** Lets a minute pass, after which Auth sends a second mail. */
  async function aMinuteLater(email: string): Promise<void> {
    const sql = postgres(localStack().adminUrl, { max: 1 })
    await sql.begin(async (transaction) => {
      await transaction`set local session_replication_role = replica`
      await transaction`
        update auth.users set confirmation_sent_at = confirmation_sent_at - interval '2 minutes' where email = ${email}`
    })
    await sql.end()
  }

  /** What the newest mail to an address lets its owner do: a client that is signed in by its code. */
  async function confirmed(email: string, type: 'signup' | 'recovery' = 'signup') {
    const [newest] = await mailsTo(email)
    return confirmedBy(newest, email, type)
  }

  async function confirmedBy(
    mail: { text: string } | undefined,
    email: string,
    type: 'signup' | 'recovery' = 'signup',
  ) {
    const client = phone()
    const token = mail?.text.match(/^(\d{10})$/m)?.[1] ?? ''
    const { data, error } = await client.auth.verifyOtp({ email, token, type })
    expect(error).toBeNull()
    return { client, user: data.user }
  }

  /** Expects that nothing that Mallory chose is left, and that the owner can choose a password. */
  async function expectOwned(
    email: string,
    { client, user }: Awaited<ReturnType<typeof confirmed>>,
  ): Promise<void> {
    expect((await signIn(email, 'password-of-mallory-1')).status).toBe(401)
    const early = await phone().auth.signInWithPassword({ email, password: 'password-of-mallory-1' })
    expect(early.error?.code).toBe('invalid_credentials')
    expect(JSON.stringify(user)).not.toContain('Mallory')
    expect((await client.from('profiles').select('first_name, university_id').single()).data).toEqual({
      first_name: '',
      university_id: 'northfield',
    })
    expect((await client.auth.updateUser({ password: 'password-of-the-owner-1' })).error).toBeNull()
    expect((await signIn(email, 'password-of-the-owner-1')).status).toBe(200)
  }

  test.each(pairs)('first %s, then %s, is its owner’s who opens the mail', async (_, __, first, second) => {
    const email = newAddress()
    await first(mallory(email))
    await aMinuteLater(email)
    await second(newcomer(email))
    await expectOwned(email, await confirmed(email))
  })

  test.each(pairs)('the owner %s and somebody else %s after that, too', async (_, __, first, second) => {
    const email = newAddress()
    await first(newcomer(email))
    await aMinuteLater(email)
    await second(mallory(email))
    await expectOwned(email, await confirmed(email))
  })

  test.each(Object.entries(ways))('within a minute, the first %s', async (_, first) => {
    const email = newAddress()
    await first(mallory(email))
    await signUp(newcomer(email))
    expect(await mailsTo(email)).toHaveLength(1)
    await expectOwned(email, await confirmed(email))
  })

  test('at once is its owner’s', async () => {
    // Whose account it becomes first is chance.
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        const email = newAddress()
        await Promise.all([signUp(mallory(email)), signUp(newcomer(email))])
        // Of two mails of one moment either may hold the code that counts.
        const opened = (await mailsTo(email)).map((mail) => confirmedBy(mail, email))
        await expectOwned(email, await Promise.any(opened))
      }),
    )
  })

  test('of one mailbox is the account of who opens the first mail', async () => {
    const email = newAddress()
    const others = [1, 2].map((tag) => email.replace('@', `+${tag}@`))
    for (const address of [...others, email]) await ways['with supabase-js'](newcomer(address))
    await confirmed(email)
    for (const address of others) {
      const [mail] = await mailsTo(address)
      const token = mail?.text.match(/^(\d{10})$/m)?.[1] ?? ''
      const { data, error } = await phone().auth.verifyOtp({ email: address, token, type: 'signup' })
      expect({ session: data.session, status: error?.status }).toEqual({ session: null, status: 500 })
      expect((await signIn(address)).status).toBe(401)
    }
    expect((await signIn(email)).status).toBe(200)
  })

  test('keeps the password of the first when the second is rejected', async () => {
    const person = newcomer()
    await signUp(person)
    expect((await signUp({ ...newcomer(person.email), password: 'short' })).body.code).toBe('weak_password')
    await confirmed(person.email)
    expect((await signIn(person.email)).status).toBe(200)
  })

  test('is its owner’s who asks for a new password instead', async () => {
    const email = newAddress()
    await signUp(mallory(email))
    expect((await phone().auth.resetPasswordForEmail(email)).error).toBeNull()
    await expectOwned(email, await confirmed(email, 'recovery'))
  })

  test('keeps the password of somebody who signs up twice within a minute', async () => {
    const person = newcomer()
    await signUp(person)
    await signUp(person)
    await confirmed(person.email)
    expect((await signIn(person.email)).body).toMatchObject({ success: true, user: { first_name: 'New' } })
  })
})
