import { ERROR_CODES, type ErrorCode, statusOf } from '../errors.ts'
import type { Route } from '../http/route.ts'
import type { JsonSchema } from './openapi.ts'

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
export function refusalsOf(route: Route): Map<number, ErrorCode[]> {
  const codes = new Set<ErrorCode>([
    ...(route.body || route.params || route.query ? ['invalid_parameters' as const] : []),
    ...(route.body ? ['body_too_large' as const] : []),
    ...(route.body && !route.consumes ? ['invalid_json' as const] : []),
    ...(route.security === 'none' ? [] : ['unauthorized' as const]),
    ...(route.limit ? ['rate_limited' as const] : []),
    ...(route.errors ?? []),
    'internal_error',
  ])
  const ordered = ERROR_CODES.filter((code) => codes.has(code))
  return Map.groupBy(ordered, statusOf)
}

/** The error body of a call that is refused with one of the codes: nothing else is in it. */
export function refusalSchema({ refusal = {} }: Route, codes: readonly ErrorCode[]): JsonSchema {
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
