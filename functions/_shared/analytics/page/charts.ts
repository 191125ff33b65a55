import { type ScaleBand, type ScaleLinear, scaleBand, scaleLinear } from 'd3-scale'
import { area, line } from 'd3-shape'
import { html } from 'hono/html'
import { longDay, monthOf, shortDay } from './format.ts'

const DAY_MS = 86_400_000

/** A day of a chart; its value is null if it is withheld. */
type Day = { date: string; value: number | null }

/** Up to this many days, each gets a dot. */
const DOTTED_DAYS = 31
const PHONE = { width: 340, height: 210 }

type Known = { place: number; value: number }

/** A chart as it is drawn for one width of screen. */
type Frame = {
  width: number
  height: number
  /** Sides of the plot within the drawing. */
  left: number
  right: number
  top: number
  bottom: number
}

/** A chart by day. */
export type DayChart = {
  /** Unique within the page. */
  id: string
  title: string
  days: readonly Day[]
  /** Range of the vertical axis. */
  domain: readonly [number, number]
  format: (value: number) => string
}

type Scales = { x: ScaleBand<number>; y: ScaleLinear<number, number> }

const MARGIN = { left: 44, right: 12, top: 12, bottom: 26 }
const CHARACTERS_WIDE = 7

/** A line with a gap where days are withheld. */
export function lineChart(chart: DayChart, width: number, height: number) {
  return chartForEveryScreen(chart, width, height, drawLine)
}

/** A column for each day. */
export function columnChart(chart: DayChart, width: number, height: number) {
  return chartForEveryScreen(chart, width, height, drawColumns)
}

type Draw = (chart: DayChart, frame: Frame, scales: Scales) => unknown

/** The chart twice, once for phones, so that its text stays readable there; the style sheet shows one of the two. */
function chartForEveryScreen(chart: DayChart, width: number, height: number, draw: Draw) {
  return html`${drawing(chart, frameOf(width, height), 'wide', draw)}${drawing(chart, frameOf(PHONE.width, PHONE.height), 'narrow', draw)}`
}

function drawing(chart: DayChart, frame: Frame, screen: 'wide' | 'narrow', draw: Draw) {
  const scales = scalesOf(chart, frame)
  const id = `${chart.id}-${screen}`
  return html`<svg class="chart ${screen}" viewBox="0 0 ${frame.width} ${frame.height}" role="img" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${chart.title}</title>
<desc id="${id}-desc">${describe(chart)}</desc>
${withheldDays(frame, scales, chart.days)}
${valueAxis(frame, scales, chart.format)}
${draw(chart, frame, scales)}
${dayAxis(frame, scales, chart.days)}
</svg>`
}

/** The area below the line is filled only if it stands for the whole value. */
function drawLine({ days, domain }: DayChart, frame: Frame, { x, y }: Scales) {
  const known = (day: Day) => day.value !== null
  const across = (_: Day, place: number) => middleOf(x, place)
  const up = (day: Day) => y(day.value ?? 0)
  const curve = line<Day>(across, up).defined(known).digits(1)(days)
  const below = area<Day>(across, frame.bottom, up).defined(known).digits(1)(days)
  const dots = knownDays(days).filter(({ place }) => days.length <= DOTTED_DAYS || isIsolated(days, place))
  return html`${domain[0] === 0 ? html`<path class="area" d="${below}"/>` : ''}<path class="line" d="${curve}"/>
${dots.map(({ place, value }) => html`<circle class="dot" cx="${middleOf(x, place)}" cy="${y(value)}" r="3"/>`)}`
}

function drawColumns({ days }: DayChart, frame: Frame, { x, y }: Scales) {
  const gap = x.bandwidth() > 4 ? x.bandwidth() * 0.2 : 0
  return knownDays(days).map(({ place, value }) => {
    const left = (x(place) ?? 0) + gap / 2
    return html`<rect class="column" x="${left}" y="${y(value)}" width="${x.bandwidth() - gap}" height="${frame.bottom - y(value)}"/>`
  })
}

function knownDays(days: readonly Day[]): Known[] {
  return days.flatMap(({ value }, place) => (value === null ? [] : [{ place, value }]))
}

/** Whether a day has no neighbour to draw a line to. */
function isIsolated(days: readonly Day[], place: number): boolean {
  return (days[place - 1]?.value ?? null) === null && (days[place + 1]?.value ?? null) === null
}

/** What the chart shows, in words. */
function describe({ days, format }: DayChart): string {
  const known = days.flatMap(({ date, value }) => (value === null ? [] : [{ date, value }]))
  const [first] = known
  const last = known.at(-1)
  if (!first || !last) return 'Every day is withheld: fewer than ten students checked in on each.'
  const lowest = known.reduce((least, day) => (day.value < least.value ? day : least))
  const highest = known.reduce((most, day) => (day.value > most.value ? day : most))
  const at = ({ date, value }: { date: string; value: number }) => `${format(value)} on ${longDay(date)}`
  const withheld = days.length - known.length
  return [
    `From ${at(first)} to ${at(last)}; lowest ${at(lowest)}, highest ${at(highest)}.`,
    withheld > 0 ? `${withheld} of ${days.length} days are withheld.` : '',
  ]
    .join(' ')
    .trim()
}

/** The frame of a chart of this width and height, in the units of its font size. */
function frameOf(width: number, height: number): Frame {
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
function scalesOf({ days, domain }: DayChart, frame: Frame): Scales {
  return {
    x: scaleBand([...days.keys()], [frame.left, frame.right]),
    y: scaleLinear(domain, [frame.bottom, frame.top]).nice(5),
  }
}

/** Lines and values of the vertical axis. */
function valueAxis(frame: Frame, { y }: Scales, format: (value: number) => string) {
  return y.ticks(frame.height > 180 ? 5 : 3).map(
    (
      value,
    ) => html`<line class="grid" x1="${frame.left}" x2="${frame.right}" y1="${y(value)}" y2="${y(value)}"/>
<text class="tick" x="${frame.left - 8}" y="${y(value) + 4}" text-anchor="end">${format(value)}</text>`,
  )
}

/** Dates below the plot, as many as fit. */
function dayAxis(frame: Frame, { x }: Scales, days: readonly Day[]) {
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

/** Marks days that are withheld, to distinguish them from days without check-ins. */
function withheldDays(frame: Frame, { x }: Scales, days: readonly Day[]) {
  return gapsOf(days).map(({ first, last }) => {
    const start = x(first) ?? frame.left
    const end = (x(last) ?? frame.left) + x.bandwidth()
    return html`<rect class="withheld" x="${start}" y="${frame.top}" width="${end - start}" height="${frame.bottom - frame.top}"/>`
  })
}

/** Middle of a day on the horizontal axis. */
function middleOf(x: ScaleBand<number>, place: number): number {
  return (x(place) ?? 0) + x.bandwidth() / 2
}

/** Every day of a range with its value, so that a withheld day is visibly missing. */
export function everyDay(from: string, to: string, values: ReadonlyMap<string, number>): Day[] {
  const start = Date.parse(from)
  const length = Math.round((Date.parse(to) - start) / DAY_MS) + 1
  return Array.from({ length }, (_, index) => {
    const date = new Date(start + index * DAY_MS).toISOString().slice(0, 10)
    return { date, value: values.get(date) ?? null }
  })
}

/** Runs of days without a value, as positions in the list: the first and the last of each. */
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
