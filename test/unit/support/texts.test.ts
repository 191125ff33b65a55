import { describe, expect, test } from 'vitest'
import { answerTo } from '../../../functions/_shared/support/texts.ts'
import { TEXTS } from '../../../functions/buddy/texts.ts'
import { functionOf, services } from '../http/serving.ts'

const heard = {
  repeated: false,
  changed: false,
  opted_out: false,
  replied: false,
  support_email: null,
} as const

describe('the reply to a text', () => {
  test('confirms what changed, where the provider does not', () => {
    expect(answerTo('stop', { ...heard, changed: true, opted_out: true }, false)).toContain('Reply START')
    expect(answerTo('start', { ...heard, changed: true }, false)).toContain('STOP to end')
    expect(answerTo('stop', { ...heard, changed: true, opted_out: true }, true)).toBeNull()
  })

  test('to a number that opted out is none', () => {
    for (const meaning of ['stop', 'start', 'help', 'other'] as const)
      expect(answerTo(meaning, { ...heard, opted_out: true }, false)).toBeNull()
  })

  test('says once a day that nobody reads it', () => {
    expect(answerTo('other', heard, false)).toContain('Nobody reads')
    expect(answerTo('other', { ...heard, replied: true }, false)).toBeNull()
    expect(answerTo('start', heard, false)).toContain('Nobody reads')
  })

  test('to a call for help names the support address where there is one', () => {
    expect(answerTo('help', { ...heard, support_email: 'help@example.edu' }, false)).toContain(
      'help@example.edu',
    )
    expect(answerTo('help', heard, false)).not.toContain('null')
    expect(answerTo('help', heard, true)).toBeNull()
  })

  test('to a repeated request is none', () => {
    expect(answerTo('stop', { repeated: true }, false)).toBeNull()
  })
})

describe('without Twilio', () => {
  const buddy = functionOf(
    TEXTS.map(({ route }) => route),
    (app) => {
      for (const endpoint of TEXTS) endpoint.addTo(app, services)
    },
  )

  test.each(['/buddy/texts', `/buddy/text-status?message=${crypto.randomUUID()}`])(
    '%s takes nothing',
    async (path) => {
      const response = await buddy(path, {
        method: 'POST',
        body: new URLSearchParams({ From: '+12025550142' }),
      })
      expect(response.status).toBe(503)
      expect(await response.json()).toMatchObject({ code: 'not_configured' })
    },
  )

  test('nor is it read', async () => {
    expect((await buddy('/buddy/texts')).status).toBe(405)
  })
})
