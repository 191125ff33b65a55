import { describe, expect, test } from 'vitest'
import { conditionsOf } from '../../../functions/_shared/data-api/conditions.ts'
import type { Filter } from '../../../functions/_shared/data-api/query.ts'

const FILTERS: [string, Filter, [operator: string, operand: string][]][] = [
  ['a text is compared as it is', 'a,b)(".%', [['eq', 'a,b)(".%']]],
  ['a number', 1.5, [['eq', '1.5']]],
  ['a boolean', false, [['eq', 'false']]],
  ['null is asked for by name', null, [['is', 'null']]],
  ['the text null is a text', 'null', [['eq', 'null']]],
  ['an array is a list in quotes', ['a', 'b,c', 1], [['in', '("a","b,c","1")']]],
  ['quotes and backslashes within a list are escaped', ['"\\'], [['in', '("\\"\\\\")']]],
  ['an empty array is an empty list', [], [['in', '()']]],
  ['not null', { neq: null }, [['not.is', 'null']]],
  ['true, false or null by identity', { is: true }, [['is', 'true']]],
  ['an array that is contained', { contains: ['a"b', 2, null] }, [['cs', '{"a\\"b","2",null}']]],
  ['an object that is contained', { contains: { a: [1] } }, [['cs', '{"a":[1]}']]],
  ['an array of objects that is contained', { contains: [{ a: 1 }] }, [['cs', '[{"a":1}]']]],
  ['a text that is contained is passed on', { contains: '["a"]' }, [['cs', '["a"]']]],
  ['a pattern', { like: 'a%' }, [['like', 'a%']]],
]

describe('a filter', () => {
  test.each(FILTERS)('%s', (_, filter, expected) => {
    const conditions = conditionsOf({ column: filter })
    expect(conditions.map(({ operator, operand }) => [operator, operand])).toEqual(expected)
    expect(conditions.every(({ column }) => column === 'column')).toBe(true)
  })

  test('of several operators asks for all of them', () => {
    expect(conditionsOf({ score: { gte: 10, lt: 20, neq: 15 }, status: 'complete' })).toEqual([
      { column: 'score', operator: 'neq', operand: '15' },
      { column: 'score', operator: 'gte', operand: '10' },
      { column: 'score', operator: 'lt', operand: '20' },
      { column: 'status', operator: 'eq', operand: 'complete' },
    ])
  })
})
