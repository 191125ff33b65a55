import { createHmac } from 'node:crypto'
import { createClient, type RealtimeChannel } from '@supabase/supabase-js'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { Database } from '../../types/database.ts'
import { channelOf, eventsOf, listen, subscribed } from '../factories/session-channel.ts'
import { newSession, storeAnalysis, storeScore } from '../factories/sessions.ts'
import { logAccess, newStudent, type Student, secondDevice } from '../factories/students.ts'
import { type Client, localOnly, localStack, withDatabase } from '../stack/project.ts'

const project = inject('project')
const SOON = { timeout: 20_000 }
const opened: Client[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((client) => client.removeAllChannels()))
})

async function student(): Promise<Student> {
  const person = await newStudent(project)
  opened.push(person.client)
  return person
}

async function counselor(): Promise<Student> {
  const person = await student()
  await withDatabase(
    project,
    (sql) => sql`
      insert into public.user_roles (user_id, role, university_id) values (${person.id}, 'counselor', 'northfield')`,
  )
  return person
}

/** A client that has this token, or none. */
function clientWith(token?: string): Client {
  const client = createClient<Database>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
    ...(token !== undefined && { accessToken: async () => token }),
  })
  opened.push(client)
  return client
}

/** The student's token with other claims, rightly signed. */
function resigned(token: string, changes: object): string {
  const [header = '', payload = ''] = token.split('.')
  const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...changes }
  const unsigned = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${unsigned}.${createHmac('sha256', localStack().jwtSecret).update(unsigned).digest('base64url')}`
}

/** Resolves when the server has ended the channel. */
function ended(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => {
    channel.on('system', {}, ({ status, message }) => {
      if (status === 'error') resolve(message)
    })
  })
}

describe('joining is rejected', () => {
  const outsiders: [string, () => Promise<Client>][] = [
    ['to another student', async () => (await student()).client],
    ['to a counselor of the student’s university', async () => (await counselor()).client],
    ['with the publishable key alone', async () => clientWith()],
  ]

  test.each(outsiders)('%s', async (_, outsider) => {
    const ada = await student()
    const session = await newSession(ada.client)
    const joining = subscribed(channelOf(await outsider(), session))
    await expect(joining).rejects.toThrow(/^Unauthorized: /)
  })

  test('to a counselor who has the student’s review before them', async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    await withDatabase(project, (sql) => storeAnalysis(sql, ada, session, 'text', { risk: 'high' }))
    const cora = await counselor()
    await logAccess(cora, { action: 'reviews_listed' })
    expect(JSON.stringify((await cora.client.rpc('list_open_reviews')).data)).toContain(ada.id)
    await expect(subscribed(channelOf(cora.client, session))).rejects.toThrow(/^Unauthorized: /)
  })

  test('to a session that does not exist, as to somebody else’s', async () => {
    const ada = await student()
    const nowhere = { id: crypto.randomUUID(), created_at: new Date().toISOString() }
    await expect(subscribed(channelOf(ada.client, nowhere))).rejects.toThrow(/^Unauthorized: /)
  })

  test('to a session that was deleted', async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    await ada.client.from('assessment_sessions').delete().eq('id', session.id)
    await expect(subscribed(channelOf(ada.client, session))).rejects.toThrow(/^Unauthorized: /)
  })

  test('to a public channel of the session’s name, also to its student', async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    const open = ada.client.channel(`assessment:${session.id}`)
    await expect(subscribed(open)).rejects.toThrow(/^PrivateOnly: /)
  })

  test.each([
    ['expired', { exp: 1 }, 'InvalidJWTToken'],
    ['another student’s', { sub: crypto.randomUUID() }, 'Unauthorized'],
  ])('with a token that is %s', localOnly('signs tokens'), async (_, changes, reason) => {
    const ada = await student()
    const session = await newSession(ada.client)
    const client = clientWith(resigned(ada.token, changes))
    await client.realtime.setAuth()
    await expect(subscribed(channelOf(client, session))).rejects.toThrow(reason)
  })
})

describe('sending is rejected', () => {
  test('to another’s session, over the websocket and over HTTP, and is not heard', async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    const { heard } = await listen(ada.client, session)
    for (const outsider of [await student(), await counselor()]) {
      const channel = channelOf(outsider.client, session)
      const payload = { session_id: session.id, status: 'completed' }
      // Not joined, so that supabase-js sends it over HTTP, where the platform drops it without a word.
      await channel.send({ type: 'broadcast', event: 'status_update', payload })
      await expect(channel.httpSend('status_update', payload)).rejects.toThrow('Unauthorized')
      await expect(channel.httpSend('score_calculated', { score: 1 })).rejects.toThrow('Unauthorized')
    }
    await withDatabase(project, (sql) => storeAnalysis(sql, ada, session, 'text'))
    await expect.poll(() => eventsOf(heard), SOON).toEqual(['text'])
  })
})

describe('a channel that is open is ended', () => {
  test('when its token expires, and hears nothing after that', localOnly('signs tokens'), async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    const token = resigned(ada.token, { exp: Math.floor(Date.now() / 1000) + 3 })
    const client = clientWith(token)
    await client.realtime.setAuth()
    const { heard, channel } = await listen(client, session)
    const expired = ended(channel)
    await withDatabase(project, (sql) => storeAnalysis(sql, ada, session, 'audio'))
    await expect.poll(() => eventsOf(heard), SOON).toEqual(['audio'])

    expect(await expired).toMatch(/^Token has expired/)
    const witness = await listen(ada.client, session)
    await withDatabase(project, (sql) => storeScore(sql, ada, session, 50))
    await expect.poll(() => eventsOf(witness.heard), SOON).toEqual(['audio', 'score 50'])
    expect(eventsOf(heard)).toEqual(['audio'])
  })

  test('when its token is exchanged for another’s', async () => {
    const ada = await student()
    const ben = await student()
    const session = await newSession(ada.client)
    const device = await secondDevice(project, ada)
    opened.push(device)
    const { channel } = await listen(device, session)
    const rejected = ended(channel)
    await device.realtime.setAuth(ben.token)
    expect(await rejected).toMatch(/^You do not have permissions to read/)
  })

  test('when the session is gone at the next token', localOnly('signs tokens'), async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    const { channel } = await listen(ada.client, session)
    const rejected = ended(channel)
    await ada.client.from('assessment_sessions').delete().eq('id', session.id)
    await ada.client.realtime.setAuth(resigned(ada.token, { exp: Math.floor(Date.now() / 1000) + 600 }))
    expect(await rejected).toMatch(/^You do not have permissions to read/)
  })

  test('but goes on with a fresh token', localOnly('signs tokens'), async () => {
    const ada = await student()
    const session = await newSession(ada.client)
    const token = resigned(ada.token, { exp: Math.floor(Date.now() / 1000) + 3 })
    const client = clientWith(token)
    await client.realtime.setAuth(token)
    const { heard, channel } = await listen(client, session)
    let over = false
    void ended(channel).then(() => {
      over = true
    })
    await client.realtime.setAuth(ada.token)
    // As long as the first token: another channel's end shows that it has run out.
    const other = clientWith(token)
    await other.realtime.setAuth(token)
    const until = await listen(other, session)
    await ended(until.channel)
    await withDatabase(project, (sql) => storeAnalysis(sql, ada, session, 'visual'))
    await expect.poll(() => eventsOf(heard), SOON).toEqual(['visual'])
    expect(over).toBe(false)
  })
})
