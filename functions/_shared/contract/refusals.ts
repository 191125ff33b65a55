import { ERROR_CODES, type ErrorCode, statusOf } from '../errors.ts'
import type { JsonSchema } from './openapi.ts'
import type { Operation } from './operation.ts'

/** The error body of every call. */
export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  description: 'Every refusal. Nothing has changed when one is answered.',
  properties: {
    error: { type: 'string', description: 'What to do, in a sentence' },
    code: { type: 'string', enum: [...ERROR_CODES], description: 'What happened; docs/errors.md lists them' },
    details: { type: 'object', description: 'What the code’s entry in docs/errors.md says' },
    timestamp: { type: 'string', format: 'date-time', description: 'When' },
  },
  required: ['error', 'code', 'timestamp'],
}

/** The codes that a call can be refused with, by status. */
export function refusalsOf(operation: Operation): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...(operation.body || operation.params || operation.query ? ['invalid_parameters' as const] : []),
    ...(operation.body ? ['body_too_large' as const] : []),
    ...(operation.body && !operation.consumes ? ['invalid_json' as const] : []),
    ...(operation.security === 'none' ? [] : ['unauthorized' as const]),
    ...(operation.limit ? ['rate_limited' as const] : []),
    ...(operation.errors ?? []),
    'internal_error',
  ])
  const ordered = ERROR_CODES.filter((code) => codes.has(code))
  return Map.groupBy(ordered, statusOf)
}

/** The error body of a call that is refused with one of the codes: nothing else is in it. */
export function refusalSchema({ refusal = {} }: Operation, codes: readonly ErrorCode[]): JsonSchema {
  const members = Object.entries(refusal).map(([name, value]): [string, JsonSchema] => [
    name,
    value === null ? { type: 'null' } : { const: value as string | number | boolean },
  ])
  return {
    allOf: [{ $ref: '#/components/schemas/Error' }],
    properties: { code: { enum: [...codes] }, ...Object.fromEntries(members) },
    required: ['code', ...Object.keys(refusal)],
    unevaluatedProperties: false,
  }
}
