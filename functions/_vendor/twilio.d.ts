/** The part of Twilio's client that the delivery of messages calls; see vendor/twilio.ts. */

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
  }): Promise<{ sid?: unknown; status?: unknown; errorCode?: unknown }>
}

export function twilioMessages(options: {
  accountSid: string
  authToken: string
  baseUrl?: string
  httpClient: TwilioHttpClient
}): TwilioMessages
