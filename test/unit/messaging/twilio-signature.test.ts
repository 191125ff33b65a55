import twilio from 'twilio'
import { describe, expect, test } from 'vitest'
import { signedFields } from '../../../functions/_shared/messaging/twilio-signature.ts'

const account = { accountSid: `AC${'1'.repeat(32)}`, authToken: 'invented' }
const url = 'https://wellbeing.example.edu/functions/v1/buddy/texts'
const fields = {
  AccountSid: account.accountSid,
  Body: 'Grüße & 1+1=2 “ja” 🙂',
  From: '+12025550142',
  Empty: '',
}
const signature = twilio.getExpectedTwilioSignature(account.authToken, url, fields)
const body = new URLSearchParams(fields).toString()

describe('a form', () => {
  test('that Twilio signed is read as it was meant', () => {
    expect(signedFields({ url, signature, body }, account)).toEqual(fields)
  })

  test.each([
    ['nothing signed', { signature: null }],
    ['another address was signed for', { url: `${url}/` }],
    ['a field was changed', { body: body.replace('Body=', 'Body=x') }],
    ['a field was added', { body: `${body}&OptOutType=START` }],
    ['a field was repeated, which the library does not see', { body: `${body}&From=%2B12025550142` }],
    ['a field is called as a part of objects is', { body: `${body}&__proto__=x` }],
  ])('is refused where %s', (_, change) => {
    expect(signedFields({ url, signature, body, ...change }, account)).toBeNull()
  })

  test('is read under the token of before while that is replaced, and no longer', () => {
    const replaced = { ...account, authToken: 'new', previousAuthToken: account.authToken }
    expect(signedFields({ url, signature, body }, replaced)).toEqual(fields)
    expect(signedFields({ url, signature, body }, { ...account, authToken: 'new' })).toBeNull()
  })

  test('of another account is refused, though signed', () => {
    expect(signedFields({ url, signature, body }, { ...account, accountSid: 'AC2' })).toBeNull()
  })
})
