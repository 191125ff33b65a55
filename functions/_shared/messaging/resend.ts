import { Resend } from '../../_vendor/resend.js'
import { judge, type ProviderExchange } from './judge.ts'
import type { Carrier } from './message.ts'

export type EmailSettings = {
  apiKey: string
  /** Another address than Resend's own. */
  baseUrl: string | undefined
  /** Sender, `Name <address>`, of a domain that is verified at the provider. */
  from: string
}

/** Sends emails with Resend, each under its own idempotency key, which Resend keeps for 24 hours. */
export function resendCarrier({ apiKey, baseUrl, from }: EmailSettings): Carrier {
  const resend = new Resend(apiKey, { baseUrl: baseUrl?.replace(/\/+$/, '') })
  return {
    provider: 'resend',
    async send({ id, recipient, subject, body }, timeoutMs) {
      const exchange: ProviderExchange = {}
      const { data, error } = await resend.emails.send(
        { from, to: recipient, subject, text: body },
        { idempotencyKey: id, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), exchange },
      )
      // A try under the same key is still under way there.
      if (error?.name === 'concurrent_idempotent_requests')
        return { outcome: 'unconfirmed', code: error.name }
      // The client's name for every answer that it cannot read; the status says more.
      const code = error?.name === 'application_error' ? undefined : error?.name
      return judge(exchange, { code, sentAs: data?.id })
    },
  }
}
