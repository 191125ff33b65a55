import { getCountries } from 'libphonenumber-js'
import { expect, test } from 'vitest'
import { countryOf, zonesOf } from '../../../functions/_shared/support/verification.ts'

test.each([
  ['+12025550100', 'US'],
  ['+12025550199', 'US'],
  ['+447400123456', 'GB'],
  ['+4915112345678', 'DE'],
  ['+33612345678', 'FR'],
  ['+34612345678', 'ES'],
  ['+919876543210', 'IN'],
  ['+5511987654321', 'BR'],
  ['+61491570156', 'AU'],
])('%s is one of a mobile phone in %s', async (number, country) => {
  expect(await countryOf(number)).toBe(country)
})

test.each([
  ['landlines', '+442079460123'],
  ['landlines', '+4930123456'],
  ['premium services', '+19002345678'],
  ['toll-free services', '+18005551234'],
  ['toll-free services of no country', '+80012345678'],
  ['films', '+447700900123'],
  ['no area', '+15555550100'],
  ['nobody, as it is too short', '+1202555010'],
  ['nobody, as it is too long', '+120255501000'],
  ['nobody, as there is no such country', '+99912345678'],
  ['somebody, but not as E.164', '+1 202 555 0100'],
  ['somebody, but not as E.164', '12025550100'],
  ['somebody, but with an extension', '+12025550100;ext=1'],
  ['somebody, but in other digits', '+１２０２５５５０１００'],
  ['nobody', '+1'],
  ['nobody', ''],
])('a number of %s, %s, is not', async (_, number) => {
  expect(await countryOf(number)).toBeNull()
})

test('the zones of a country are all those that somebody there may live in', () => {
  expect(zonesOf('GB')).toEqual(['Europe/London'])
  expect(zonesOf('US')).toEqual(expect.arrayContaining(['America/New_York', 'Pacific/Honolulu']))
  expect(zonesOf('ZZ')).toBeNull()
})

test('every country has some hours in which it is day, from 8:00 to 21:00, in all of its zones', () => {
  const hourIn = (zone: string) =>
    Number(
      new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' }).format(
        new Date('2026-07-01T00:30:00Z'),
      ),
    )
  const withoutCommonHours = getCountries().filter((country) => {
    const hours = (zonesOf(country) ?? []).map(hourIn)
    const isDay = (later: number) =>
      hours.every((hour) => (hour + later) % 24 >= 8 && (hour + later) % 24 < 20)
    return !Array.from({ length: 24 }, (_, later) => later).some(isDay)
  })
  expect(withoutCommonHours).toEqual([])
})
