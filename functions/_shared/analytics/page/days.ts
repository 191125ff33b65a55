const DAY_MS = 86_400_000

/** A day of a chart; without a value where it is withheld. */
export type Day = { date: string; value: number | null }

/** Every day of a range with its value, so that a day that is withheld is seen to be missing. */
export function everyDay(from: string, to: string, values: ReadonlyMap<string, number>): Day[] {
  const start = Date.parse(from)
  const length = Math.round((Date.parse(to) - start) / DAY_MS) + 1
  return Array.from({ length }, (_, index) => {
    const date = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return { date, value: values.get(date) ?? null }
  })
}

/** Stretches of days without a value, as places in the list: the first and the last of each. */
export function gapsOf(days: readonly Day[]): { first: number; last: number }[] {
  const gaps: { first: number; last: number }[] = []
  for (const [place, { value }] of days.entries()) {
    if (value !== null) continue
    const open = gaps.at(-1)
    if (open && open.last === place - 1) open.last = place
    else gaps.push({ first: place, last: place })
  }
  return gaps
}
