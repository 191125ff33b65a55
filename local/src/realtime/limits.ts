/** What one client may do; the defaults are those of a hosted project. */
export type RealtimeLimits = {
  /** Bytes of one broadcast or presence payload. */
  payloadBytes: number
  channelsPerClient: number
  joinsPerSecond: number
  /** Messages a second into one channel, averaged over `burstSeconds`. */
  messagesPerSecond: number
  burstSeconds: number
  /** Milliseconds without any message after which a client is disconnected; clients send a heartbeat. */
  silenceMs: number
  /** Bytes that may wait for a client which does not read; above, it is disconnected. */
  unreadBytes: number
}

export const defaultLimits: RealtimeLimits = {
  payloadBytes: 3_000_500,
  channelsPerClient: 100,
  joinsPerSecond: 100,
  messagesPerSecond: 100,
  burstSeconds: 10,
  silenceMs: 60_000,
  unreadBytes: 16_000_000,
}
