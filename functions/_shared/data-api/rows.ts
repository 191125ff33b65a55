import type { PostgrestError, SupabaseClient } from '@supabase/supabase-js'
import * as z from 'zod'
import { ServiceError } from '../errors.ts'
import { type JsonObject, jsonObject } from '../json.ts'
import { type Condition, conditionsOf } from './conditions.ts'
import { splitTableName } from './names.ts'
import { serviceErrorOf, tableNotFound } from './postgrest-errors.ts'
import type { DeleteRequest, Filters, InsertRequest, SelectRequest, UpdateRequest } from './query.ts'

/** Gateways on the way cut a request's address at about 8 KB; most of that is for columns and filters. */
const MAX_ADDRESS_CHARACTERS = 6000

const rows = z.array(jsonObject)

/** The result of a call: the rows, if requested, and how many there are or were changed. */
type Rows<Data = JsonObject[] | null> = { data: Data; count: number; error: null }

/** A client of the project with the caller's token, whatever the tables. */
type AnyClient = Pick<SupabaseClient, 'schema'>

/** Rows of a table, and how many there are on all pages. */
export async function selectRows(client: AnyClient, request: SelectRequest): Promise<Rows<JsonObject[]>> {
  const { columns, filters, orderBy, limit, offset } = request
  const where = conditionsIn(filters, [columns])
  const table = tableOf(client, request.table)
  const countOnly = async () => countOf(await where(table.select(columns, { count: 'exact' })).limit(1))
  if (limit === 0) return { data: [], count: await countOnly(), error: null }

  const query = where(table.select(columns, { count: 'exact' }))
  for (const { column, ascending } of orderBy) query.order(column, { ascending })
  const result = await query.range(offset, offset + limit - 1)
  // An offset beyond the last row.
  if (result.error?.code === 'PGRST103') return { data: [], count: await countOnly(), error: null }
  return { data: rowsOf(result) ?? [], count: countOf(result), error: null }
}

/** Adds rows, all or none. A column that a row omits gets its default. */
export async function insertRows(
  client: AnyClient,
  { table, data, returning }: InsertRequest,
): Promise<Rows> {
  const columns = Array.isArray(data) ? [...new Set(data.flatMap(Object.keys))] : []
  checkAddressLength([...columns, returning ?? ''], [])
  const query = tableOf(client, table).insert(data, { count: 'exact', defaultToNull: false })
  return changed(await (returning ? query.select(returning) : query))
}

/** Changes the rows that match the filters. */
export async function updateRows(client: AnyClient, request: UpdateRequest): Promise<Rows> {
  const { table, data, filters, returning } = request
  const where = conditionsIn(filters, [returning ?? ''])
  const query = where(tableOf(client, table).update(data, { count: 'exact' }))
  return changed(await (returning ? query.select(returning) : query))
}

/** Deletes the rows that match the filters. */
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

/** Narrows a query to the rows that match the filters; `columns` are what else its address holds. */
function conditionsIn(filters: Filters, columns: string[]) {
  const conditions = conditionsOf(filters)
  checkAddressLength(columns, conditions)
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

function rowsOf({ data, error }: Result): JsonObject[] | null {
  if (error) throw serviceErrorOf(error)
  return Array.isArray(data) ? rows.parse(data) : null
}

function countOf({ count, error }: Result): number {
  if (error) throw serviceErrorOf(error)
  if (count === null) throw new Error('The Data API returned no count')
  return count
}

/**
 * Checks that columns and filters fit into the address of one request, which is where the Data API takes them.
 *
 * Throws `query_too_long`.
 */
function checkAddressLength(columns: string[], conditions: Condition[]): void {
  const parts = conditions.flatMap(({ column, operator, operand }) => [column, operator, operand])
  const characters = [...columns, ...parts].reduce(
    (sum, part) => sum + encodeURIComponent(part).length + 3,
    0,
  )
  if (characters <= MAX_ADDRESS_CHARACTERS) return
  throw new ServiceError(
    'query_too_long',
    `Columns and filters have more than ${MAX_ADDRESS_CHARACTERS} characters, as an address spells them. Ask in parts.`,
    { characters, max_characters: MAX_ADDRESS_CHARACTERS },
  )
}
