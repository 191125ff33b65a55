import { Resend } from '../../_vendor/resend.js'
import { classifyResponse, type MessageProvider, type ProviderResponse } from './delivery.ts'

export type EmailSettings = {
  apiKey: string
  /** Another address than Resend's own. */
  baseUrl: string | undefined
  /** Sender, `Name <address>`, of a domain that is verified at the provider. */
  from: string
}

/** Sends emails with Resend, each under its own idempotency key, which Resend keeps for 24 hours. */
export function resendProvider({ apiKey, baseUrl, from }: EmailSettings): MessageProvider {
  const resend = new Resend(apiKey, { baseUrl: baseUrl?.replace(/(?<!\/)\/+$/, '') })
  return {
    name: 'resend',
    async send({ id, recipient, subject, body }, timeoutMs) {
      const response: ProviderResponse = {}
      const { data, error } = await resend.emails.send(
        { from, to: recipient, subject, text: body },
        {
          idempotencyKey: id,
          redirect: 'manual',
          signal: AbortSignal.timeout(timeoutMs),
          exchange: response,
        },
      )
      // An earlier attempt with the same key is still in progress there.
      if (error?.name === 'concurrent_idempotent_requests')
        return { outcome: 'unconfirmed', code: error.name }
      // The client's name for every response that it cannot parse; the status says more.
      const code = error?.name === 'application_error' ? undefined : error?.name
      return classifyResponse(response, { code, sentAs: data?.id })
    },
  }
}
