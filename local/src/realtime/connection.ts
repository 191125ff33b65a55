import type { RawData, WebSocket } from 'ws'
import { Rate } from '../http/rate.ts'
import { Channel, type Reply, type Services } from './channel.ts'
import { decode, encode, type Incoming, isBinary, type JsonObject, readJoin, type Version } from './frames.ts'

type Open = { channel: Channel; joinRef: string | null; queue: Promise<void> }

const prefix = 'realtime:'
const goingAway = 1001
const protocolError = 1002
const tryAgainLater = 1013

/** One client's websocket and the channels in it, in the Phoenix protocol. */
export class Connection {
  readonly #socket: WebSocket
  readonly #version: Version
  readonly #keyRole: string
  readonly #services: Services
  readonly #channels = new Map<string, Open>()
  readonly #joins: Rate
  #silence: NodeJS.Timeout | undefined

  constructor(socket: WebSocket, version: Version, keyRole: string, services: Services) {
    this.#socket = socket
    this.#version = version
    this.#keyRole = keyRole
    this.#services = services
    this.#joins = new Rate(services.limits.joinsPerSecond)
    socket.on('message', (data, binary) => this.#receive(data, binary))
    // A broken frame or one that is too large; ws closes the connection itself.
    socket.on('error', () => undefined)
    socket.once('close', () => this.#end())
    this.#awaitSigns()
  }

  /** Tells the client to go; one that does not is cut off. */
  close(): void {
    this.#socket.close(goingAway)
    setTimeout(() => this.#socket.terminate(), 500).unref()
  }

  #awaitSigns(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#socket.terminate(), this.#services.limits.silenceMs)
    this.#silence.unref()
  }

  #end(): void {
    clearTimeout(this.#silence)
    for (const { channel } of this.#channels.values()) channel.leave()
    this.#channels.clear()
  }

  #receive(data: RawData, binary: boolean): void {
    this.#awaitSigns()
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)
    const message = decode(this.#version, bytes, binary)
    if (!message) {
      this.#socket.close(protocolError)
      return
    }
    if (message.topic === 'phoenix') {
      if (message.event === 'heartbeat') this.#reply(message, { status: 'ok', response: {} })
      return
    }
    if (message.event === 'phx_join') this.#join(message)
    else if (message.event === 'phx_leave') this.#leave(message)
    else this.#pass(message)
  }

  #join(message: Incoming): void {
    const { topic, payload } = message
    const reject = (reason: string): void => this.#reply(message, { status: 'error', response: { reason } })
    if (!topic.startsWith(prefix)) {
      reject('unmatched topic')
      return
    }
    if (topic === prefix) {
      reject('TopicNameRequired: You must provide a topic name')
      return
    }
    this.#close(topic)
    if (!this.#joins.take()) {
      reject('ClientJoinRateLimitReached: Too many joins per second')
      this.#socket.close(tryAgainLater)
      return
    }
    if (this.#channels.size >= this.#services.limits.channelsPerClient) {
      reject('ChannelRateLimitReached: Too many channels')
      return
    }
    const { joinRef } = message
    const config = readJoin(isBinary(payload) ? {} : payload)
    const channel = new Channel(topic.slice(prefix.length), config, this.#services, {
      version: this.#version,
      keyRole: this.#keyRole,
      send: (frame) => this.#send(frame),
      push: (event, pushed) => this.#push(topic, joinRef, event, pushed),
      closed: () => {
        if (this.#channels.get(topic)?.channel === channel) this.#close(topic)
      },
    })
    const open: Open = { channel, joinRef, queue: Promise.resolve() }
    this.#channels.set(topic, open)
    this.#enqueue(open, async () => {
      const { reply, begin } = await channel.join()
      if (this.#channels.get(topic) !== open) {
        channel.leave()
        return
      }
      if (reply.status === 'error') this.#channels.delete(topic)
      this.#reply(message, reply)
      begin?.()
    })
  }

  #leave(message: Incoming): void {
    this.#reply(message, { status: 'ok', response: {} })
    if (this.#matches(message)) this.#close(message.topic)
  }

  #pass(message: Incoming): void {
    const open = this.#channels.get(message.topic)
    if (!open) {
      this.#reply(message, { status: 'error', response: { reason: 'unmatched topic' } })
      return
    }
    if (!this.#matches(message)) return
    this.#enqueue(open, async () => {
      const reply = await open.channel.handle(message.event, message.payload)
      if (reply) this.#reply(message, reply)
    })
  }

  /** Whether a message is for the channel as it was joined last; one of an earlier join is ignored. */
  #matches({ topic, joinRef }: Incoming): boolean {
    const open = this.#channels.get(topic)
    return open !== undefined && (joinRef === null || joinRef === open.joinRef)
  }

  /** Ends a channel, and tells the client. */
  #close(topic: string): void {
    const open = this.#channels.get(topic)
    if (!open) return
    this.#channels.delete(topic)
    open.channel.leave()
    const frame = encode(this.#version, {
      joinRef: open.joinRef,
      ref: open.joinRef,
      topic,
      event: 'phx_close',
      payload: {},
    })
    if (frame !== undefined) this.#send(frame)
  }

  /** Messages of a channel are handled one after the other, so that each sees what the last one changed. */
  #enqueue(open: Open, work: () => Promise<void>): void {
    open.queue = open.queue.then(work).catch((error: unknown) => {
      this.#services.log(`realtime: ${error instanceof Error ? error.message : error}`)
    })
  }

  #reply({ joinRef, ref, topic }: Incoming, { status, response }: Reply): void {
    const payload = { status, response }
    const frame = encode(this.#version, { joinRef, ref, topic, event: 'phx_reply', payload })
    if (frame !== undefined) this.#send(frame)
  }

  #push(topic: string, joinRef: string | null, event: string, payload: JsonObject): void {
    const frame = encode(this.#version, { joinRef, ref: null, topic, event, payload })
    if (frame !== undefined) this.#send(frame)
  }

  #send(frame: string | Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#socket.bufferedAmount > this.#services.limits.unreadBytes) {
      this.#socket.terminate()
      return
    }
    this.#socket.send(frame)
  }
}
