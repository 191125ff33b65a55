import { classifyResponse, type Delivery, type MessageProvider, type Providers } from './delivery.ts'
import { type EmailSettings, resendProvider } from './resend.ts'
import { type SmsSettings, twilioProvider } from './twilio.ts'

/** The provider of each channel: the one that is configured, else the local inbox where there is one. */
export function providersFor({
  email,
  sms,
  inboxUrl,
}: {
  email: EmailSettings | undefined
  sms: SmsSettings | undefined
  inboxUrl: string | undefined
}): Providers {
  const inbox = inboxUrl ? inboxProvider(inboxUrl) : undefined
  return {
    email: email ? resendProvider(email) : inbox,
    sms: sms ? twilioProvider(sms) : inbox,
  }
}

/** Puts messages of both channels into the local stack's inbox, which keeps each once however often it is sent. */
export function inboxProvider(inboxUrl: string): MessageProvider {
  const address = new URL('/api/messages', inboxUrl)
  return {
    name: 'inbox',
    async send({ id, channel, recipient, subject, body }, timeoutMs): Promise<Delivery> {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': id },
          body: JSON.stringify({ channel, to: recipient, subject, text: body }),
          redirect: 'manual',
          signal,
        })
        await response.body?.cancel()
        const retryAfter = response.headers.get('retry-after')
        return classifyResponse({ status: response.status, retryAfter }, { sentAs: id })
      } catch (failure) {
        return classifyResponse({ failure })
      }
    },
  }
}
