import { area, line } from 'd3-shape'
import { html } from 'hono/html'
import {
  type DayChart,
  dayAxis,
  type Frame,
  frameOf,
  middleOf,
  type Scales,
  scalesOf,
  valueAxis,
  withheldDays,
} from './chart-frame.ts'
import type { Day } from './days.ts'
import { longDay } from './format.ts'

/** Days up to which every one gets a dot. */
const DOTTED_DAYS = 31
const PHONE = { width: 340, height: 210 }

type Known = { place: number; value: number }

/** A line with a gap where days are withheld. */
export function lineChart(chart: DayChart, width: number, height: number) {
  return chartForEveryScreen(chart, width, height, drawLine)
}

/** A column for each day. */
export function columnChart(chart: DayChart, width: number, height: number) {
  return chartForEveryScreen(chart, width, height, drawColumns)
}

type Draw = (chart: DayChart, frame: Frame, scales: Scales) => unknown

/** The same chart once for phones, so that its letters stay readable there; the style sheet shows one of the two. */
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

/** The ground below the line is filled only where it stands for the whole value. */
function drawLine({ days, domain }: DayChart, frame: Frame, { x, y }: Scales) {
  const known = (day: Day) => day.value !== null
  const across = (_: Day, place: number) => middleOf(x, place)
  const up = (day: Day) => y(day.value ?? 0)
  const curve = line<Day>(across, up).defined(known).digits(1)(days)
  const below = area<Day>(across, frame.bottom, up).defined(known).digits(1)(days)
  const dots = knownDays(days).filter(({ place }) => days.length <= DOTTED_DAYS || stands(days, place))
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

/** Whether a day has no neighbour that a line could lead to. */
function stands(days: readonly Day[], place: number): boolean {
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
