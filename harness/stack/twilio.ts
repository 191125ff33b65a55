/** The invented account at Twilio. */
export const ACCOUNT = { sid: `AC${'0'.repeat(32)}`, token: 'an-invented-token' }

/** Where the project is reached, as its operator says; no test reaches it there. */
export const PUBLIC_URL = 'https://wellbeing.example.edu'
export const functionUrl = (path: string) => `${PUBLIC_URL}/functions/v1${path}`

/** What the functions need to send with Twilio and to hear from it. */
export const twilioSettings = (baseUrl: string) => ({
  TWILIO_ACCOUNT_SID: ACCOUNT.sid,
  TWILIO_AUTH_TOKEN: ACCOUNT.token,
  TWILIO_FROM: '+15005550001',
  TWILIO_BASE_URL: baseUrl,
  PUBLIC_API_URL: PUBLIC_URL,
})

/** Settings of a sender outside of the functions. */
export const sendingSettings = (baseUrl: string) => ({
  email: undefined,
  sms: {
    ...{ accountSid: ACCOUNT.sid, authToken: ACCOUNT.token, from: '+15005550001', baseUrl },
    statusUrl: functionUrl('/buddy/text-status'),
  },
  inboxUrl: undefined,
})
