import { readFileSync } from 'node:fs'
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import examples from 'libphonenumber-js/mobile/examples'
import { expect, inject, test } from 'vitest'
import { withDatabase } from '../../../harness/stack/project.ts'
import { PHONE_PLANS, phonePlans } from '../../../scripts/phone-plans.ts'

const project = inject('project')

/** Landlines, and what else is no mobile phone's. */
const OTHERS = [
  ...['+442079460123', '+4930123456', '+33123456789', '+34912345678', '+390612345678', '+19002345678'],
  ...['+18005551234', '+80012345678', '+447700900123', '+15555550100', '+1202555010', '+120255501000'],
  ...['+99912345678', '+1'],
].map((typed) => ({ typed, home: 'US' }))

/** Mobile numbers of every country, as its people and others write them. */
function* written() {
  for (const country of getCountries()) {
    const number = parsePhoneNumberFromString(examples[country], country)
    if (!number) continue
    for (const typed of [number.formatNational(), number.formatInternational(), number.number]) {
      yield { typed, home: country as string }
      if (typed.startsWith('+')) yield { typed, home: country === 'US' ? 'GB' : 'US' }
    }
  }
}

/** What libphonenumber reads: E.164 and whether texts reach it; null where it is no mobile phone's and no landline's. */
function readByLibrary({ typed, home }: { typed: string; home: string }) {
  const number = parsePhoneNumberFromString(typed, home as CountryCode)
  const kind = number?.isValid() ? number.getType() : undefined
  if (!number || kind === undefined || !/MOBILE|FIXED_LINE/.test(kind)) return null
  return { number: number.number as string, kind: kind === 'FIXED_LINE' ? 'landline' : 'mobile' }
}

test('the database reads numbers as libphonenumber does', async () => {
  const numbers = [...written(), ...OTHERS]
  const read = await withDatabase(
    project,
    (sql) => sql`
      select r.number, r.kind
      from unnest(${numbers.map(({ typed }) => typed)}::text[], ${numbers.map(({ home }) => home)}::text[])
        with ordinality as t (typed, home, place)
      left join lateral private.read_number(t.typed, t.home) r on true
      order by t.place`,
  )
  const differing = numbers.flatMap((given, place) => {
    const { number, kind } = read[place] ?? {}
    const inDatabase = number === null ? null : { number, kind }
    const inLibrary = readByLibrary(given)
    return JSON.stringify(inDatabase) === JSON.stringify(inLibrary) ? [] : [{ given, inDatabase, inLibrary }]
  })
  expect(numbers.length).toBeGreaterThan(1000)
  expect(differing).toEqual([])
})

test('and knows their country', async () => {
  const numbers = getCountries().flatMap((country) => {
    const number = parsePhoneNumberFromString(examples[country], country)?.number
    return number === undefined ? [] : [number as string]
  })
  const read = await withDatabase(
    project,
    (sql) => sql`
      select t.number, private.country_of_number(t.number) as country
      from unnest(${numbers}::text[]) with ordinality as t (number, place) order by t.place`,
  )
  expect(read.map(({ number, country }) => [number, country])).toEqual(
    numbers.map((number) => [number, parsePhoneNumberFromString(number)?.country]),
  )
})

test('the plans are those of the installed library: npm run phone-plans', () => {
  expect(readFileSync(PHONE_PLANS, 'utf8')).toBe(phonePlans())
})
