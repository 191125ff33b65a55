const LOCALE = 'en-GB'

const dayOfMonth = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const month = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: 'numeric', timeZone: 'UTC' })
const wholeDate = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })
const whole = new Intl.NumberFormat(LOCALE)

/** 12 Nov. */
export function shortDay(date: Date | string): string {
  return dayOfMonth.format(new Date(date))
}

/** Nov 2026. */
export function monthOf(date: Date | string): string {
  return month.format(new Date(date))
}

/** 12 November 2026. */
export function longDay(date: Date | string): string {
  return wholeDate.format(new Date(date))
}

/** 1,204. */
export function count(value: number): string {
  return whole.format(value)
}

/** 61.5, of 0 to 100. */
export function score(value: number): string {
  return value.toFixed(1)
}

/** +1.2 or −0.8. */
export function difference(value: number): string {
  const rounded = value.toFixed(1)
  if (rounded === '0.0' || rounded === '-0.0') return '±0.0'
  return value > 0 ? `+${rounded}` : rounded.replace('-', '−')
}

/** 8.3%, or 62% from ten on. */
export function percent(share: number): string {
  const value = share * 100
  return `${value < 9.95 ? Number(value.toFixed(1)) : Math.round(value)}%`
}
