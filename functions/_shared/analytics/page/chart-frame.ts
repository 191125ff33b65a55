import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { html } from 'hono/html'
import { type Day, gapsOf } from './days.ts'
import { monthOf, shortDay } from './format.ts'

/** A chart as it is drawn for one width of screen. */
export type Frame = {
  width: number
  height: number
  /** Sides of the plot within the drawing. */
  left: number
  right: number
  top: number
  bottom: number
}

/** What a chart by day shows. */
export type DayChart = {
  /** Unlike that of every other chart of the page. */
  id: string
  title: string
  days: readonly Day[]
  /** What the vertical axis spans. */
  domain: readonly [number, number]
  format: (value: number) => string
}

export type Scales = { x: ScaleBand<number>; y: ScaleLinear<number, number> }

const MARGIN = { left: 44, right: 12, top: 12, bottom: 26 }
const CHARACTERS_WIDE = 7

/** The frame of a chart that is as wide and high as this, in the units of its letters. */
export function frameOf(width: number, height: number): Frame {
  return {
    width,
    height,
    left: MARGIN.left,
    right: width - MARGIN.right,
    top: MARGIN.top,
    bottom: height - MARGIN.bottom,
  }
}

/** Days from left to right, values from the bottom up. */
export function scalesOf({ days, domain }: DayChart, frame: Frame): Scales {
  return {
    x: scaleBand([...days.keys()], [frame.left, frame.right]),
    y: scaleLinear(domain, [frame.bottom, frame.top]).nice(5),
  }
}

/** Lines and values of the vertical axis. */
export function valueAxis(frame: Frame, { y }: Scales, format: (value: number) => string) {
  return y.ticks(frame.height > 180 ? 5 : 3).map(
    (
      value,
    ) => html`<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${y(value)}" y2="${y(value)}"/>
<text class="tick" x="${frame.left - 8}" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`,
  )
}

/** Dates below the plot, as many as find room. */
export function dayAxis(frame: Frame, { x }: Scales, days: readonly Day[]) {
  const named = days.length > 120 ? monthOf : shortDay
  const room = Math.floor((frame.right - frame.left) / (CHARACTERS_WIDE * 11))
  const step = Math.max(1, Math.ceil(days.length / Math.max(2, room)))
  return days
    .map((day, place) => ({ ...day, place }))
    .filter(({ place }) => (days.length - 1 - place) % step === 0)
    .map(({ date, place }) => {
      const middle = middleOf(x, place)
      const anchor = middle > frame.right - 28 ? 'end' : middle < frame.left + 28 ? 'start' : 'middle'
      const at = anchor === 'end' ? frame.right : anchor === 'start' ? frame.left : middle
      return html`<text class="tick" x="${at}" y="${frame.bottom + 18}" text-anchor="${anchor}">${named(date)}</text>`
    })
}

/** Marks days that are withheld, so that nobody takes them for days on which nothing happened. */
export function withheldDays(frame: Frame, { x }: Scales, days: readonly Day[]) {
  return gapsOf(days).map(({ first, last }) => {
    const start = x(first) ?? frame.left
    const end = (x(last) ?? frame.left) + x.bandwidth()
    return html`<rect class="withheld" x="${start}" y="${frame.top}" width="${end - start}" height="${frame.bottom - frame.top}"/>`
  })
}

/** Middle of a day on the horizontal axis. */
export function middleOf(x: ScaleBand<number>, place: number): number {
  return (x(place) ?? 0) + x.bandwidth() / 2
}
