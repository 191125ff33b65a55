import { describe, expect, test } from 'vitest'
import type { ReplyMeaning } from '../../../functions/_shared/support/reply.ts'
import { answerTo } from '../../../functions/_shared/support/texts.ts'
import { TEXTS } from '../../../functions/buddy/texts.ts'
import { functionOf } from '../http/serving.ts'

const heard = {
  repeated: false,
  changed: false,
  agreed: false,
  may_answer: true,
  opted_out: false,
  replied: false,
  support_email: null,
} as const

const inEnglish = (meaning: ReplyMeaning) => ({ meaning, language: 'en' }) as const

describe('the reply to a text', () => {
  test('is in the language of the text', () => {
    const inSpanish = (meaning: ReplyMeaning) => ({ meaning, language: 'es' }) as const
    expect(answerTo(inSpanish('stop'), { ...heard, changed: true, opted_out: true }, false)).toBe(
      'Ya no recibe mensajes de este servicio. Responda START para recibirlos de nuevo.',
    )
    expect(answerTo(inSpanish('start'), { ...heard, changed: true }, false)).toContain('STOP para terminar')
    expect(answerTo(inSpanish('other'), heard, false)).toContain('llame a su número de emergencias')
    const help = answerTo(inSpanish('help'), { ...heard, support_email: 'help@example.edu' }, false)
    expect(help).toContain('Ayuda: help@example.edu.')
    expect(answerTo(inSpanish('help'), heard, false)).not.toContain('Ayuda:')
  })

  test.each(['en', 'de', 'es', 'fr', 'ar'] as const)(
    'that stops is one text of one segment in %s',
    (language) => {
      const said =
        answerTo({ meaning: 'stop', language }, { ...heard, changed: true, opted_out: true }, false) ?? ''
      // GSM 03.38 without its extension table, else UCS-2.
      const isGsm = /^[\n\rA-Za-z0-9 @£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà]*$/.test(
        said,
      )
      expect(said).toContain('START')
      expect(said.length).toBeLessThanOrEqual(isGsm ? 160 : 70)
    },
  )

  test('confirms what changed, where the provider does not', () => {
    expect(answerTo(inEnglish('stop'), { ...heard, changed: true, opted_out: true }, false)).toContain(
      'Reply START',
    )
    expect(answerTo(inEnglish('start'), { ...heard, changed: true }, false)).toContain('STOP to end')
    expect(answerTo(inEnglish('stop'), { ...heard, changed: true, opted_out: true }, true)).toBeNull()
  })

  test('to a number that opted out is none', () => {
    for (const meaning of ['stop', 'start', 'help', 'other'] as const)
      expect(answerTo(inEnglish(meaning), { ...heard, opted_out: true }, false)).toBeNull()
  })

  test('says once a day that nobody reads it', () => {
    expect(answerTo(inEnglish('other'), heard, false)).toContain('Nobody reads')
    expect(answerTo(inEnglish('other'), { ...heard, replied: true }, false)).toBeNull()
    expect(answerTo(inEnglish('start'), heard, false)).toContain('Nobody reads')
  })

  test('to a call for help names the support address where there is one', () => {
    expect(answerTo(inEnglish('help'), { ...heard, support_email: 'help@example.edu' }, false)).toContain(
      'help@example.edu',
    )
    expect(answerTo(inEnglish('help'), heard, false)).not.toContain('null')
    expect(answerTo(inEnglish('help'), heard, true)).toBeNull()
  })

  test('thanks who agreed, whatever the provider confirms', () => {
    expect(answerTo(inEnglish('yes'), { ...heard, agreed: true }, true)).toContain('Thank you for agreeing')
    expect(answerTo(inEnglish('yes'), heard, false)).toContain('Nobody reads')
  })

  test('to somebody who was answered often enough, or to where no texts go, is none', () => {
    for (const meaning of ['stop', 'start', 'yes', 'help', 'other'] as const)
      expect(answerTo(inEnglish(meaning), { ...heard, changed: true, may_answer: false }, false)).toBeNull()
  })

  test('to a repeated request is none', () => {
    expect(answerTo(inEnglish('stop'), { repeated: true }, false)).toBeNull()
  })
})

describe('without Twilio', () => {
  const buddy = functionOf(TEXTS)

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
