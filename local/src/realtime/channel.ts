import { randomUUID } from 'node:crypto'
import type { TokenSigner } from '../http/jwt.ts'
import { Rate } from '../http/rate.ts'
import { Authorization, TokenError } from './authorization.ts'
import {
  type BinaryBroadcast,
  isBinary,
  isObject,
  type JoinConfig,
  type JsonObject,
  type Version,
} from './frames.ts'
import type { Address, Hub, Member } from './hub.ts'
import type { RealtimeLimits } from './limits.ts'
import { DatabaseUnavailable, type Extension, type Policies } from './policies.ts'
import type { StoredMessage, StoredMessages } from './stored-messages.ts'

/** What channels share. */
export type Services = {
  hub: Hub
  policies: Policies
  tokens: TokenSigner
  stored: Pick<StoredMessages, 'begun' | 'replay'>
  limits: RealtimeLimits
  privateOnly: boolean
  log: (line: string) => void
}

export type Reply = { status: 'ok' | 'error'; response: JsonObject }

/** How a channel reaches its client. */
export type ChannelPort = {
  version: Version
  /** Role of the API key that the client connected with. */
  keyRole: string
  send(frame: string | Buffer): void
  push(event: string, payload: JsonObject): void
  /** Called when the channel closes itself. */
  closed(): void
}

const ok = (response: JsonObject = {}): Reply => ({ status: 'ok', response })
const failed = (reason?: string): Reply => ({ status: 'error', response: reason ? { reason } : {} })

/** One client's channel: joined once, then fed the client's messages one at a time. */
export class Channel implements Member {
  readonly version: Version
  readonly #address: Address
  readonly #config: JoinConfig
  readonly #services: Services
  readonly #port: ChannelPort
  readonly #presenceKey: string
  readonly #rate: Rate
  readonly #authorization: Authorization
  #presenceEnabled: boolean
  #tracked: string | undefined
  #replayed: ReadonlySet<string> = new Set()
  #open = false

  constructor(topic: string, config: JoinConfig, services: Services, port: ChannelPort) {
    this.version = port.version
    this.#address = { topic, private: config.private }
    this.#config = config
    this.#services = services
    this.#port = port
    this.#authorization = new Authorization(this.#address, port.keyRole, services.tokens, services.policies)
    this.#presenceKey = config.presence.key || randomUUID()
    this.#presenceEnabled = config.presence.enabled
    this.#rate = new Rate(services.limits.messagesPerSecond, services.limits.burstSeconds)
  }

  get hearsBroadcast(): boolean {
    return this.#open && this.#authorization.read.broadcast
  }

  get hearsPresence(): boolean {
    return this.#open && this.#presenceEnabled && this.#authorization.read.presence
  }

  hasReplayed(id: string): boolean {
    return this.#replayed.has(id)
  }

  deliver(frame: string | Buffer): void {
    this.#port.send(frame)
  }

  /** Checks the token and the policies, and enters the topic. The reply must be sent before `begin`. */
  async join(): Promise<{ reply: Reply; begin?: () => void }> {
    const { privateOnly, hub } = this.#services
    const { topic } = this.#address
    if (privateOnly && !this.#address.private) {
      return { reply: failed('PrivateOnly: This project only allows private channels') }
    }
    if (this.#config.replay && !this.#address.private) {
      return { reply: failed('UnableToReplayMessages: Replay is not allowed for public channels') }
    }
    let replayed: StoredMessage[] = []
    try {
      await this.#services.stored.begun()
      await this.#authorization.adopt(this.#config.accessToken)
      const mayEnter =
        this.#authorization.read.broadcast || (this.#presenceEnabled && this.#authorization.read.presence)
      if (!mayEnter || (this.#config.replay && !this.#authorization.read.broadcast)) {
        return { reply: failed(`Unauthorized: ${noPermission(topic)}`) }
      }
      if (this.#config.replay) {
        replayed = await this.#services.stored.replay(
          topic,
          this.#config.replay.since,
          this.#config.replay.limit,
        )
      }
    } catch (error) {
      return { reply: failed(reasonOf(error)) }
    }
    if (this.#config.postgresChanges.length > 0 && this.#config.waitForPostgresChanges) {
      return {
        reply: failed(`RealtimeDisabledForConfiguration: ${noChanges(this.#config.postgresChanges[0])}`),
      }
    }
    this.#replayed = new Set(replayed.map((message) => message.id))
    this.#open = true
    this.#watchExpiry()
    hub.join(this.#address, this)
    return {
      reply: ok({
        postgres_changes: this.#config.postgresChanges.map((change, id) => ({ ...change, id: id + 1 })),
      }),
      begin: () => this.#begin(replayed),
    }
  }

  #begin(replayed: StoredMessage[]): void {
    if (!this.#open) return
    for (const { id, event, payload } of replayed) {
      this.#port.push('broadcast', { type: 'broadcast', event, payload, meta: { id, replayed: true } })
    }
    this.#sendPresence()
    // A join is confirmed only once the database's messages are followed, so there is nothing more to wait for.
    if (this.#config.broadcast.replicationReady) {
      this.#system('system', 'ok', 'Replication connection established')
    }
    for (const change of this.#config.postgresChanges) {
      this.#system('postgres_changes', 'error', noChanges(change))
    }
  }

  /** Handles a message of the client; the result is the reply, if it is to get one. */
  async handle(event: string, payload: JsonObject | BinaryBroadcast): Promise<Reply | undefined> {
    if (!this.#open) return undefined
    if (!this.#rate.take()) {
      this.#shutDown('Too many messages per second')
      return undefined
    }
    if (event === 'broadcast') return this.#broadcast(payload)
    if (isBinary(payload)) return undefined
    if (event === 'presence') return this.#presence(payload)
    if (event === 'access_token') await this.#refresh(payload.access_token)
    return undefined
  }

  /** Leaves the topic. */
  leave(): void {
    if (!this.#open) return
    this.#open = false
    this.#authorization.stopWatching()
    this.#services.hub.leave(this.#address, this)
  }

  async #broadcast(payload: JsonObject | BinaryBroadcast): Promise<Reply | undefined> {
    const { ack, self } = this.#config.broadcast
    // Like the platform, a sender without permission gets no reply at all.
    if (!(await this.#mayWrite('broadcast')) || !this.#open) return undefined
    const size = isBinary(payload) ? payload.bytes.length : Buffer.byteLength(JSON.stringify(payload))
    if (size > this.#services.limits.payloadBytes) return ack ? failed('payload_size_exceeded') : undefined
    this.#services.hub.broadcast(this.#address, { payload }, self ? undefined : this)
    return ack ? ok() : undefined
  }

  async #presence(message: JsonObject): Promise<Reply | undefined> {
    const event = typeof message.event === 'string' ? message.event.toLowerCase() : ''
    if (event === 'untrack') {
      this.#tracked = undefined
      this.#services.hub.untrack(this.#address, this)
      return ok()
    }
    if (event !== 'track' || !(await this.#mayWrite('presence')) || !this.#open) return failed()
    const payload = message.payload ?? {}
    if (!isObject(payload)) return failed('Presence track payload must be a map')
    const serialized = JSON.stringify(payload)
    if (Buffer.byteLength(serialized) > this.#services.limits.payloadBytes) {
      this.#shutDown('Track message size exceeded')
      return undefined
    }
    if (serialized === this.#tracked) return ok()
    this.#tracked = serialized
    this.#services.hub.track(this.#address, this, this.#presenceKey, payload)
    if (!this.#presenceEnabled) {
      this.#presenceEnabled = true
      this.#sendPresence()
    }
    return ok()
  }

  #sendPresence(): void {
    if (this.hearsPresence) this.#port.push('presence_state', this.#services.hub.presence(this.#address))
  }

  async #mayWrite(extension: Extension): Promise<boolean> {
    try {
      return await this.#authorization.mayWrite(extension)
    } catch (error) {
      this.#services.log(`realtime: ${reasonOf(error)}`)
      return false
    }
  }

  async #refresh(token: unknown): Promise<void> {
    if (typeof token !== 'string' || this.#authorization.isUnchangedBy(token)) return
    const before = this.#authorization.read
    try {
      await this.#authorization.adopt(token)
    } catch (error) {
      this.#shutDown(error instanceof Error ? error.message : String(error))
      return
    }
    const now = this.#authorization.read
    if (!now.broadcast && !now.presence) this.#shutDown(noPermission(this.#address.topic))
    else if ((before.broadcast && !now.broadcast) || (before.presence && !now.presence)) {
      this.#shutDown(`You no longer have permission to read from this Channel topic: ${this.#address.topic}`)
    } else this.#watchExpiry()
  }

  #watchExpiry(): void {
    this.#authorization.watchExpiry((secondsAgo) =>
      this.#shutDown(`Token has expired ${secondsAgo} seconds ago`),
    )
  }

  #system(extension: string, status: 'ok' | 'error', message: string): void {
    this.#port.push('system', { extension, status, message, channel: this.#address.topic })
  }

  #shutDown(message: string): void {
    if (!this.#open) return
    this.leave()
    this.#system('system', 'error', message)
    this.#port.closed()
  }
}

function noPermission(topic: string): string {
  return `You do not have permissions to read from this Channel topic: ${topic}`
}

/** Row changes are not served here: the reply is that of a project without a publication for them. */
function noChanges(change: JsonObject | undefined): string {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '*')
  return (
    'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect ' +
    `parameters: [event: ${text(change?.event)}, schema: ${text(change?.schema)}, table: ${text(change?.table)}]`
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof TokenError) return `${error.code}: ${error.message}`
  if (error instanceof DatabaseUnavailable) return `UnableToConnectToProject: ${error.message}`
  return 'Unknown Error on Channel'
}
