import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TransactionSql } from 'postgres'

/** Rows per chunk of the stream. */
const CHUNK = 500

/** Rows gathered for one COPY: each COPY waits for the network, and a row takes a kilobyte of memory. */
const BATCH = 20_000

/** Writes rows in COPY's text format into a table, in order. */
export async function copyInto(
  sql: TransactionSql,
  table: string,
  columns: readonly string[],
  rows: readonly string[],
): Promise<void> {
  if (rows.length === 0) return
  const target = await sql.unsafe(`copy ${table} (${columns.join(', ')}) from stdin`).writable()
  await pipeline(Readable.from(chunks(rows)), target)
}

/** Gathers rows for several tables and writes them table by table. */
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

  /** Writes what was gathered once a batch is full. */
  async writeWhenFull(): Promise<void> {
    if (this.#count >= BATCH) await this.write()
  }

  async write(): Promise<void> {
    for (const [table, { columns, rows }] of this.#tables) await copyInto(this.#sql, table, columns, rows)
    this.#tables.clear()
    this.#count = 0
  }
}

function* chunks(rows: readonly string[]): Generator<string> {
  for (let start = 0; start < rows.length; start += CHUNK) yield rows.slice(start, start + CHUNK).join('')
}

const SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A value in COPY's text format; `null` becomes `\N`. */
export function copyText(value: string | number | boolean | null): string {
  if (value === null) return '\\N'
  return typeof value === 'string' ? value.replace(SPECIAL, (special) => ESCAPED[special] ?? '') : `${value}`
}

/** A row in COPY's text format, with its line end. */
export function copyRow(values: readonly (string | number | boolean | null)[]): string {
  return `${values.map(copyText).join('\t')}\n`
}

/** A text array as a Postgres array literal. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
