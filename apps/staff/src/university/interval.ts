/** An interval as Postgres writes it, such as `1 year 2 mons 3 days 04:05:06`. */
export function spanOf(interval: string): { years: number; months: number; days: number; hours: number } {
  const amount = (unit: RegExp) => Number(unit.exec(interval)?.[1] ?? 0)
  return {
    years: amount(/(\d+) years?/),
    months: amount(/(\d+) mons?/),
    days: amount(/(\d+) days?/),
    hours: amount(/(\d+):\d\d:\d\d/),
  }
}

/** The same in whole days, a year of 365 and a month of 30. */
export function daysOf(interval: string): number {
  const { years, months, days } = spanOf(interval)
  return years * 365 + months * 30 + days
}
