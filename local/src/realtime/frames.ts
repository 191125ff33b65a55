/** The two versions of the Phoenix protocol that realtime-js speaks. */
export type Version = '1.0.0' | '2.0.0'

export type JsonObject = Record<string, unknown>

/** A message of a client. The payload is bytes for a binary broadcast. */
export type Incoming = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: JsonObject | BinaryBroadcast
}

export type BinaryBroadcast = { event: string; bytes: Buffer }

/** A message for a client; `joinRef` is null for what goes to everybody in a channel. */
export type Outgoing = {
  joinRef: string | null
  ref: string | null
  topic: string
  event: string
  payload: JsonObject | BinaryBroadcast
}

const pushKind = 3
const broadcastKind = 4
const jsonEncoding = 1

export function isBinary(payload: JsonObject | BinaryBroadcast): payload is BinaryBroadcast {
  return Buffer.isBuffer(payload.bytes)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads a frame; undefined when it is not one of this version. */
export function decode(version: Version, data: Buffer, binary: boolean): Incoming | undefined {
  try {
    if (binary) return version === '2.0.0' ? decodeBinary(data) : undefined
    const value: unknown = JSON.parse(data.toString('utf8'))
    if (version === '1.0.0') {
      return isObject(value)
        ? incoming(value.join_ref, value.ref, value.topic, value.event, value.payload)
        : undefined
    }
    return Array.isArray(value) ? incoming(value[0], value[1], value[2], value[3], value[4]) : undefined
  } catch {
    return undefined
  }
}

function incoming(
  joinRef: unknown,
  ref: unknown,
  topic: unknown,
  event: unknown,
  payload: unknown,
): Incoming | undefined {
  if (typeof topic !== 'string' || typeof event !== 'string') return undefined
  return { joinRef: refOf(joinRef), ref: refOf(ref), topic, event, payload: isObject(payload) ? payload : {} }
}

const refOf = (ref: unknown): string | null =>
  typeof ref === 'string' ? ref : typeof ref === 'number' ? String(ref) : null

/** `kind | sizes of join_ref, ref, topic, event, metadata | encoding | those five | the user's payload`. */
function decodeBinary(data: Buffer): Incoming | undefined {
  if (data.length < 7 || data[0] !== pushKind) return undefined
  let offset = 7
  const take = (size: number | undefined): string => {
    const text = data.toString('utf8', offset, offset + (size ?? 0))
    offset += size ?? 0
    return text
  }
  const joinRef = take(data[1])
  const ref = take(data[2])
  const topic = take(data[3])
  const event = take(data[4])
  take(data[5])
  if (offset > data.length) return undefined
  const bytes = data.subarray(offset)
  const payload: JsonObject | BinaryBroadcast =
    data[6] === jsonEncoding
      ? { type: 'broadcast', event, payload: JSON.parse(bytes.toString('utf8')) }
      : { event, bytes: Buffer.from(bytes) }
  return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload }
}

/** The frame of a message; undefined when this version cannot carry it, as 1.0.0 cannot carry bytes. */
export function encode(version: Version, message: Outgoing): string | Buffer | undefined {
  const { joinRef, ref, topic, event, payload } = message
  if (isBinary(payload)) return version === '2.0.0' ? encodeBinary(topic, payload) : undefined
  return version === '2.0.0'
    ? JSON.stringify([joinRef, ref, topic, event, payload])
    : JSON.stringify({ join_ref: joinRef, ref, topic, event, payload })
}

/** `kind | sizes of topic, event, metadata | encoding | those three | the user's payload`. */
function encodeBinary(topic: string, { event, bytes }: BinaryBroadcast): Buffer | undefined {
  const names = [Buffer.from(topic), Buffer.from(event)]
  if (names.some((name) => name.length > 255)) return undefined
  const [topicSize = 0, eventSize = 0] = names.map((name) => name.length)
  return Buffer.concat([Buffer.from([broadcastKind, topicSize, eventSize, 0, 0]), ...names, bytes])
}

/** What a client asks for when it joins a channel. */
export type JoinConfig = {
  private: boolean
  accessToken?: string
  broadcast: { ack: boolean; self: boolean; replicationReady: boolean }
  /** Stored messages to send first: since a time in milliseconds since 1970, the newest `limit`. */
  replay?: { since: number; limit: number }
  presence: { key: string; enabled: boolean }
  postgresChanges: JsonObject[]
  waitForPostgresChanges: boolean
}

const mostReplayed = 25
const usuallyReplayed = 10

/** Reads the payload of `phx_join`; what is missing or of a wrong type has its default, as on the platform. */
export function readJoin(payload: JsonObject): JoinConfig {
  const config = objectOf(payload.config)
  const broadcast = objectOf(config.broadcast)
  const presence = objectOf(config.presence)
  const replay = isObject(broadcast.replay) ? broadcast.replay : undefined
  const changes = Array.isArray(config.postgres_changes) ? config.postgres_changes : []
  const token = payload.user_token ?? payload.access_token
  return {
    private: flag(config.private),
    accessToken: typeof token === 'string' ? token : undefined,
    broadcast: {
      ack: flag(broadcast.ack),
      self: flag(broadcast.self),
      replicationReady: flag(broadcast.replication_ready),
    },
    replay: replay && {
      since: numberOf(replay.since, 0),
      limit: Math.min(Math.max(numberOf(replay.limit, usuallyReplayed), 1), mostReplayed),
    },
    presence: {
      key: typeof presence.key === 'string' ? presence.key : '',
      enabled: presence.enabled === undefined || flag(presence.enabled),
    },
    postgresChanges: changes.filter(isObject),
    waitForPostgresChanges: flag(objectOf(config.postgres_changes_options).wait),
  }
}

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {})
const flag = (value: unknown): boolean => value === true || value === 'true'
const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : otherwise
