/** The part of Twilio's client that the delivery of messages and Twilio's webhooks call; see vendor/twilio.ts. */

export interface TwilioRequest {
  method: string
  uri: string
  username?: string
  password?: string
  headers?: Record<string, string>
  /** Fields of a form. */
  data?: Record<string, string>
}

export interface TwilioHttpClient {
  request(request: TwilioRequest): Promise<{ statusCode: number; body: unknown }>
}

export interface TwilioMessages {
  /** Rejects with what the HTTP client threw, or with an error that has the response's `status` and Twilio's `code`. */
  create(message: {
    to: string
    body: string
    from?: string
    messagingServiceSid?: string
    /** Where Twilio says what becomes of the message. */
    statusCallback?: string
  }): Promise<{ sid?: unknown; status?: unknown; errorCode?: unknown }>
}

export function twilioMessages(options: {
  accountSid: string
  authToken: string
  baseUrl?: string
  httpClient: TwilioHttpClient
}): TwilioMessages

/**
 * Whether Twilio signed a request with `params` for `url`, the whole address with its query. Of a name that comes twice it
 * checks the different values only.
 */
export function validateRequest(
  authToken: string,
  signature: string,
  url: string,
  params: Record<string, string>,
): boolean
