/** The part of Resend's client that the delivery of messages calls; see vendor/resend.ts. */

/** What came of a request, as far as it got. */
export interface ObservedExchange {
  status?: number
  retryAfter?: string | null
  /** What `fetch` threw when there was no answer. */
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
    /** Never rejects for what the provider answers or for an answer that does not come. */
    send(
      email: { from: string; to: string; subject: string; text: string },
      options?: ResendRequestOptions,
    ): Promise<{ data: { id?: unknown } | null; error: { name?: unknown } | null }>
  }
}
