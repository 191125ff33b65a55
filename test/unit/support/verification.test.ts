import { getCountries } from 'libphonenumber-js'
import { expect, test } from 'vitest'
import { zonesOf } from '../../../functions/_shared/support/verification.ts'

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
