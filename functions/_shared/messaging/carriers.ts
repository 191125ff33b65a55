import { inboxCarrier } from './inbox.ts'
import type { Carriers } from './message.ts'
import { type EmailSettings, resendCarrier } from './resend.ts'
import { type SmsSettings, twilioCarrier } from './twilio.ts'

/** Who carries each channel: its provider where one is configured, else the local inbox where there is one. */
export function carriersFor({
  email,
  sms,
  inboxUrl,
}: {
  email: EmailSettings | undefined
  sms: SmsSettings | undefined
  inboxUrl: string | undefined
}): Carriers {
  const inbox = inboxUrl ? inboxCarrier(inboxUrl) : undefined
  return {
    email: email ? resendCarrier(email) : inbox,
    sms: sms ? twilioCarrier(sms) : inbox,
  }
}
