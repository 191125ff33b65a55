import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createSetup, join, type RealtimeSetup, uniqueTopic, until } from './setup.ts'

let setup: RealtimeSetup
beforeAll(async () => {
  setup = await createSetup({
    limits: {
      channelsPerClient: 3,
      joinsPerSecond: 10,
      messagesPerSecond: 5,
      burstSeconds: 4,
      payloadBytes: 100_000,
    },
  })
})
afterAll(async () => {
  await setup.stop()
})

type Raw = { socket: WebSocket; received: string[]; closed: () => number | undefined }

/** A bare websocket, for what a proper client never sends. */
async function connect(query: Record<string, string> = {}): Promise<Raw> {
  const parameters = new URLSearchParams({ apikey: setup.keys.publishable, vsn: '2.0.0', ...query })
  const socket = new WebSocket(`${setup.url.replace('http', 'ws')}/realtime/v1/websocket?${parameters}`)
  const received: string[] = []
  let code: number | undefined
  socket.on('message', (data) => received.push(data.toString()))
  socket.on('close', (closedWith) => {
    code = closedWith
  })
  socket.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => reject(new Error(String(response.statusCode))))
  })
  return { socket, received, closed: () => code }
}

const joinFrame = (topic: string, ref: string): string =>
  JSON.stringify([ref, ref, `realtime:${topic}`, 'phx_join', { config: {} }])

async function serves(): Promise<void> {
  await join(setup.client().channel(uniqueTopic('public')))
}

describe('a handshake', () => {
  it('is rejected without a valid key, for another version, and elsewhere', async () => {
    await expect(connect({ apikey: 'sb_publishable_wrong' })).rejects.toThrow('401')
    await expect(connect({ apikey: '' })).rejects.toThrow('401')
    await expect(connect({ vsn: '9.0.0' })).rejects.toThrow('403')
  })
})

describe('a client that misbehaves', () => {
  it.each([
    ['text that is not JSON', 'nonsense'],
    ['JSON of another form', '{"topic":1}'],
    ['an array of wrong things', '[1,2,3,4,5]'],
    ['an empty array', '[]'],
    ['bytes of an unknown kind', Buffer.from([9, 1, 2, 3])],
    ['an empty frame', Buffer.alloc(0)],
    ['lengths beyond the frame', Buffer.from([3, 255, 255, 255, 255, 255, 1, 1])],
    [
      'bytes that are not the JSON they claim to be',
      Buffer.concat([Buffer.from([3, 0, 0, 1, 1, 0, 1]), Buffer.from('ab{')]),
    ],
  ])('is disconnected for %s, and nobody else', async (_, frame) => {
    const { socket, closed } = await connect()
    socket.send(frame)
    await until(() => closed() !== undefined)
    expect(closed()).toBe(1002)
    await serves()
  })

  it('is disconnected for a frame that is too large', async () => {
    const { socket, closed } = await connect()
    socket.send('x'.repeat(200_000))
    await until(() => closed() !== undefined)
    expect(closed()).toBe(1009)
    await serves()
  })

  it('gets an error for a payload that is too large', async () => {
    const channel = setup.client().channel(uniqueTopic('public'), { config: { broadcast: { ack: true } } })
    await join(channel)
    expect(
      await channel.send({ type: 'broadcast', event: 'big', payload: { text: 'x'.repeat(100_500) } }),
    ).toBe('error')
    expect(await channel.send({ type: 'broadcast', event: 'small', payload: {} })).toBe('ok')
  })

  it('gets an error for a topic that it did not join or that does not exist', async () => {
    const { socket, received } = await connect()
    socket.send(JSON.stringify(['1', '2', 'realtime:nowhere', 'broadcast', {}]))
    socket.send(JSON.stringify(['3', '4', 'elsewhere', 'phx_join', {}]))
    socket.send(JSON.stringify(['5', '6', 'realtime:', 'phx_join', {}]))
    await until(() => received.length === 3)
    expect(received.map((frame) => JSON.parse(frame)[4])).toEqual([
      { status: 'error', response: { reason: 'unmatched topic' } },
      { status: 'error', response: { reason: 'unmatched topic' } },
      { status: 'error', response: { reason: 'TopicNameRequired: You must provide a topic name' } },
    ])
    socket.close()
  })

  it('survives a join with a config of wrong types', async () => {
    const { socket, received } = await connect()
    const config = { broadcast: 7, presence: 'yes', postgres_changes: { a: 1 }, private: [] }
    socket.send(JSON.stringify(['1', '1', 'realtime:odd', 'phx_join', { config, access_token: 5 }]))
    await until(() => received.length > 0)
    expect(JSON.parse(received[0] ?? '')[4]).toMatchObject({ status: 'ok' })
    socket.close()
  })

  it('may not be in more channels than allowed, nor join faster', async () => {
    const { socket, received, closed } = await connect()
    for (let n = 1; n <= 4; n += 1) socket.send(joinFrame(`topic ${n}`, String(n)))
    await until(() => received.some((frame) => frame.includes('ChannelRateLimitReached: Too many channels')))
    for (let n = 5; n <= 12; n += 1) socket.send(joinFrame(`topic ${n}`, String(n)))
    await until(() => closed() !== undefined)
    expect(
      received.some((frame) => frame.includes('ClientJoinRateLimitReached: Too many joins per second')),
    ).toBe(true)
  })

  it('has its channel closed when it sends too fast', async () => {
    const channel = setup.client().channel(uniqueTopic('public'))
    const system: { message: string }[] = []
    const statuses: string[] = []
    channel.on('system', {}, (message) => system.push(message))
    channel.subscribe((status) => statuses.push(status))
    await until(() => statuses.includes('SUBSCRIBED'))
    for (let n = 0; n < 40; n += 1) void channel.send({ type: 'broadcast', event: 'flood', payload: {} })
    await until(() => statuses.includes('CLOSED'))
    expect(system[0]?.message).toBe('Too many messages per second')
  })

  it('replaces its channel when it joins the same topic again', async () => {
    const { socket, received } = await connect()
    socket.send(joinFrame('twice', '1'))
    await until(() => received.some((frame) => frame.includes('"ok"')))
    socket.send(joinFrame('twice', '2'))
    await until(() => received.filter((frame) => frame.includes('"ok"')).length === 2)
    const events = received.map((frame) => JSON.parse(frame).slice(0, 4))
    expect(events).toContainEqual(['1', '1', 'realtime:twice', 'phx_close'])
    expect(events).toContainEqual(['2', '2', 'realtime:twice', 'phx_reply'])
    socket.close()
  })

  it('is disconnected when it is silent for too long, and not while it sends heartbeats', async () => {
    const impatient = await createSetup({ limits: { silenceMs: 3_000 } })
    try {
      const silent = new WebSocket(
        `${impatient.url.replace('http', 'ws')}/realtime/v1/websocket?vsn=2.0.0&apikey=${impatient.keys.publishable}`,
      )
      const lively = impatient.client(undefined, { heartbeatIntervalMs: 50 })
      const statuses: string[] = []
      lively.channel('any').subscribe((status) => statuses.push(status))
      await new Promise((resolve) => silent.once('close', resolve))
      await until(() => statuses.length > 0)
      expect(statuses).toEqual(['SUBSCRIBED'])
      expect(lively.realtime.isConnected()).toBe(true)
    } finally {
      await impatient.stop()
    }
  })
})
