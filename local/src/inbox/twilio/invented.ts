import { randomBytes } from 'node:crypto'
import { TEST_NUMBER, type TwilioSettings } from './account.ts'

/** How a stack carries texts when its project has no account at Twilio. */
export type TextMessages = {
  /** What hears the replies: a path of the API, such as `/functions/v1/texts`, or a whole address. It is part of the signature. */
  webhook: string
  /** Number that texts come from (E.164), or SID of a messaging service (`MG…`). Default: Twilio's own for tests, +15005550006. */
  from?: string
  /** Who hears STOP, START and HELP: see `TwilioSettings`. */
  optOut?: TwilioSettings['optOut']
}

const CREDENTIALS = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM']

/**
 * Whether a project has settings of its own for Twilio.
 *
 * @param given what the caller gives the functions: a name counts also when its value is empty, which turns Twilio off
 * @param secrets what else they see, where an empty value counts as not set
 */
export function hasTwilioSettings(given: Record<string, string>, secrets: NodeJS.Dict<string>): boolean {
  return CREDENTIALS.some((name) => name in given || Boolean(secrets[name]))
}

/** An account with a token that nobody else knows. */
export function inventAccount(
  { webhook, from = TEST_NUMBER, optOut }: TextMessages,
  apiUrl: string,
): TwilioSettings {
  return {
    accountSid: `AC${randomBytes(16).toString('hex')}`,
    authToken: randomBytes(16).toString('hex'),
    from,
    webhook: new URL(webhook, apiUrl).href,
    optOut,
  }
}

/** The variables with which functions send through an account whose API is the inbox. */
export function environmentOf({ accountSid, authToken, from }: TwilioSettings, inboxUrl: string) {
  return {
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_FROM: from,
    TWILIO_BASE_URL: inboxUrl,
  }
}
