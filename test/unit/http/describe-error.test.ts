import { describe, expect, test } from 'vitest'
import { describeError } from '../../../functions/_shared/log.ts'

const HERE = expect.stringContaining('describe-error.test.ts')

describe('an unexpected error in the log', () => {
  test('is named by its class, its code and where it was thrown', () => {
    const error = Object.assign(new TypeError('Jordan Quickthorn is unwell'), { code: 'E17' })
    expect(describeError(error)).toEqual({ error: 'TypeError', code: 'E17', at: HERE })
  })

  test.each([
    ['a message of several lines', 'Jordan\n    at home with Quickthorn\n    at Jordan:1:2'],
    ['a message of one letter', 'e'],
    ['no message', ''],
  ])('says nothing of %s', (_, message) => {
    const described = describeError(new Error(message))
    expect(described).toEqual({ error: 'Error', code: undefined, at: HERE })
    expect(JSON.stringify(described)).not.toContain('Jordan')
  })

  test('has no place when the message was changed after it was thrown', () => {
    const error = new Error('Jordan\n    at home:1:2')
    error.stack = `${error.stack}`
    error.message = 'Something else'
    expect(describeError(error)).toEqual({ error: 'Error', code: undefined, at: undefined })
  })

  test('is named by its type when it is not an error', () => {
    expect(describeError('Jordan Quickthorn')).toEqual({ error: 'string' })
  })
})
