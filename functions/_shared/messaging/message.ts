/** A message as a sender has it, for one try. */
export type Message = {
  /** Also its idempotency key where the provider takes one. */
  id: string
  channel: Channel
  /** What it is for, such as `clinical_review`. */
  purpose: string
  /** Address or number (E.164). */
  recipient: string
  /** Of an email; empty for a text message. */
  subject: string
  /** Plain text. */
  body: string
  /** Number of this try, from 1. */
  attempts: number
}

export type Channel = 'email' | 'sms'

/**
 * What a try ended with. `code` is the provider's own or one of `unreachable`, `timeout`, `no_answer`, `driver_error`,
 * `no_provider`, `http_<status>`; never the provider's words, which could name the recipient.
 */
export type Delivery =
  | { outcome: 'sent'; sentAs: string | null }
  /** Certainly not sent: it may be tried again, after `retryAfterS` seconds where the provider asks for that. */
  | { outcome: 'not_sent'; code: string; retryAfterS?: number; providerIsBusy?: boolean }
  /** It may have arrived. */
  | { outcome: 'unconfirmed'; code: string }
  /** Not sent, and trying again cannot help. */
  | { outcome: 'refused'; code: string }

/** Brings messages of one channel to a provider. */
export type Carrier = {
  provider: string
  /** Makes one try that ends within `timeoutMs`, a whole number. Rejects only where the provider was not even asked. */
  send(message: Message, timeoutMs: number): Promise<Delivery>
}

/** Who carries which channel; a channel without one has no provider. */
export type Carriers = Partial<Record<Channel, Carrier>>
