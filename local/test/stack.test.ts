import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import twilio from 'twilio'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePorts, type IsolateEvent, type Stack, startStack } from '../index.ts'
import { createProject } from './project.ts'

const logged: string[] = []
const events: IsolateEvent[] = []
const project = createProject()
let stack: Stack

async function start(options: { reset?: boolean } = {}): Promise<Stack> {
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  return startStack(
    { root: project.root, port, dbPort, inboxPort, durable: false, env: { GREETING: 'hello' }, ...options },
    { log: (line) => logged.push(line), isolate: (event) => events.push(event) },
  )
}

beforeAll(async () => {
  stack = await start()
})
afterAll(async () => {
  await stack.stop()
  project.remove()
})

function client(key = stack.keys.publishable) {
  return createClient(stack.apiUrl, key, { auth: { persistSession: false, autoRefreshToken: false } })
}

async function signUp(email: string) {
  const person = client()
  const { data, error } = await person.auth.signUp({ email, password: 'correct horse 1' })
  if (error || !data.user) throw error ?? new Error('nobody signed up')
  return { person, id: data.user.id }
}

test('a project of nothing but its config.toml starts too', async () => {
  const root = mkdtempSync(join(tmpdir(), 'bare-'))
  mkdirSync(join(root, 'supabase'))
  writeFileSync(join(root, 'supabase', 'config.toml'), 'project_id = "bare"\n')
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  const bare = await startStack({ root, port, dbPort, inboxPort, durable: false })
  try {
    const headers = { apikey: bare.keys.publishable }
    const called = await fetch(`${bare.apiUrl}/functions/v1/none`, { headers })
    expect(await called.json()).toMatchObject({ code: 'NOT_FOUND' })
    expect((await fetch(`${bare.apiUrl}/auth/v1/health`, { headers })).status).toBe(200)
  } finally {
    await bare.stop()
    rmSync(root, { recursive: true, force: true })
  }
})

describe('texts', () => {
  /** Responds to a reply with what it was told, and in which environment. */
  const FUNCTION = `
Deno.serve(async (request) => {
  const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from, TWILIO_BASE_URL: api } = Deno.env.toObject()
  const signature = request.headers.get('x-twilio-signature')
  const told = { sid, token, from, api, signature, body: await request.text() }
  return new Response('<Response><Message>' + btoa(JSON.stringify(told)) + '</Message></Response>')
})
`
  async function startWith(env: Record<string, string> = {}, envFile = '') {
    const root = mkdtempSync(join(tmpdir(), 'texts-'))
    mkdirSync(join(root, 'supabase', 'functions', 'texts'), { recursive: true })
    writeFileSync(join(root, 'supabase', 'config.toml'), '[functions.texts]\nverify_jwt = false\n')
    writeFileSync(join(root, 'supabase', 'functions', 'texts', 'index.ts'), FUNCTION)
    writeFileSync(join(root, 'supabase', 'functions', '.env'), envFile)
    const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
    const textMessages = { webhook: '/functions/v1/texts' }
    const own = await startStack({ root, port, dbPort, inboxPort, durable: false, textMessages, env })
    onTestFinished(async () => {
      await own.stop()
      rmSync(root, { recursive: true, force: true })
    })
    return own
  }

  test('go to the inbox through an invented account, whose replies functions hear signed', async () => {
    const own = await startWith()
    const phone = '+12025550123'
    const replied = await fetch(`${own.inboxUrl}/api/phones/${encodeURIComponent(phone)}/replies`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'hello' }),
    })
    const { answers } = await replied.json()
    const told = JSON.parse(atob(answers[0].text))
    expect(told).toMatchObject({ from: '+15005550006', api: own.inboxUrl })
    const fields = Object.fromEntries(new URLSearchParams(told.body))
    expect(fields).toMatchObject({ Body: 'hello', From: phone, AccountSid: told.sid })
    const address = `${own.apiUrl}/functions/v1/texts`
    expect(twilio.validateRequest(told.token, told.signature, address, fields)).toBe(true)

    const client = twilio(told.sid, told.token)
    client.api.baseUrl = told.api
    await client.messages.create({ to: phone, from: told.from, body: 'Good morning' })
    const page = await (await fetch(`${own.inboxUrl}/phones/${encodeURIComponent(phone)}`)).text()
    expect(page).toContain('Good morning')
    expect(own.texts).toBe('inbox')
  })

  test.each<[string, Record<string, string>, string, string | undefined]>([
    ['of its own', {}, 'TWILIO_ACCOUNT_SID=AC1\n', 'AC1'],
    ['that turn it off', { TWILIO_ACCOUNT_SID: '' }, '', ''],
  ])('are left alone in a project with settings %s', async (_, env, envFile, sid) => {
    const own = await startWith(env, envFile)
    expect(own.texts).toBe('own settings')
    const response = await fetch(`${own.apiUrl}/functions/v1/texts`, { method: 'POST' })
    const [, told = ''] = /<Message>(.*)<.Message>/.exec(await response.text()) ?? []
    expect(JSON.parse(atob(told)).sid).toBe(sid)
    expect(JSON.parse(atob(told))).not.toHaveProperty('api')
    const phone = encodeURIComponent('+12025550123')
    expect((await fetch(`${own.inboxUrl}/api/phones/${phone}/replies`, { method: 'POST' })).status).toBe(404)
  })
})

describe('a project with one table, one function and one bucket', () => {
  test('gets its migration and its seed', async () => {
    const sql = postgres(stack.databaseUrl, { max: 1 })
    expect(
      await sql`select body from public.notes where author = '00000000-0000-4000-8000-000000000001'`,
    ).toEqual([{ body: 'a seeded note' }])
    await sql.end()
  })

  test('signs people up, who read and write their own rows only', async () => {
    const ada = await signUp('ada@example.edu')
    const ben = await signUp('ben@example.edu')
    expect((await ada.person.from('notes').insert({ body: 'by Ada' })).error).toBeNull()
    expect((await ada.person.from('notes').select('author, body')).data).toEqual([
      { author: ada.id, body: 'by Ada' },
    ])
    expect((await ben.person.from('notes').select()).data).toEqual([])
    expect((await client().from('notes').select()).error?.code).toBe('42501')
  })

  test('keeps passwords as GoTrue does', async () => {
    const { id } = await signUp('fay@example.edu')
    const sql = postgres(stack.databaseUrl, { max: 1 })
    const [account] = await sql`select encrypted_password as hash from auth.users where id = ${id}`
    expect(account?.hash).toMatch(/^\$2a\$10\$/)
    await sql.end()
  })

  test('calls the function, which needs a token and sees its secrets and nothing else', async () => {
    const { person } = await signUp('cleo@example.edu')
    const { data } = await person.functions.invoke('hello/there')
    // What the caller gives wins over the file.
    expect(data).toEqual({
      greeting: 'hello',
      path: '/hello/there',
      fromFile: 'yes',
      seen: ['GREETING', 'FROM_CONFIG', 'FROM_FILE', 'INBOX_URL'],
    })
    expect((await fetch(`${stack.apiUrl}/functions/v1/hello`)).status).toBe(401)
    expect((await fetch(`${stack.apiUrl}/functions/v1/other`)).status).toBe(404)
  })

  test('tells what the isolate of the function has used, and ends it when asked', async () => {
    const { person } = await signUp('finn@example.edu')
    await person.functions.invoke('hello')
    const [isolate] = stack.functions.isolates()
    expect(isolate).toMatchObject({ name: 'hello', pid: stack.pids().functions.hello, retired: false })
    expect(stack.functions.end('hello', 'cpu')).toBe(true)
    await expect
      .poll(() => events)
      .toContainEqual(expect.objectContaining({ pid: isolate?.pid, reason: 'CPUTime' }))
    expect(stack.functions.counts().hello?.ended).toEqual({ CPUTime: 1 })
    expect((await person.functions.invoke('hello')).error).toBeNull()
  })

  test('gives an isolate one request at a time, as config.toml says', async () => {
    const { person } = await signUp('gil@example.edu')
    const caller = new AbortController()
    const waiting = person.functions.invoke('hello/wait', { signal: caller.signal })
    await expect.poll(() => stack.functions.isolates().map(({ inFlight }) => inFlight)).toContain(1)
    expect((await person.functions.invoke('hello')).error).toBeNull()
    expect(stack.functions.isolates()).toHaveLength(2)
    caller.abort()
    await waiting
  })

  test('uploads to the bucket of config.toml within its limits', async () => {
    const { person, id } = await signUp('dora@example.edu')
    const drawings = person.storage.from('drawings')
    expect((await drawings.upload(`${id}/a.txt`, new Blob(['drawn']))).error).toBeNull()
    expect(await (await drawings.download(`${id}/a.txt`)).data?.text()).toBe('drawn')
    const tooLarge = await drawings.upload(`${id}/b.txt`, new Blob(['x'.repeat(2000)]))
    expect(tooLarge.error?.message).toContain('exceeded the maximum allowed size')
  })

  test('finds in Vault what the caller gave, the address of the functions, and nothing that is set nowhere', async () => {
    const sql = postgres(stack.databaseUrl, { max: 1 })
    expect(
      await sql`select name, decrypted_secret as value from vault.decrypted_secrets order by name`,
    ).toEqual([
      { name: 'functions_url', value: `${stack.apiUrl}/functions/v1` },
      { name: 'greeting', value: 'hello' },
    ])
    await sql.end()
    expect(logged.join('\n')).toContain('vault: unset is not stored')
  })

  test('mails to the inbox', async () => {
    const { error } = await client().auth.resetPasswordForEmail('ada@example.edu')
    expect(error).toBeNull()
    const inbox = await (await fetch(`${stack.inboxUrl}/api/messages?to=ada@example.edu`)).json()
    expect(inbox).toMatchObject({ messages: [{ channel: 'email', subject: 'Reset Your Password' }] })
  })

  test('keeps accounts and keys between starts, on other ports too, until it is reset', async () => {
    const { id } = await signUp('emil@example.edu')
    const { secret } = stack.keys
    const { apiUrl } = stack
    await stack.stop()

    stack = await start()
    expect([stack.fresh, stack.keys.secret]).toEqual([false, secret])
    expect(stack.apiUrl).not.toBe(apiUrl)
    expect((await client(secret).auth.admin.getUserById(id)).data.user?.email).toBe('emil@example.edu')
    const sql = postgres(stack.databaseUrl, { max: 1 })
    const [url] =
      await sql`select decrypted_secret as value from vault.decrypted_secrets where name = 'functions_url'`
    expect(url?.value).toBe(`${stack.apiUrl}/functions/v1`)
    await sql.end()
    await stack.stop()

    stack = await start({ reset: true })
    expect(stack.keys.secret).not.toBe(secret)
    expect((await client(stack.keys.secret).auth.admin.getUserById(id)).data.user).toBeNull()
  })
})

describe('a start that fails', () => {
  test('for lack of a project says how to make one', async () => {
    const { root, remove } = createProject()
    await expect(startStack({ root: join(root, 'supabase') })).rejects.toThrow(
      /no .*config\.toml.*supabase init/,
    )
    remove()
  })

  test('in a migration shows the message of Postgres and leaves nothing running', async () => {
    const { root, remove } = createProject()
    writeFileSync(join(root, 'supabase', 'migrations', '20260102000000_wrong.sql'), 'select * from nowhere;')
    const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
    const started = startStack({ root, port, dbPort, inboxPort, durable: false })
    await expect(started).rejects.toThrow(/relation "nowhere" does not exist/)
    expect(existsSync(join(root, '.stack', 'stack.json'))).toBe(false)
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow()
    remove()
  })
})
