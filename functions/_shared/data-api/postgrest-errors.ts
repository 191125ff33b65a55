import type { PostgrestError } from '@supabase/supabase-js'
import { isErrorCode, ServiceError } from '../errors.ts'

/** An error as the Data API reports it. */
type DataApiError = Partial<Pick<PostgrestError, 'code' | 'message' | 'details' | 'hint'>>

/**
 * The error that the caller gets for one of the Data API. It names columns, types and constraints, which the caller either
 * sent or can read in the documentation, and never a value: that could be another person's.
 *
 * One that the caller can do nothing about becomes an unexpected error with the same code.
 */
export function serviceErrorOf({ code = '', message = '', details = '', hint }: DataApiError): Error {
  if (code === 'PT429') return rateLimited(message, details)
  // What private.refuse raises; a rule of uniqueness that has a code of its own keeps its SQLSTATE.
  if ((code.startsWith('PT') || code === '23505') && hint && isErrorCode(hint))
    return new ServiceError(hint, message)
  const make = SERVICE_ERRORS[code] ?? SERVICE_ERRORS[code.slice(0, 2)]
  return make ? make(message) : Object.assign(new Error('The Data API failed.'), { code })
}

/** The error of a table that does not exist, or is not exposed. */
export function tableNotFound(): ServiceError {
  return new ServiceError('table_not_found', 'There is no such table.')
}

/** By SQLSTATE or PostgREST's own code, else by the class of the SQLSTATE. */
const SERVICE_ERRORS: Record<string, (message: string) => ServiceError> = {
  '42P01': tableNotFound,
  PGRST106: tableNotFound,
  PGRST205: tableNotFound,
  '42703': unknownColumn,
  PGRST204: unknownColumn,
  // A type has no such comparison, or none that takes the value.
  '42883': unfitOperator,
  '42725': unfitOperator,
  '42809': unfitOperator,
  '42804': invalidValue,
  '42846': invalidValue,
  '22': invalidValue,
  // Generated columns.
  '428C9': forbidden,
  '42501': forbidden,
  // Views that cannot be changed.
  '0A': forbidden,
  '55000': forbidden,
  '23': constraintViolated,
  '54': tooComplex,
  '57014': tooComplex,
  PGRST100: invalidValue,
  PGRST102: invalidValue,
  PGRST301: unauthorized,
  PGRST302: unauthorized,
  PGRST303: unauthorized,
}

function unknownColumn(message: string): ServiceError {
  const [, column] = /column "?(?:\w+\.)*(\w+)"? (?:of |does not exist)|'(\w+)' column/.exec(message) ?? []
  const named = column ?? /the '(\w+)' column/.exec(message)?.[1]
  return new ServiceError(
    'unknown_column',
    named ? `The table has no column ${named}.` : 'The table lacks a column that the call names.',
    named === undefined ? undefined : { column: named },
  )
}

function unfitOperator(): ServiceError {
  return new ServiceError('invalid_value', 'A filter does not fit the type of its column.')
}

function invalidValue(message: string): ServiceError {
  const type = /^invalid input (?:syntax|value) for (?:type|enum) ([\w. ]+):/.exec(message)?.[1]
  return new ServiceError(
    'invalid_value',
    type ? `A value is not of the type ${type}.` : 'A value does not fit the type of its column.',
    type === undefined ? undefined : { type },
  )
}

function forbidden(): ServiceError {
  return new ServiceError(
    'forbidden',
    'You may not do this to this table, or not with these columns or rows. See docs/data-api.md.',
  )
}

function constraintViolated(message: string): ServiceError {
  const broken = /violates ([a-z -]{1,40}) constraint(?: "([^"]+)")?/.exec(message)
  // What a trigger raises, or a database in another language says, may hold values of a row.
  if (!broken) return new ServiceError('constraint_violated', 'The row breaks a rule of its table.')
  const column = /^null value in column "([^"]+)"/.exec(message)?.[1]
  const [, kind = '', constraint] = broken
  return new ServiceError(
    'constraint_violated',
    column ? `The column ${column} is needed.` : `The row breaks the ${kind} rule ${constraint ?? ''}.`,
    { kind, ...(constraint && { constraint }), ...(column && { column }) },
  )
}

function tooComplex(): ServiceError {
  return new ServiceError(
    'query_too_complex',
    'The call is too much work for the database. Filter by fewer values, or ask for fewer rows.',
  )
}

/** What private.refuse_for raises; the details are the seconds until it is free again. */
function rateLimited(message: string, details: string): ServiceError {
  return new ServiceError('rate_limited', message, { retry_after_s: Number.parseInt(details, 10) || 60 })
}

function unauthorized(): ServiceError {
  return new ServiceError('unauthorized', 'The access token is not valid any more. Sign in again.')
}
