import { describe, expect, test } from 'vitest'
import { serviceErrorOf } from '../../../functions/_shared/data-api/postgrest-errors.ts'
import { ServiceError } from '../../../functions/_shared/errors.ts'

describe('a failure of the Data API', () => {
  test.each([
    ['42P01', 'relation "public.x" does not exist', 'table_not_found', undefined],
    ['PGRST205', "Could not find the table 'public.x' in the schema cache", 'table_not_found', undefined],
    ['42703', 'column consents.nope does not exist', 'unknown_column', { column: 'nope' }],
    ['42703', 'column "nope" of relation "consents" does not exist', 'unknown_column', { column: 'nope' }],
    [
      'PGRST204',
      "Could not find the 'nope' column of 'consents' in the schema cache",
      'unknown_column',
      { column: 'nope' },
    ],
    ['42883', 'operator does not exist: uuid ~~ unknown', 'invalid_value', undefined],
    ['22P02', 'invalid input syntax for type uuid: "Robin Field"', 'invalid_value', { type: 'uuid' }],
    [
      '22P02',
      'invalid input value for enum consent_kind: "Robin"',
      'invalid_value',
      { type: 'consent_kind' },
    ],
    ['22003', 'integer out of range', 'invalid_value', undefined],
    ['42501', 'permission denied for table outbox', 'forbidden', undefined],
    ['428C9', 'cannot insert a non-DEFAULT value into column "id"', 'forbidden', undefined],
    [
      '23505',
      'duplicate key value violates unique constraint "consents_in_force_idx"',
      'constraint_violated',
      { kind: 'unique', constraint: 'consents_in_force_idx' },
    ],
    [
      '23503',
      'insert or update on table "a" violates foreign key constraint "a_b_fkey"',
      'constraint_violated',
      { kind: 'foreign key', constraint: 'a_b_fkey' },
    ],
    [
      '23502',
      'null value in column "version" of relation "consents" violates not-null constraint',
      'constraint_violated',
      { kind: 'not-null', column: 'version' },
    ],
    ['23514', 'The room of Robin Field is taken.', 'constraint_violated', undefined],
    ['23505', 'doppelter Schlüsselwert »Robin« verletzt Unique-Constraint', 'constraint_violated', undefined],
    ['57014', 'canceling statement due to statement timeout', 'query_too_complex', undefined],
    ['54001', 'stack depth limit exceeded', 'query_too_complex', undefined],
    ['PGRST301', 'JWT expired', 'unauthorized', undefined],
  ])('%s, %s, is %s', (code, message, expected, details) => {
    const error = serviceErrorOf({ code, message })
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({ code: expected })
    expect(error instanceof ServiceError && error.details).toEqual(details)
    expect(JSON.stringify([error.message, error])).not.toContain('Robin')
  })

  test('that the audit log takes no more of this account says when it does again', () => {
    const error = serviceErrorOf({ code: 'PT429', message: 'Too many.', details: '17' })
    expect(error).toMatchObject({ code: 'rate_limited', details: { retry_after_s: 17 } })
  })

  test.each([
    ['57P01', 'terminating connection'],
    ['40P01', 'deadlock detected'],
    ['PGRST002', 'Could not query the database for the schema cache'],
    ['', 'FetchError: fetch failed'],
    [undefined, undefined],
  ])('%s is ours, and says no more than its code', (code, message) => {
    const error = serviceErrorOf({ code, message })
    expect(error).not.toBeInstanceOf(ServiceError)
    expect(error.message).toBe('The Data API failed.')
    expect(error).toHaveProperty('code', code ?? '')
  })
})
