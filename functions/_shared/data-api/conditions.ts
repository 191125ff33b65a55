import type { Filter, Filters, Operators, Scalar } from './query.ts'

/** A condition as PostgREST takes it: a column, an operator, and an operand that is nothing but data. */
export type Condition = { column: string; operator: string; operand: string }

/** The conditions that filters stand for; a row must match all of them. */
export function conditionsOf(filters: Filters): Condition[] {
  return Object.entries(filters).flatMap(([column, filter]) =>
    conditionsOn(filter).map((condition) => ({ column, ...condition })),
  )
}

type Test = Omit<Condition, 'column'>

function conditionsOn(filter: Filter): Test[] {
  if (filter === null) return [{ operator: 'is', operand: 'null' }]
  if (Array.isArray(filter)) return [oneOf(filter)]
  if (typeof filter === 'object') return conditionsOfOperators(filter)
  return [{ operator: 'eq', operand: String(filter) }]
}

function conditionsOfOperators({ neq, like, ilike, in: values, is, contains, ...order }: Operators): Test[] {
  const tests: Test[] = []
  if (neq === null) tests.push({ operator: 'not.is', operand: 'null' })
  else if (neq !== undefined) tests.push({ operator: 'neq', operand: String(neq) })
  for (const [operator, value] of Object.entries(order)) {
    if (value !== undefined) tests.push({ operator, operand: String(value) })
  }
  if (like !== undefined) tests.push(patternCondition('like', like))
  if (ilike !== undefined) tests.push(patternCondition('ilike', ilike))
  if (values !== undefined) tests.push(oneOf(values))
  if (is !== undefined) tests.push({ operator: 'is', operand: String(is) })
  if (contains !== undefined) tests.push({ operator: 'cs', operand: containedIn(contains) })
  return tests
}

function oneOf(values: Scalar[]): Test {
  return { operator: 'in', operand: `(${values.map((value) => quoted(String(value))).join(',')})` }
}

/** An array of plain values becomes a Postgres array, as for `text[]`; one that holds objects or arrays becomes JSON. */
function containedIn(value: NonNullable<Operators['contains']>): string {
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) return JSON.stringify(value)
  if (value.some((part) => typeof part === 'object' && part !== null)) return JSON.stringify(value)
  return `{${value.map((part) => (part === null ? 'null' : quoted(String(part)))).join(',')}}`
}

/** Within quotes only these two characters mean anything, to PostgREST's lists and to Postgres' arrays alike. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/**
 * A LIKE pattern as PostgREST takes it: `%` any text, `_` any character, `\` before a character that stands for itself.
 *
 * PostgREST reads `*` as `%` and has no escape for it, so a pattern with `*` becomes the regular expression that
 * means the same.
 */
export function patternCondition(operator: 'like' | 'ilike', pattern: string): Test {
  if (!pattern.includes('*')) return { operator, operand: pattern }
  return { operator: operator === 'like' ? 'match' : 'imatch', operand: `^${asRegularExpression(pattern)}$` }
}

function asRegularExpression(pattern: string): string {
  return pattern.replace(/\\(.)|./gsu, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return literally(escaped)
    if (part === '%') return '.*'
    if (part === '_') return '.'
    return literally(part)
  })
}

/** A regular expression of Postgres that matches a text and nothing else. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
