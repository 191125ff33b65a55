import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { LANGUAGES, languageOfBrowser } from '../../../functions/_shared/languages.ts'
import { errorPage } from '../../../functions/_shared/support/pages/error-page.ts'
import { suggestedZone } from '../../../functions/_shared/support/pages/time-zones.ts'
import { readerOf } from '../../../functions/_shared/support/reader.ts'
import { zonesOf } from '../../../functions/_shared/support/verification.ts'
import { WORDS } from '../../../functions/_shared/support/words/words.ts'

test.each([
  ['fr-CA, en;q=0.8', 'fr'],
  ['pt-BR, es;q=0.5, de;q=0.9', 'de'],
  ['ar', 'ar'],
  ['de;q=0, en;q=0.1', 'en'],
  ['zh-Hant', 'en'],
  [';;q=2,,', 'en'],
  [null, 'en'],
])('a browser that asks for %s reads %s', (header, language) => {
  expect(languageOfBrowser(header)).toBe(language)
})

test("a page is in the language of its address, else in the contact's own, else in the browser's", () => {
  const of = (address: string, own: 'de' | null) =>
    readerOf({ request: new Request(address, { headers: { 'accept-language': 'es' } }) }, own).language
  expect(of('https://pages.example.edu/buddy/alert/a?language=ar', 'de')).toBe('ar')
  expect(of('https://pages.example.edu/buddy/alert/a?language=xx', 'de')).toBe('de')
  expect(of('https://pages.example.edu/buddy/alert/a', null)).toBe('es')
})

describe('the time zone that is chosen already', () => {
  test.each([
    ['GB', null, 'Europe/London'],
    ['DE', null, 'Europe/Berlin'],
    ['ES', 'Europe/Berlin', 'Europe/Madrid'],
    ['PT', null, 'Europe/Lisbon'],
    ['US', null, null],
    ['US', 'America/Chicago', 'America/Chicago'],
    ['AU', 'Europe/London', null],
  ])('of a number in %s, of a student in %s, is %s', (country, university, zone) => {
    expect(suggestedZone(zonesOf(country) ?? [], university)).toBe(zone)
  })

  test('is none where no country is known', () => {
    expect(suggestedZone([], 'Europe/London')).toBeNull()
  })
})

test('a page that is switched off for everybody says neither that it is for one network, nor that alerts can be answered', async () => {
  const reader = { language: 'en', words: WORDS.en, query: '', settings: null } as const
  const { body } = errorPage(new ServiceError('quarantined', 'For programs'), reader)
  expect(String(await body)).toContain('call or write to them now')
  expect(String(await body)).not.toMatch(/network|works all the same/)
})

describe.each(LANGUAGES)('an error in %s', (language) => {
  const reader = { language, words: WORDS[language], query: '', settings: null }

  test.each([
    ['not_found', 404],
    ['method_not_allowed', 405],
    ['access_blocked', 403],
    ['quarantined', 503],
    ['rate_limited', 429],
    ['body_too_large', 400],
    ['internal_error', 500],
  ] as const)(
    '%s is a page with a heading of its own and the numbers for an emergency',
    async (code, status) => {
      const page = errorPage(new ServiceError(code, 'For programs', { retry_after_s: 90 }), reader)
      const html = String(await page.body)
      expect(page).toMatchObject({ status, language })
      expect(html).toMatch(/<h1>[^<]+<\/h1>/)
      expect(html).toContain('tel:112')
      expect(html).not.toMatch(/For programs|undefined|\[object|<ul class="help"><\/ul>/)
    },
  )
})
