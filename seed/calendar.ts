const DAY_MS = 86_400_000

/** A day in the academic year of the fictional universities. */
export type Day = {
  /** 2026-11-20 */
  date: string
  /** Midnight UTC, ms; `startOfDay` is that of a place. */
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

const offsets = new Map<string, number>()

/** When a day begins in a time zone, ms. */
export function startOfDay({ date, startMs }: Day, timeZone: string): number {
  const key = `${timeZone} ${date}`
  // Twice: at midnight UTC the zone may have another offset than at its own midnight.
  const offset = offsets.get(key) ?? offsetAt(startMs - offsetAt(startMs, timeZone), timeZone)
  offsets.set(key, offset)
  return startMs - offset
}

/** How far the clocks of a time zone are ahead of UTC, ms. */
function offsetAt(ms: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(ms)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
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
