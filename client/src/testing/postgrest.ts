import { json, type Received, ServiceError } from './respond.ts'
import type { AnyRow } from './state.ts'

const NO_FILTERS = ['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']

/** Whether a row fits the filters of a query. */
export function matching(query: URLSearchParams): (row: AnyRow) => boolean {
  const filters = [...query].filter(([name]) => !NO_FILTERS.includes(name))
  return (row) => filters.every(([name, filter]) => fits(row[name], filter))
}

function fits(value: unknown, filter: string): boolean {
  const [, operator, operand = ''] = /^(\w+)\.(.*)$/s.exec(filter) ?? []
  const text = value === null || value === undefined ? null : String(value)
  switch (operator) {
    case 'eq':
      return text === operand
    case 'neq':
      return text !== operand
    case 'is':
      return String(value ?? null) === operand
    case 'in':
      return operand
        .slice(1, -1)
        .split(',')
        .map((item) => item.replace(/^"|"$/g, ''))
        .includes(text ?? '')
    case 'gt':
      return text !== null && text > operand
    case 'gte':
      return text !== null && text >= operand
    case 'lt':
      return text !== null && text < operand
    case 'lte':
      return text !== null && text <= operand
  }
  throw new ServiceError('invalid_value', { filter })
}

/** The rows that fit, in the order, number and form that the request asks for. */
export function select(request: Received, rows: AnyRow[]): Response {
  const { query } = request
  const limit = query.get('limit')
  const sorted = ordered(rows.filter(matching(query)), query.get('order'))
  return formed(request, limit === null ? sorted : sorted.slice(0, Number(limit)), 200)
}

function ordered(rows: AnyRow[], order: string | null): AnyRow[] {
  const keys = (order ?? '').split(',').filter((key) => key !== '')
  return [...rows].sort((one, other) => {
    for (const key of keys) {
      const [name = '', ...how] = key.split('.')
      const [a, b] = [one[name] ?? null, other[name] ?? null]
      if (a === b) continue
      const descending = how.includes('desc')
      if (a === null || b === null)
        return (a === null) === (how.includes('nullsfirst') || (descending && !how.includes('nullslast')))
          ? -1
          : 1
      const before = typeof a === 'string' ? a < String(b) : Number(a) < Number(b)
      return before !== descending ? -1 : 1
    }
    return 0
  })
}

/** What was written, where the request asks for it. */
export function written(request: Received, rows: AnyRow[], status = 200): Response {
  const wanted =
    request.headers.get('prefer')?.includes('return=representation') || request.query.has('select')
  return wanted
    ? formed(request, rows, status)
    : new Response(null, { status: status === 200 ? 204 : status })
}

function formed({ headers, query }: Received, rows: AnyRow[], status: number): Response {
  const columns = (query.get('select') ?? '*').split(',').map((column) => column.trim())
  const shown = columns.includes('*')
    ? rows
    : rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
  if (!headers.get('accept')?.includes('vnd.pgrst.object')) return json(shown, status)
  if (shown.length === 1) return json(shown[0], status)
  const message = 'Cannot coerce the result to a single JSON object'
  return json(
    { code: 'PGRST116', message, details: `The result contains ${shown.length} rows`, hint: null },
    406,
  )
}
