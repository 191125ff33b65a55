import { expect, test } from 'vitest'
import { isMobileNumber } from '../../../functions/_shared/support/phone.ts'

test.each([
  '+12025550100',
  '+12025550199',
  '+447911123456',
  '+4915112345678',
  '+33612345678',
  '+34612345678',
  '+919876543210',
  '+5511987654321',
  '+61491570156',
])('%s is one of a mobile phone', (number) => {
  expect(isMobileNumber(number)).toBe(true)
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
])('a number of %s, %s, is not', (_, number) => {
  expect(isMobileNumber(number)).toBe(false)
})
