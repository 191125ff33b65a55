const DAY_MS = 86_400_000

/** A day in the academic year of the fictional universities. */
export type Day = {
  /** 2026-11-20 */
  date: string
  /** Midnight UTC, ms. */
  startMs: number
  isWeekend: boolean
  isTerm: boolean
  /** Exam pressure: 0, rising over the fortnight before the exams to 1 in the exam weeks. */
  exams: number
  isFirstWeekOfTerm: boolean
}

/** Month and day on which each term begins, its exams begin, and the term ends. */
const TERMS = [
  { begins: '01-11', exams: '03-15', ends: '03-26' },
  { begins: '04-19', exams: '06-07', ends: '06-25' },
  { begins: '09-21', exams: '12-07', ends: '12-18' },
] as const

const REVISION_DAYS = 14

/** The last `count` days up to and including `until`, oldest first. */
export function daysUntil(until: string, count: number): Day[] {
  const last = Date.parse(`${until}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) => dayAt(last - (count - 1 - index) * DAY_MS))
}

/** Days grouped by month, in order. */
export function byMonth(days: readonly Day[]): Day[][] {
  return [...Map.groupBy(days, ({ date }) => date.slice(0, 7)).values()]
}

function dayAt(startMs: number): Day {
  const date = new Date(startMs).toISOString().slice(0, 10)
  const year = date.slice(0, 4)
  const weekday = new Date(startMs).getUTCDay()
  const at = (monthAndDay: string) => Date.parse(`${year}-${monthAndDay}T00:00:00Z`)
  const term = TERMS.find(({ begins, ends }) => startMs >= at(begins) && startMs <= at(ends))
  const toExams = term ? (at(term.exams) - startMs) / DAY_MS : Number.POSITIVE_INFINITY
  return {
    date,
    startMs,
    isWeekend: weekday === 0 || weekday === 6,
    isTerm: term !== undefined,
    exams: Math.min(1, Math.max(0, 1 - toExams / REVISION_DAYS)),
    isFirstWeekOfTerm: term !== undefined && startMs - at(term.begins) < 7 * DAY_MS,
  }
}
