/** The part of Resend's client that the delivery of messages calls; see vendor/resend.ts. */

/** The response to a request, as far as it arrived. */
export interface ObservedExchange {
  status?: number
  retryAfter?: string | null
  /** What `fetch` threw when there was no response. */
  failure?: unknown
}

export interface ResendRequestOptions extends RequestInit {
  idempotencyKey?: string
  /** Filled in by the request. */
  exchange?: ObservedExchange
}

export class Resend {
  constructor(key: string, options?: { baseUrl?: string })

  readonly emails: {
    /** Does not reject on an error response or on a missing response. */
    send(
      email: { from: string; to: string; subject: string; text: string },
      options?: ResendRequestOptions,
    ): Promise<{ data: { id?: unknown } | null; error: { name?: unknown } | null }>
  }
}
