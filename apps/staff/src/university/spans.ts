import { useTexts } from '../../../ui/language.tsx'
import { spanOf } from './interval.ts'

/** An interval in the person's language. */
export function useSpan() {
  const { number } = useTexts()
  return (interval: string) => {
    const { years, months, days, hours } = spanOf(interval)
    const parts = [
      [years, 'year'],
      [months, 'month'],
      [days, 'day'],
      [hours, 'hour'],
    ] as const
    return parts
      .filter(([amount]) => amount > 0)
      .map(([amount, unit]) => number(amount, { style: 'unit', unit, unitDisplay: 'long' }))
      .join(' ')
  }
}
