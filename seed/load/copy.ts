import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'

/** Rows of a piece that is sent at once. */
const PIECE = 500

/** Rows that are gathered for one COPY: each waits for the network, and rows take a kilobyte of memory. */
const BATCH = 20_000

/** Writes rows in COPY's text format into a table, in their order. */
export async function copyInto(
  sql: TransactionSql,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return
  const target = await sql.unsafe(`copy ${table} (${columns.join(', ')}) from stdin`).writable()
  await pipeline(Readable.from(pieces(rows)), target)
}

/** Rows for several tables, gathered and then written table by table. */
export class CopyBatch {
  readonly #tables = new Map<string, { columns: readonly string[]; rows: string[] }>()
  readonly #sql: TransactionSql
  #count = 0

  constructor(sql: TransactionSql) {
    this.#sql = sql
  }

  add(table: string, columns: readonly string[], rows: readonly string[]): void {
    const gathered = this.#tables.get(table) ?? { columns, rows: [] }
    for (const row of rows) gathered.rows.push(row)
    this.#tables.set(table, gathered)
    this.#count += rows.length
  }

  /** Writes what was gathered when it is much. */
  async writeSome(): Promise<void> {
    if (this.#count >= BATCH) await this.write()
  }

  async write(): Promise<void> {
    for (const [table, { columns, rows }] of this.#tables) await copyInto(this.#sql, table, columns, rows)
    this.#tables.clear()
    this.#count = 0
  }
}

function* pieces(rows: readonly string[]): Generator<string> {
  for (let start = 0; start < rows.length; start += PIECE) yield rows.slice(start, start + PIECE).join('')
}
