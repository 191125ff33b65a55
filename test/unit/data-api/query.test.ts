import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  deleteRequest,
  insertRequest,
  selectRequest,
  updateRequest,
} from '../../../functions/_shared/data-api/query.ts'

const taken = (body: unknown) => selectRequest.safeParse(body).success

test.each([
  ['select', selectRequest, { table: 'a', filter: { b: 1 } }],
  ['select', selectRequest, { table: 'a', orderBy: [{ column: 'b', descending: true }] }],
  ['insert', insertRequest, { table: 'a', data: { b: 1 }, upsert: true }],
  ['update', updateRequest, { table: 'a', data: { b: 1 }, filters: { b: 1 }, limit: 1 }],
  ['delete', deleteRequest, { table: 'a', filters: { b: 1 }, limit: 1 }],
])('a %s rejects a field that it does not have', (_, request, body) => {
  expect(request.safeParse(body).success).toBe(false)
})

test('a change without filters is asked to name one, whether they are empty or absent', () => {
  for (const body of [{ table: 'a' }, { table: 'a', filters: {} }]) {
    expect(deleteRequest.safeParse(body).error?.issues.map(({ message }) => message)).toEqual([
      'at least one filter is needed',
    ])
  }
})

describe('a select', () => {
  test('needs no more than a table', () => {
    expect(selectRequest.parse({ table: 'consents' })).toEqual({
      table: 'consents',
      columns: '*',
      filters: {},
      orderBy: [],
      limit: 100,
      offset: 0,
    })
  })

  test.each(['public.consents', 'checkin.check_ins', '_a1'])('takes the table %s', (table) =>
    expect(taken({ table })).toBe(true),
  )

  test.each([
    '',
    'Consents',
    'consents;',
    '../rpc/x',
    'rpc/list_students',
    'a.b.c',
    '.a',
    'a.',
    'a b',
    'a?select=*',
    'a'.repeat(64),
    'é',
  ])('rejects the table %j', (table) => expect(taken({ table })).toBe(false))

  test.each(['*', 'id', 'id,kind', ' id , kind '])('takes the columns %j', (columns) =>
    expect(taken({ table: 'a', columns })).toBe(true),
  )

  test.each([
    '',
    'id,',
    '*,id',
    'profiles(first_name)',
    'session_data->a',
    'id::text',
    'a:id',
    'count()',
    'id kind',
    'id\n',
    '"id"',
  ])('rejects the columns %j', (columns) => expect(taken({ table: 'a', columns })).toBe(false))

  test.each([
    'select',
    'or',
    'and',
    'not',
    'limit',
    'offset',
    'order',
    'columns',
    'on_conflict',
    'a.b',
    'a->>b',
    '',
  ])('rejects a filter by %j', (column) =>
    expect(taken({ table: 'a', filters: { [column]: '1' } })).toBe(false),
  )

  test.each([
    [{ eq: 1 }],
    [{}],
    [{ like: 1 }],
    [{ in: 'a' }],
    [{ in: [null] }],
    [{ is: 'null' }],
    [{ gt: null }],
    [{ contains: 1 }],
    [[null]],
    [[['a']]],
    [{ gt: { lt: 1 } }],
    [Number.POSITIVE_INFINITY],
  ])('rejects the filter %j', (filter) => expect(taken({ table: 'a', filters: { a: filter } })).toBe(false))

  test.each([-1, 1.5, 1001, '10', null])('rejects the limit %j', (limit) =>
    expect(taken({ table: 'a', limit })).toBe(false),
  )
})

describe('a change', () => {
  test.each([[undefined], [{}], [null], [[]], ['id=1']])('rejects the filters %j', (filters) => {
    expect(updateRequest.safeParse({ table: 'a', data: { a: 1 }, filters }).success).toBe(false)
    expect(deleteRequest.safeParse({ table: 'a', filters }).success).toBe(false)
  })

  test.each([
    [undefined],
    [null],
    [{}],
    [[]],
    [[{}]],
    ['a'],
    [[{ a: 1 }, 1]],
    [{ 'a b': 1 }],
    [{ A: 1 }],
    [Array(1001).fill({ a: 1 })],
  ])('rejects the rows %j', (data) => {
    expect(insertRequest.safeParse({ table: 'a', data }).success).toBe(false)
  })

  test('takes a thousand rows of different columns', () => {
    const data = Array.from({ length: 1000 }, (_, index) => (index % 2 ? { a: 1 } : { b: { c: [null] } }))
    expect(insertRequest.parse({ table: 'a', data }).data).toEqual(data)
  })
})

describe('a body', () => {
  test('with a member __proto__ is rejected at any depth, so that no filter is dropped', () => {
    for (const body of [
      '{"table":"a","filters":{"a":1,"__proto__":1}}',
      '{"table":"a","filters":{"a":{"contains":{"b":[{"__proto__":{}}]}}}}',
      '{"table":"a","__proto__":{"filters":{}}}',
    ]) {
      expect(taken(JSON.parse(body))).toBe(false)
    }
    const row = JSON.parse('{"table":"a","data":[{"a":{"__proto__":{"b":1}}}]}')
    expect(insertRequest.safeParse(row).success).toBe(false)
    expect({}).not.toHaveProperty('b')
  })

  test('takes constructor and prototype for the names that they are', () => {
    const data = { constructor: 1, prototype: { constructor: 2 } }
    expect(insertRequest.parse({ table: 'a', data }).data).toEqual(data)
  })

  test.each(['a\0', '\ud800'])('with the text %j is rejected, as a value and as a name', (text) => {
    expect(taken({ table: 'a', filters: { a: text } })).toBe(false)
    expect(taken({ table: 'a', filters: { a: [text] } })).toBe(false)
    expect(insertRequest.safeParse({ table: 'a', data: { a: { [text]: 1 } } }).success).toBe(false)
  })

  test('is accepted or rejected, whatever it is, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (filters, data) => {
        for (const schema of [selectRequest, insertRequest, updateRequest, deleteRequest]) {
          schema.safeParse({ table: 'a', filters, data })
          schema.safeParse(data)
        }
      }),
    )
  })
})
