import fc from 'fast-check'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Filter } from '../../../functions/_shared/data-api/query.ts'
import { insertRequest, selectRequest } from '../../../functions/_shared/data-api/query.ts'
import { insertRows, selectRows, updateRows } from '../../../functions/_shared/data-api/rows.ts'
import { call } from '../../../harness/client/call.ts'
import { newStudent, type Student } from '../../../harness/factories/students.ts'
import { serviceClient } from '../../../harness/stack/project.ts'

const project = inject('project')

let student: Student

/** For more requests than a student may make in a minute. */
const unlimited = serviceClient(project)

beforeAll(async () => {
  student = await newStudent(project, [])
  const rows = [
    {
      assessment_type: 'daily',
      status: 'processing',
      session_data: { n: 1, name: 'Lake', tags: ['a', 'b'] },
    },
    { assessment_type: 'daily', status: 'completed', session_data: { n: 2, name: 'lake', tags: [] } },
    { assessment_type: 'weekly', status: 'failed', session_data: { n: 3, name: 'River', tags: ['a'] } },
    { assessment_type: 'baseline', status: 'failed' },
  ]
  const body = { table: 'assessment_sessions', data: rows }
  const { status } = await call(project, student.token, 'POST', 'api/database/insert', body)
  expect(status).toBe(200)
})

/** Statuses and types of the sessions that fulfil a filter, through the API. */
async function found(filters: Record<string, unknown>): Promise<string[]> {
  const { status, body } = await call(project, student.token, 'POST', 'api/database/select', {
    table: 'assessment_sessions',
    columns: 'assessment_type, status',
    filters,
  })
  expect({ status, error: body.error }).toEqual({ status: 200, error: null })
  const rows: { assessment_type: string; status: string }[] = Object(body.data)
  expect(body.count).toBe(rows.length)
  return rows.map((row) => `${row.assessment_type} ${row.status}`).sort()
}

describe('a filter', () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ['a value: equal', { status: 'completed' }, ['daily completed']],
    ['several columns: all must hold', { status: 'failed', assessment_type: 'weekly' }, ['weekly failed']],
    ['an array: one of', { status: ['completed', 'processing'] }, ['daily completed', 'daily processing']],
    ['an empty array: none', { status: [] }, []],
    ['neq', { status: { neq: 'failed' } }, ['daily completed', 'daily processing']],
    ['in', { assessment_type: { in: ['weekly', 'baseline'] } }, ['baseline failed', 'weekly failed']],
    ['contains an object', { session_data: { contains: { n: 2 } } }, ['daily completed']],
    [
      'contains, within it, an array',
      { session_data: { contains: { tags: ['a'] } } },
      ['daily processing', 'weekly failed'],
    ],
    ['contains, as JSON text', { session_data: { contains: '{"name":"River"}' } }, ['weekly failed']],
    [
      'gt and lte together, in the order of the enum',
      { status: { gt: 'processing', lte: 'completed' } },
      ['daily completed'],
    ],
    ['gte', { created_at: { gte: '2001-01-01' }, status: 'completed' }, ['daily completed']],
    ['lt', { created_at: { lt: '2001-01-01' } }, []],
  ])('%s', async (_, filters, expected) => {
    expect(await found(filters)).toEqual(expected)
  })
})

describe('a filter by what is no text', () => {
  const students = (filters: Record<string, unknown>) =>
    call(project, student.token, 'POST', 'api/database/select', { table: 'students', filters })

  test.each<[string, Record<string, unknown>, number]>([
    ['a boolean', { counselor_access: false }, 1],
    ['the other boolean', { counselor_access: true }, 0],
    ['a boolean by identity', { counselor_access: { is: false } }, 1],
    ['a boolean in words', { counselor_access: 'false' }, 1],
    ['a number', { check_ins: 0 }, 1],
    ['a number in words', { check_ins: '0' }, 1],
    ['another number', { check_ins: { neq: 0 } }, 0],
    ['numbers', { check_ins: [0, 7] }, 1],
    ['a range', { check_ins: { gte: -1, lt: 0.5e1 } }, 1],
    ['null', { residence: null }, 1],
    ['null by identity', { residence: { is: null } }, 1],
    ['anything but null', { residence: { neq: null } }, 0],
    ['anything but null, where there is something', { university_id: { neq: null } }, 1],
    ['an account', { user_id: '00000000-0000-4000-8000-000000000000' }, 0],
  ])('%s', async (_, filters, count) => {
    const { status, body } = await students(filters)
    expect({ status, count: body.count }).toEqual({ status: 200, count })
  })

  test.each<[string, Record<string, unknown>]>([
    ['a text that is no boolean', { counselor_access: 'perhaps' }],
    ['a text that is no number', { check_ins: 'null' }],
    ['a number that is too large', { check_ins: 1e300 }],
    ['a fraction', { check_ins: 0.5 }],
    ['a pattern for a number', { check_ins: { like: '1%' } }],
    ['what is contained in a text', { residence: { contains: 'a' } }],
    ['a text that is no account', { user_id: ['x'] }],
    ['an identity that the type lacks', { residence: { is: true } }],
  ])('refuses %s', async (_, filters) => {
    const { status, body } = await students(filters)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_value' })
  })
})

/** The own profile, whose names are free text. */
const names = (filters: Record<string, Filter>) =>
  selectRows(
    unlimited,
    selectRequest.parse({
      table: 'profiles',
      columns: 'first_name',
      filters: { ...filters, user_id: student.id },
    }),
  )

const rename = (first_name: string) =>
  updateRows(unlimited, { table: 'profiles', data: { first_name }, filters: { user_id: student.id } })

/** The pattern that matches a text and nothing else. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&')

describe('text of a filter', () => {
  test.each([
    ['like', 'Ana%', true],
    ['like', 'ana%', false],
    ['ilike', 'ana%', true],
    ['like', 'Ana_*_*x', true],
    ['like', 'Ana_*_x', false],
    ['like', 'Ana %*%', true],
    ['ilike', 'aNA ***X', true],
    ['ilike', '%*', false],
    ['like', 'Ana', false],
  ])('%s %s', async (operator, pattern, matches) => {
    await rename('Ana ***x')
    const { count } = await names({ first_name: { [operator]: pattern } })
    expect(count).toBe(matches ? 1 : 0)
  })

  const awkward = fc.string({
    unit: fc.constantFrom(
      ...`"\\'\`(),.*%_{}[]<>:;&=+#?/|!~-^$@ \n\t`,
      'a',
      'é',
      '\u{1F600}',
      '\u202e',
      '\uffff',
    ),
    maxLength: 40,
  })
  const anyText = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((text) => text.isWellFormed() && !text.includes('\0'))
  const operandLike = fc.constantFrom(
    'null',
    'not.is.null',
    'eq.a',
    '(a,b)',
    '{a,b}',
    '"a"',
    ')",or=(user_id.neq.0',
    'a&user_id=neq.0',
    '%00',
    '%2c',
    '__proto__',
    "'; drop table profiles; --",
  )

  test('is data, whatever it holds: the row with it is found, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(awkward, anyText, operandLike), awkward, async (text, other) => {
        await rename(text)
        const finding: Filter[] = [
          text,
          [text],
          [other, text, ''],
          { in: [text, other] },
          { like: literal(text) },
          { ilike: literal(text) },
          { gte: text, lte: text },
        ]
        for (const filter of finding) {
          expect(await names({ first_name: filter })).toEqual({
            data: [{ first_name: text }],
            count: 1,
            error: null,
          })
        }
        expect((await names({ first_name: { neq: text } })).count).toBe(0)
        if (other === text) return
        for (const filter of [other, [other], { like: literal(other) }]) {
          expect((await names({ first_name: filter })).count).toBe(0)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is data within arrays and objects that are contained', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(awkward, anyText, operandLike), awkward, async (text, other) => {
        fc.pre(text !== '__proto__')
        const inserted = insertRequest.parse({
          table: 'assessment_sessions',
          data: { user_id: student.id, assessment_type: 'daily', session_data: { [text]: [text, { text }] } },
          returning: 'id',
        })
        const { data } = await insertRows(unlimited, inserted)
        const id = String(data?.[0]?.id)
        const containing = async (part: unknown) => {
          const filters = { id, session_data: { contains: part } }
          return (await selectRows(unlimited, selectRequest.parse({ table: 'assessment_sessions', filters })))
            .count
        }
        expect(await containing({ [text]: [text] })).toBe(1)
        expect(await containing({ [text]: [{ text }] })).toBe(1)
        if (other !== text) expect(await containing({ [text]: [other] })).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  test('of an array of the database is data as well', async () => {
    const features = async (part: string[]) => {
      const filters = { id: 'northfield', features_enabled: { contains: part } }
      return (await selectRows(unlimited, selectRequest.parse({ table: 'universities', filters }))).count
    }
    expect(await features(['check_ins'])).toBe(1)
    expect(await features(['check_ins,sessions'])).toBe(0)
    await fc.assert(
      fc.asyncProperty(fc.oneof(awkward, anyText, operandLike), async (text) => {
        expect(await features(['check_ins', text])).toBe(0)
      }),
      { numRuns: 30 },
    )
  })
})
