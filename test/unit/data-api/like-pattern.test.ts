import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { patternCondition } from '../../../functions/_shared/data-api/conditions.ts'

/** Texts full of what means something to patterns. */
const awkward = fc.string({ unit: fc.constantFrom(...'ab*%_\\.+?^{}$()|[]\n😀') })

/** The pattern that matches a text and nothing else. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function matches({ operand }: { operand: string }, text: string): boolean {
  return new RegExp(operand, 'su').test(text)
}

describe('a pattern', () => {
  test('without * is passed on', () => {
    expect(patternCondition('like', 'a\\%b%')).toEqual({ operator: 'like', operand: 'a\\%b%' })
    expect(patternCondition('ilike', '_')).toEqual({ operator: 'ilike', operand: '_' })
  })

  test('with * becomes a regular expression that takes * for itself', () => {
    expect(patternCondition('like', 'a*%_')).toEqual({ operator: 'match', operand: '^a\\*.*.$' })
    expect(patternCondition('ilike', '*')).toEqual({ operator: 'imatch', operand: '^\\*$' })
  })

  test('with *, of any escaped text, matches that text and no other', () => {
    fc.assert(
      fc.property(awkward, awkward, (text, other) => {
        const condition = patternCondition('like', literal(`*${text}`))
        expect(matches(condition, `*${text}`)).toBe(true)
        expect(matches(condition, `*${other}`)).toBe(other === text)
      }),
    )
  })

  test('with * keeps % and _ as wildcards', () => {
    fc.assert(
      fc.property(awkward, (text) => {
        expect(matches(patternCondition('like', '*%!'), `*${text}!`)).toBe(true)
        expect(matches(patternCondition('like', '*_'), `*${text}`)).toBe([...text].length === 1)
      }),
    )
  })
})
