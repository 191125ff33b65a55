import type { DescribedCall } from './described-call.ts'
import type { Lane, Tampering } from './lane.ts'
import type { Attackers } from './person.ts'
import type { Json } from './valid-value.ts'

type Members = { [name: string]: Json }

const COLUMNS = ['user_id', 'university_id', 'id', 'check_in_id', 'session_id']

/** What asks the data API for other people's rows of each table: all of them, a victim's, and those that hang on others. */
export function tableLanes(
  { name, path, body }: DescribedCall,
  { exposed, hidden, victims, foreign }: Attackers,
): Lane[] {
  if (!path.startsWith('/api/database/') || body?.schema.properties?.table === undefined) return []
  const theirs: Members[] = [
    ...victims.map((victim) => ({ user_id: victim })),
    ...COLUMNS.map((column) => ({ [column]: [...foreign] })),
    ...COLUMNS.map((column) => ({ [column]: { neq: null } })),
  ]
  const tamperings = (table: string) =>
    theirs.flatMap((filters): Tampering[] =>
      bodiesOf(path.split('/').at(-1) ?? '', table, filters, victims).map((json) => ({
        family: 'identity',
        apply: (draft) => {
          draft.json = json
        },
      })),
    )
  return [
    ...exposed.map(
      (table): Lane => ({
        name: `${name} rows of ${table}`,
        tamperings: tamperings(table),
        first: 'identity',
      }),
    ),
    { name: `${name} rows of hidden tables`, tamperings: hidden.flatMap(tamperings) },
  ]
}

/** Good bodies in form. What is written is a victim's. */
function bodiesOf(action: string, table: string, filters: Members, [victim = '']: readonly string[]): Json[] {
  const row = { user_id: victim }
  switch (action) {
    case 'select':
      return [
        { table, filters, limit: 1000 },
        { table, columns: '*,profiles(*)', filters },
      ]
    case 'insert':
      return [{ table, data: { ...row, ...plain(filters) }, returning: '*' }]
    case 'update':
      return [
        { table, data: { ...row, status: 'failed', first_name: 'Taken' }, filters, returning: '*' },
        { table, data: row, filters },
      ]
    default:
      return [{ table, filters, returning: '*' }]
  }
}

/** The first of the values of a filter. */
function plain(filters: Members): Members {
  const values = Object.entries(filters).map(([column, value]) => [
    column,
    Array.isArray(value) ? value[0] : value,
  ])
  return Object.fromEntries(values)
}
