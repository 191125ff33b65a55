import type { PostgrestError, SupabaseClient } from '@supabase/supabase-js'
import { assertFitsAddress } from './address.ts'
import { conditionsOf } from './conditions.ts'
import { failureOf, tableNotFound } from './failure.ts'
import type { Filters } from './filters.ts'
import { splitTableName } from './names.ts'
import type { DeleteRequest, InsertRequest, SelectRequest, UpdateRequest } from './requests.ts'

/** Rows of a table, as the caller may see them. */
export type Row = Record<string, unknown>

/** What a call did: the rows, where they were asked for, and how many there are or were changed. */
export type Rows<Data = Row[] | null> = { data: Data; count: number; error: null }

/** A client of the project with the caller's token, whatever the tables. */
export type AnyClient = Pick<SupabaseClient, 'schema'>

/** Rows of a table, and how many there are on all pages. */
export async function selectRows(client: AnyClient, request: SelectRequest): Promise<Rows<Row[]>> {
  const { columns, filters, orderBy, limit, offset } = request
  const where = conditionsIn(filters, [columns])
  const table = tableOf(client, request.table)
  const countOnly = async () => countOf(await where(table.select(columns, { count: 'exact' })).limit(1))
  if (limit === 0) return { data: [], count: await countOnly(), error: null }

  const query = where(table.select(columns, { count: 'exact' }))
  for (const { column, ascending } of orderBy) query.order(column, { ascending })
  const result = await query.range(offset, offset + limit - 1)
  // An offset behind the last row.
  if (result.error?.code === 'PGRST103') return { data: [], count: await countOnly(), error: null }
  return { data: rowsOf(result) ?? [], count: countOf(result), error: null }
}

/** Adds rows, all or none. A column that a row leaves out gets its default. */
export async function insertRows(
  client: AnyClient,
  { table, data, returning }: InsertRequest,
): Promise<Rows> {
  const columns = Array.isArray(data) ? [...new Set(data.flatMap(Object.keys))] : []
  assertFitsAddress([...columns, returning ?? ''], [])
  const query = tableOf(client, table).insert(data, { count: 'exact', defaultToNull: false })
  return changed(await (returning ? query.select(returning) : query))
}

/** Changes the rows that fulfil the filters. */
export async function updateRows(client: AnyClient, request: UpdateRequest): Promise<Rows> {
  const { table, data, filters, returning } = request
  const where = conditionsIn(filters, [returning ?? ''])
  const query = where(tableOf(client, table).update(data, { count: 'exact' }))
  return changed(await (returning ? query.select(returning) : query))
}

/** Removes the rows that fulfil the filters. */
export async function deleteRows(client: AnyClient, request: DeleteRequest): Promise<Rows> {
  const { table, filters, returning } = request
  const where = conditionsIn(filters, [returning ?? ''])
  const query = where(tableOf(client, table).delete({ count: 'exact' }))
  return changed(await (returning ? query.select(returning) : query))
}

function tableOf(client: AnyClient, table: string) {
  const name = splitTableName(table)
  if (!name) throw tableNotFound()
  return client.schema(name.schema).from(name.name)
}

type Filterable<Query> = { filter(column: string, operator: string, value: string): Query }

/** What narrows a query to the rows that fulfil the filters; `columns` are what else its address holds. */
function conditionsIn(filters: Filters, columns: string[]) {
  const conditions = conditionsOf(filters)
  assertFitsAddress(columns, conditions)
  return <Query extends Filterable<Query>>(query: Query): Query =>
    conditions.reduce(
      (narrowed, { column, operator, operand }) => narrowed.filter(column, operator, operand),
      query,
    )
}

type Result = { data: unknown; count: number | null; error: PostgrestError | null }

function changed(result: Result): Rows {
  return { data: rowsOf(result), count: countOf(result), error: null }
}

function rowsOf({ data, error }: Result): Row[] | null {
  if (error) throw failureOf(error)
  return Array.isArray(data) ? data : null
}

function countOf({ count, error }: Result): number {
  if (error) throw failureOf(error)
  if (count === null) throw new Error('The Data API told no count')
  return count
}
