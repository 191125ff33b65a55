import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSetup, join, type RealtimeSetup, subscribe, tokenOf, uniqueTopic, until } from './setup.ts'

let setup: RealtimeSetup
beforeAll(async () => {
  setup = await createSetup()
})
afterAll(async () => {
  await setup.stop()
})

const broadcastsOf = (received: unknown[]) => (message: unknown) => void received.push(message)

describe('broadcast', () => {
  it('reaches the others in the channel and not the sender', async () => {
    const topic = uniqueTopic('public')
    const heard: unknown[] = []
    const own: unknown[] = []
    const listener = setup.client().channel(topic).on('broadcast', { event: 'note' }, broadcastsOf(heard))
    const sender = setup.client().channel(topic).on('broadcast', { event: '*' }, broadcastsOf(own))
    await Promise.all([join(listener), join(sender)])
    await sender.send({ type: 'broadcast', event: 'note', payload: { text: 'grüße 🙂' } })
    await until(() => heard.length === 1)
    expect(heard).toEqual([{ type: 'broadcast', event: 'note', payload: { text: 'grüße 🙂' } }])
    expect(own).toEqual([])
  })

  it('comes back to the sender who asked for it, and is acknowledged to the one who asked for that', async () => {
    const heard: unknown[] = []
    const channel = setup
      .client()
      .channel(uniqueTopic('public'), { config: { broadcast: { self: true, ack: true } } })
      .on('broadcast', { event: 'note' }, broadcastsOf(heard))
    await join(channel)
    expect(await channel.send({ type: 'broadcast', event: 'note', payload: { n: 1 } })).toBe('ok')
    await until(() => heard.length === 1)
  })

  it('passes between clients of both protocol versions, bytes to those who can take them', async () => {
    const topic = uniqueTopic('public')
    const old: { payload: unknown }[] = []
    const recent: { payload: unknown }[] = []
    const first = setup.client(undefined, { vsn: '1.0.0' }).channel(topic)
    const second = setup.client(undefined, { vsn: '2.0.0' }).channel(topic)
    const third = setup.client().channel(topic)
    first.on('broadcast', { event: 'x' }, (message) => old.push({ payload: message.payload }))
    second.on('broadcast', { event: 'x' }, (message) => recent.push({ payload: message.payload }))
    await Promise.all([first, second, third].map(join))
    await third.send({ type: 'broadcast', event: 'x', payload: new Uint8Array([1, 2, 255]).buffer })
    await third.send({ type: 'broadcast', event: 'x', payload: { from: 'two' } })
    await until(() => recent.length === 2 && old.length === 1)
    expect(new Uint8Array(recent[0]?.payload as ArrayBuffer)).toEqual(new Uint8Array([1, 2, 255]))
    expect(old).toEqual([{ payload: { from: 'two' } }])
    await first.send({ type: 'broadcast', event: 'x', payload: { from: 'one' } })
    await until(() => recent.length === 3)
    expect(recent[2]).toEqual({ payload: { from: 'one' } })
  })

  it('keeps a public and a private channel of the same name apart', async () => {
    const topic = uniqueTopic('write')
    const heard: unknown[] = []
    const open = setup.client().channel(topic).on('broadcast', { event: '*' }, broadcastsOf(heard))
    const closed = setup
      .client(tokenOf(randomUUID()))
      .channel(topic, { config: { private: true, broadcast: { ack: true } } })
    await Promise.all([join(open), join(closed)])
    expect(await closed.send({ type: 'broadcast', event: 'secret', payload: {} })).toBe('ok')
    const other = setup.client().channel(topic, { config: { broadcast: { ack: true } } })
    await join(other)
    await other.send({ type: 'broadcast', event: 'open', payload: {} })
    await until(() => heard.length > 0)
    expect(heard).toEqual([{ type: 'broadcast', event: 'open', payload: {} }])
  })

  it('reaches nobody who left', async () => {
    const topic = uniqueTopic('public')
    const heard: unknown[] = []
    const client = setup.client()
    const leaving = client.channel(topic).on('broadcast', { event: '*' }, broadcastsOf(heard))
    const staying = client.channel(uniqueTopic('public'))
    const sender = setup.client().channel(topic, { config: { broadcast: { ack: true } } })
    await Promise.all([leaving, staying, sender].map(join))
    expect(await client.removeChannel(leaving)).toBe('ok')
    expect(await sender.send({ type: 'broadcast', event: 'late', payload: {} })).toBe('ok')
    expect(heard).toEqual([])
  })
})

describe('presence', () => {
  it('shows who is there, what changes, and who goes', async () => {
    const topic = uniqueTopic('public')
    const watcher = setup.client().channel(topic, { config: { presence: { key: 'watcher' } } })
    const events: string[] = []
    watcher.on('presence', { event: 'join' }, ({ key, newPresences }) =>
      events.push(`join ${key} ${newPresences[0]?.at}`),
    )
    watcher.on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
      events.push(`leave ${key} ${leftPresences[0]?.at}`),
    )
    const someone = setup.client().channel(topic, { config: { presence: { key: 'someone', enabled: true } } })
    await Promise.all([join(watcher), join(someone)])
    expect(await someone.track({ at: 'home' })).toBe('ok')
    await until(() => events.includes('join someone home'))
    expect(await someone.track({ at: 'work' })).toBe('ok')
    await until(() => events.includes('join someone work'))
    expect(watcher.presenceState()).toMatchObject({ someone: [{ at: 'work' }] })

    const late = setup
      .client()
      .channel(topic)
      .on('presence', { event: 'sync' }, () => undefined)
    await join(late)
    await until(() => 'someone' in late.presenceState())
    expect(late.presenceState()).toMatchObject({ someone: [{ at: 'work' }] })

    expect(await someone.untrack()).toBe('ok')
    await until(() => !('someone' in watcher.presenceState()))
    expect(events).toContain('leave someone work')
  })

  it('ends when the client disconnects', async () => {
    const topic = uniqueTopic('public')
    const watcher = setup
      .client()
      .channel(topic)
      .on('presence', { event: 'sync' }, () => undefined)
    const client = setup.client()
    const someone = client.channel(topic, { config: { presence: { key: 'someone', enabled: true } } })
    await Promise.all([join(watcher), join(someone)])
    await someone.track({})
    await until(() => 'someone' in watcher.presenceState())
    await client.realtime.disconnect()
    await until(() => !('someone' in watcher.presenceState()))
  })
})

describe('a private channel', () => {
  const privately = { config: { private: true } }
  const tokens = { me: randomUUID(), other: randomUUID() }

  it('admits whom the policies let read', async () => {
    await join(setup.client(tokenOf(tokens.me)).channel(`own:${tokens.me}`, privately))
    await join(setup.client(undefined, {}, setup.keys.secret).channel(`own:${tokens.me}`, privately))
  })

  it('rejects everybody else, with the message of the platform', async () => {
    const topic = `own:${tokens.me}`
    const rejection = {
      status: 'CHANNEL_ERROR',
      message: `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
    }
    expect(await subscribe(setup.client(tokenOf(tokens.other)).channel(topic, privately))).toEqual(rejection)
    expect(await subscribe(setup.client().channel(topic, privately))).toEqual(rejection)
    const elevated = setup.client(tokenOf(tokens.other, { role: 'no_such_role' }))
    expect(await subscribe(elevated.channel(topic, privately))).toEqual(rejection)
  })

  it('rejects when a policy fails, and says why in the log', async () => {
    const topic = uniqueTopic('broken')
    const { message } = await subscribe(setup.client(tokenOf(tokens.me)).channel(topic, privately))
    expect(message).toBe(
      `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
    )
    expect(setup.logged.some((line) => line.includes(topic) && line.includes('division by zero'))).toBe(true)
  })

  it('may have any name', async () => {
    const topic = `read:it's; \\' select 'odd" 🙂`
    const claims = { name: `O'Neil \\'; drop table realtime.messages; --` }
    await join(setup.client(tokenOf(tokens.me, claims)).channel(topic, privately))
    const rejected = await subscribe(setup.client().channel(topic, privately))
    expect(rejected.message).toBe(
      `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`,
    )
  })

  it('leaves no trace of the question in the table', async () => {
    const topic = uniqueTopic('write')
    const channel = setup
      .client(tokenOf(tokens.me))
      .channel(topic, { config: { private: true, broadcast: { ack: true } } })
    await join(channel)
    await channel.send({ type: 'broadcast', event: 'x', payload: {} })
    expect(await setup.sql`select from realtime.messages where topic = ${topic}`).toHaveLength(0)
  })

  it('drops the broadcasts of those who may only read, without a reply', async () => {
    const topic = uniqueTopic('read')
    const heard: unknown[] = []
    const listener = setup.client(tokenOf(tokens.me)).channel(topic, privately)
    listener.on('broadcast', { event: '*' }, broadcastsOf(heard))
    const reader = setup
      .client(tokenOf(tokens.other))
      .channel(topic, { config: { private: true, broadcast: { ack: true } } })
    const server = setup.client(undefined, {}, setup.keys.secret).channel(topic, privately)
    await Promise.all([listener, reader, server].map(join))
    expect(await reader.send({ type: 'broadcast', event: 'forged', payload: {} }, { timeout: 200 })).toBe(
      'timed out',
    )
    await server.send({ type: 'broadcast', event: 'real', payload: {} })
    await until(() => heard.length > 0)
    expect(heard).toMatchObject([{ event: 'real' }])
  })

  it('asks the policies of each extension on its own', async () => {
    const watching = setup.client(tokenOf(tokens.me)).channel(uniqueTopic('quiet'), {
      config: { private: true, presence: { enabled: true } },
    })
    await join(watching)
    expect(await watching.track({})).toBe('error')
    expect(
      (await subscribe(setup.client(tokenOf(tokens.me)).channel(uniqueTopic('quiet'), privately))).status,
    ).toBe('CHANNEL_ERROR')
    const own = setup.client(tokenOf(tokens.me)).channel(`own:${tokens.me}`, {
      config: { private: true, presence: { enabled: true } },
    })
    await join(own)
    expect(await own.track({})).toBe('ok')
  })
})

describe('a token', () => {
  const me = randomUUID()
  const config = { config: { private: true } }
  const seconds = (): number => Math.floor(Date.now() / 1000)
  /** Enough for a busy machine to join a channel. */
  const LIFE_S = 6

  it.each([
    [
      'expired',
      () => tokenOf(me, { exp: seconds() - 30 }),
      /^InvalidJWTToken: Token has expired 3\d seconds ago$/,
    ],
    [
      'forged',
      () => `${tokenOf(me).slice(0, -4)}AAAA`,
      /^JwtSignatureError: Failed to validate JWT signature$/,
    ],
    ['not one', () => 'not-a-token', /^MalformedJWT: The token provided is not a valid JWT$/],
    [
      'without a role',
      () => tokenOf(me, { role: undefined }),
      /^InvalidJWTToken: Fields `role` and `exp` are required in JWT$/,
    ],
  ])('that is %s is rejected, on public channels too', async (_, token, words) => {
    for (const topic of [`own:${me}`, uniqueTopic('public')]) {
      const channel = setup.client(token()).channel(topic, topic.startsWith('own') ? config : undefined)
      const { status, message } = await subscribe(channel)
      expect(status).toBe('CHANNEL_ERROR')
      expect(message).toMatch(words)
    }
  })

  it('closes the channel when it expires', async () => {
    const channel = setup.client(tokenOf(me, { exp: seconds() + LIFE_S })).channel(`own:${me}`, config)
    const system: { message: string; status: string }[] = []
    const statuses: string[] = []
    channel.on('system', {}, (message) => system.push(message))
    channel.subscribe((status) => statuses.push(status))
    await until(() => statuses.includes('CLOSED'))
    expect(statuses).toEqual(['SUBSCRIBED', 'CLOSED'])
    expect(system).toMatchObject([
      { status: 'error', message: expect.stringMatching(/^Token has expired \d+ seconds ago$/) },
    ])
  })

  it('keeps the channel open when it is renewed in time', async () => {
    const expiring = tokenOf(me, { exp: seconds() + LIFE_S })
    let token = expiring
    const client = setup.client(() => token)
    const channel = client.channel(`own:${me}`, config)
    const statuses: string[] = []
    channel.subscribe((status) => statuses.push(status))
    await until(() => statuses.includes('SUBSCRIBED'))
    token = tokenOf(me)
    await client.realtime.setAuth()
    const witness = setup.client(expiring).channel(`own:${me}`, config)
    const witnessed: string[] = []
    witness.subscribe((status) => witnessed.push(status))
    await until(() => witnessed.includes('CLOSED'))
    expect(statuses).toEqual(['SUBSCRIBED'])
  })

  it('that may no longer read closes the channel', async () => {
    let token = tokenOf(me)
    const client = setup.client(() => token)
    const channel = client.channel(`own:${me}`, config)
    const system: { message: string }[] = []
    channel.on('system', {}, (message) => system.push(message))
    const statuses: string[] = []
    channel.subscribe((status) => statuses.push(status))
    await until(() => statuses.includes('SUBSCRIBED'))
    token = tokenOf(randomUUID())
    await client.realtime.setAuth()
    await until(() => statuses.includes('CLOSED'))
    expect(system[0]?.message).toBe(`You do not have permissions to read from this Channel topic: own:${me}`)
  })
})

describe('row changes', () => {
  it('get the reply of a project that does not publish them', async () => {
    const channel = setup.client().channel(uniqueTopic('public'))
    const system: unknown[] = []
    channel.on('system', {}, (message) => system.push(message))
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, () => undefined)
    await join(channel)
    await until(() => system.length === 1)
    expect(system).toMatchObject([{ extension: 'postgres_changes', status: 'error' }])
  })
})

describe('a project with private channels only', () => {
  it('rejects public ones', async () => {
    const strict = await createSetup({ privateOnly: true })
    try {
      expect(await subscribe(strict.client().channel('anything'))).toEqual({
        status: 'CHANNEL_ERROR',
        message: 'PrivateOnly: This project only allows private channels',
      })
      await join(
        strict.client(tokenOf(randomUUID())).channel(uniqueTopic('read'), { config: { private: true } }),
      )
    } finally {
      await strict.stop()
    }
  })
})

describe('over HTTP', () => {
  it('broadcasts what the caller may send, and says so when it may not', async () => {
    const me = randomUUID()
    const heard: unknown[] = []
    const config = { config: { private: true } }
    const listener = setup.client(tokenOf(me)).channel(`own:${me}`, config)
    listener.on('broadcast', { event: '*' }, broadcastsOf(heard))
    await join(listener)
    const sending = setup.client(tokenOf(me))
    const mine = sending.channel(`own:${me}`, config)
    expect(await mine.httpSend('by http', { n: 1 })).toEqual({ success: true })
    const stranger = setup.client(tokenOf(randomUUID()))
    const theirs = stranger.channel(`own:${me}`, config)
    await expect(theirs.httpSend('forged', { n: 2 })).rejects.toThrow('Unauthorized')
    await until(() => heard.length === 1)
    expect(heard).toEqual([{ type: 'broadcast', event: 'by http', payload: { n: 1 } }])
  })

  it('takes batches, and leaves out what the caller may not send', async () => {
    const me = randomUUID()
    const heard: { event: string }[] = []
    const listener = setup.client(tokenOf(me)).channel(`own:${me}`, { config: { private: true } })
    listener.on('broadcast', { event: '*' }, (message) => heard.push(message))
    await join(listener)
    const post = (token: string | undefined, body: unknown): Promise<Response> =>
      fetch(`${setup.url}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
        body: JSON.stringify(body),
      })
    const message = (event: string) => ({ topic: `own:${me}`, event, payload: {}, private: true })
    expect((await post(tokenOf(randomUUID()), { messages: [message('forged')] })).status).toBe(202)
    expect((await post(setup.keys.secret, { messages: [message('one'), message('two')] })).status).toBe(202)
    await until(() => heard.length === 2)
    expect(heard.map(({ event }) => event)).toEqual(['one', 'two'])
    expect((await post(undefined, { messages: [] })).status).toBe(401)
    expect((await post(setup.keys.secret, { messages: [{ topic: 'x' }] })).status).toBe(422)
  })
})
