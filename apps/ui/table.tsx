import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { Button, Problem } from './elements.tsx'
import { type Id, T, useTexts } from './language.tsx'

export type Column<Row> = {
  label: Id
  cell: (row: Row) => ReactNode
  /** What rows are ordered by when the heading is pressed: only where the table has all rows. */
  sortBy?: (row: Row) => string | number | null
  /** Figures stand at the end of their column. */
  isFigure?: boolean
}

type TableProps<Row> = {
  /** What the table is of, for who hears it. */
  label: Id
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The screen that a row leads to: its first cell is the link, and the whole row can be tapped. */
  to?: (row: Row) => string
  /** What is said where there is no row. */
  empty: Id
}

/** So many rows stand in the page at a time. */
const SHOWN = 30

type Order = { column: number; isDescending: boolean }

/** Rows under headings; on a phone each is a card. Of many, a page is in sight. */
export function DataTable<Row>({ label, rows, columns, keyOf, to, empty }: TableProps<Row>) {
  const { t, locale } = useTexts()
  const [order, setOrder] = useState<Order | null>(null)
  const [page, setPage] = useState(0)
  if (rows.length === 0) return <p className="muted">{t(empty)}</p>

  const sortBy = order && columns[order.column]?.sortBy
  const ordered = sortBy ? sorted(rows, sortBy, order.isDescending, locale) : rows
  const last = Math.ceil(rows.length / SHOWN) - 1
  const here = Math.min(page, last)
  const shown = ordered.slice(here * SHOWN, (here + 1) * SHOWN)

  function press(column: number) {
    setOrder({ column, isDescending: order?.column === column && !order.isDescending })
    setPage(0)
  }
  return (
    <>
      <div className="table-box">
        <table className="rows">
          <caption className="visually-hidden">{t(label)}</caption>
          <thead>
            <tr>
              {columns.map((column, at) => (
                <th
                  key={column.label}
                  scope="col"
                  className={column.isFigure ? 'figure' : undefined}
                  aria-sort={sortBy && order.column === at ? direction(order) : undefined}
                >
                  {column.sortBy ? (
                    <button type="button" className="sort" onClick={() => press(at)}>
                      {t(column.label)}
                    </button>
                  ) : (
                    t(column.label)
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={keyOf(row)} className={to && 'leads'}>
                {columns.map((column, at) => {
                  const Cell = at === 0 ? 'th' : 'td'
                  return (
                    <Cell
                      key={column.label}
                      scope={at === 0 ? 'row' : undefined}
                      data-label={t(column.label)}
                      className={column.isFigure ? 'figure' : undefined}
                    >
                      {to && at === 0 ? <Link href={to(row)}>{column.cell(row)}</Link> : column.cell(row)}
                    </Cell>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {last > 0 && (
        <Pager of={label} page={here} hasNext={here < last} total={rows.length} onChange={setPage} />
      )}
    </>
  )
}

const direction = ({ isDescending }: Order) => (isDescending ? 'descending' : 'ascending')

/** Those without a value are last, in whichever order. */
function sorted<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => string | number | null,
  isDescending: boolean,
  locale: string,
): Row[] {
  const { compare } = new Intl.Collator(locale, { numeric: true })
  const sign = isDescending ? -1 : 1
  return rows.toSorted((one, other) => {
    const [a, b] = [sortBy(one), sortBy(other)]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)))
  })
}

type PagerProps = {
  /** From 0. */
  page: number
  hasNext: boolean
  onChange: (page: number) => void
  /** How many rows there are on all pages, where it is known. */
  total?: number
  /** The table, where a screen may have several. */
  of?: Id
}

/** The ways to the page before and the next one. Nothing where there is one page. */
export function Pager({ page, hasNext, onChange, total, of }: PagerProps) {
  const { t } = useTexts()
  if (page === 0 && !hasNext) return null
  return (
    <nav className="row pager" aria-label={of ? `${t('table.pages')}: ${t(of)}` : t('table.pages')}>
      <Button label="table.previous" isDisabled={page === 0} onPress={() => onChange(page - 1)} />
      <span role="status">
        <T id="table.page" page={page + 1} />
        {total !== undefined && (
          <>
            {' '}
            <T id="table.total" total={total} />
          </>
        )}
      </span>
      <Button label="table.next" isDisabled={!hasNext} onPress={() => onChange(page + 1)} />
    </nav>
  )
}

/** Asks for what comes after the rows in sight, of a call that names its rows by the last one. */
export function More({ query }: { query: UseInfiniteQueryResult<unknown> }) {
  if (query.isFetchNextPageError)
    return <Problem error={query.error} onRetry={() => void query.fetchNextPage()} />
  if (!query.hasNextPage) return null
  return (
    <Button
      label="table.more"
      isPending={query.isFetchingNextPage}
      onPress={() => void query.fetchNextPage()}
    />
  )
}
