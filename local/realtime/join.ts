import { isObject, type JsonObject } from './frames.ts'

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
