/** What a person asks of the network with one word, as Twilio names it in `OptOutType`. */
export type OptOutType = 'STOP' | 'START' | 'HELP'

/** Twilio's default keywords (https://www.twilio.com/docs/messaging/tutorials/advanced-opt-out), each as the whole text. */
const KEYWORDS: readonly (readonly [OptOutType, RegExp])[] = [
  ['STOP', /^(stop|stopall|unsubscribe|cancel|end|quit|revoke|optout)$/i],
  ['START', /^(start|yes|unstop)$/i],
  ['HELP', /^(help|info)$/i],
]

export function optOutTypeOf(text: string): OptOutType | undefined {
  return KEYWORDS.find(([, pattern]) => pattern.test(text.trim()))?.[0]
}

/** What Twilio answers by default. */
export const ANSWERS: Readonly<Record<OptOutType, string>> = {
  STOP: 'You have successfully been unsubscribed. You will not receive any more messages from this number. Reply START to resubscribe.',
  START:
    'You have successfully been re-subscribed to messages from this number. Reply HELP for help. Reply STOP to unsubscribe. Msg&Data Rates May Apply.',
  HELP: 'Reply STOP to unsubscribe. Msg&Data Rates May Apply.',
}
