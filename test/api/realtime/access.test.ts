import { createHmac } from 'node:crypto'
import { createClient, type RealtimeChannel } from '@supabase/supabase-js'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { openReviewsOf } from '../../../harness/factories/reviews.ts'
import { channelOf, eventsOf, listen, subscribed } from '../../../harness/factories/session-channel.ts'
import { newSession, storeAnalysis, storeScore } from '../../../harness/factories/sessions.ts'
import { newStudent, type Student, secondDevice } from '../../../harness/factories/students.ts'
import { type Client, localOnly, localStack, withDatabase } from '../../../harness/stack/project.ts'
import type { Database } from '../../../types/database.ts'

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
    expect(await openReviewsOf(cora, ada)).toHaveLength(1)
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
  test(
    'when its token expires, and one that was given a fresh token goes on',
    localOnly('signs tokens'),
    async () => {
      const ada = await student()
      const session = await newSession(ada.client)
      // Long enough for a busy machine to join with it.
      const token = resigned(ada.token, { exp: Math.floor(Date.now() / 1000) + 10 })
      const [leaving, staying] = [clientWith(token), clientWith(token)]
      for (const client of [leaving, staying]) await client.realtime.setAuth(token)
      const [left, stayed] = [await listen(leaving, session), await listen(staying, session)]
      const expired = ended(left.channel)
      let over = false
      void ended(stayed.channel).then(() => {
        over = true
      })
      await staying.realtime.setAuth(ada.token)
      await withDatabase(project, (sql) => storeAnalysis(sql, ada, session, 'audio'))
      for (const { heard } of [left, stayed])
        await expect.poll(() => eventsOf(heard), SOON).toEqual(['audio'])

      expect(await expired).toMatch(/^Token has expired/)
      await withDatabase(project, (sql) => storeScore(sql, ada, session, 50))
      await expect.poll(() => eventsOf(stayed.heard), SOON).toEqual(['audio', 'score 50'])
      expect(eventsOf(left.heard)).toEqual(['audio'])
      expect(over).toBe(false)
    },
  )

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
})
