const DAY_MS = 86_400_000

/** A day of a chart; its value is null if it is withheld. */
export type Day = { date: string; value: number | null }

/** Every day of a range with its value, so that a withheld day is visibly missing. */
export function everyDay(from: string, to: string, values: ReadonlyMap<string, number>): Day[] {
  const start = Date.parse(from)
  const length = Math.round((Date.parse(to) - start) / DAY_MS) + 1
  return Array.from({ length }, (_, index) => {
    const date = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return { date, value: values.get(date) ?? null }
  })
}

/** Runs of days without a value: the first and the last of each. */
export function gapsOf(days: readonly Day[]): { first: string; last: string }[] {
  const gaps: { first: string; last: string }[] = []
  for (const [place, { date, value }] of days.entries()) {
    if (value !== null) continue
    const open = gaps.at(-1)
    if (open && days[place - 1]?.date === open.last) open.last = date
    else gaps.push({ first: date, last: date })
  }
  return gaps
}
