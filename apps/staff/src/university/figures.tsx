import type { ReactNode } from 'react'
import type { Id } from '../../../ui/language.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { Download } from '../../../ui/shown.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { type Cell, csvOf } from './csv.ts'

/** Figures as people read them; what is not known is a dash. */
export function useFigures() {
  const { number, formatDate, t } = useTexts()
  const known = (value: number | null, show: (value: number) => string) =>
    value === null ? t('university.unknown') : show(value)
  const oneDigit = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
  const day = (date: string, style: Intl.DateTimeFormatOptions) =>
    formatDate(date, { ...style, timeZone: 'UTC' })
  return {
    count: (value: number | null) => known(value, (whole) => number(whole)),
    score: (value: number | null) => known(value, (points) => number(points, oneDigit)),
    /** With a sign, as against another figure. */
    difference: (value: number | null) =>
      known(value, (points) => number(points, { ...oneDigit, signDisplay: 'exceptZero' })),
    percent: (value: number | null) =>
      known(value, (share) =>
        number(share, { style: 'percent', maximumFractionDigits: share < 0.0995 ? 1 : 0 }),
      ),
    /** A day at the university: 12 November 2026. */
    longDay: (date: string) => day(date, { dateStyle: 'long' }),
    shortDay: (date: string) => day(date, { day: 'numeric', month: 'short' }),
    month: (date: string) => day(date, { month: 'short', year: 'numeric' }),
    /** A time of so many minutes, in its two largest units: 2 h 5 min. */
    minutes: (value: number | null) =>
      known(value, (minutes) => {
        const parts = [
          ['day', Math.floor(minutes / 1440)],
          ['hour', Math.floor((minutes % 1440) / 60)],
          ['minute', Math.round(minutes % 60)],
        ] as const
        const shown = parts.filter(([, amount]) => amount > 0).slice(0, 2)
        const inWords = (amount: number, unit: string) =>
          number(amount, { style: 'unit', unit, unitDisplay: 'short' })
        return shown.length === 0
          ? inWords(0, 'minute')
          : shown.map(([unit, amount]) => inWords(amount, unit)).join(' ')
      }),
  }
}

export type FigureColumn<Row> = {
  label: Id
  /** What the file of the table has. */
  value: (row: Row) => Cell
  /** What the screen shows; the value if not said. */
  cell?: (row: Row) => ReactNode
  isFigure?: boolean
}

type Props<Row> = {
  label: Id
  rows: readonly Row[]
  columns: readonly FigureColumn<Row>[]
  keyOf: (row: Row) => string
  empty: Id
  /** Of the file, without its ending. */
  fileName: string
}

/** A table of figures, which can be ordered, and taken along as a CSV file. */
export function Figures<Row>({ label, rows, columns, keyOf, empty, fileName }: Props<Row>) {
  const { t } = useTexts()
  const shown = columns.map((column): Column<Row> => {
    const { label, value, cell = value, isFigure } = column
    return { label, cell, sortBy: value, ...(isFigure && { isFigure }) }
  })
  const csv = () =>
    csvOf(
      columns.map((column) => t(column.label)),
      rows.map((row) => columns.map(({ value }) => value(row))),
    )
  return (
    <>
      <DataTable label={label} rows={rows} columns={shown} keyOf={keyOf} empty={empty} />
      {rows.length > 0 && (
        <Download
          label="university.csv"
          values={{ table: t(label) }}
          fileName={`${fileName}.csv`}
          type="text/csv"
          read={csv}
        />
      )}
    </>
  )
}
