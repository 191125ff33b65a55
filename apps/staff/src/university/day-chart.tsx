import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts'
import type { Day } from './days.ts'
import { gapsOf } from './days.ts'
import { useFigures } from './figures.tsx'

const ACCENT = 'var(--accent)'
const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 }
const TICK = { fill: 'var(--muted)', fontSize: 13 }
/** Up to this many days, each has a dot. */
const DOTTED_DAYS = 31
/** From so many on, months are named and not days. */
const DAYS_OF_MONTHS = 120

type Props = {
  /** What the chart shows, in words: the table below it has its figures. */
  label: string
  days: readonly Day[]
  kind: 'line' | 'columns'
  /** Range of the vertical axis. */
  domain: readonly [number, number]
  format: (value: number) => string
}

/** A value for each day; days that are withheld are marked, to distinguish them from days without check-ins. */
export default function DayChart({ label, days, kind, domain, format }: Props) {
  const { shortDay, month } = useFigures()
  const isRtl = document.documentElement.dir === 'rtl'
  const named = days.length > DAYS_OF_MONTHS ? month : shortDay
  const isAlone = (at: number) => days[at - 1]?.value == null && days[at + 1]?.value == null
  const points = days.map((day, at) => ({ ...day, alone: isAlone(at) ? day.value : null }))
  const line = { type: 'linear', isAnimationActive: false, stroke: ACCENT, strokeWidth: 2 } as const
  const dot = { r: 3, fill: ACCENT }
  return (
    <div dir="ltr" role="img" aria-label={label} className="chart">
      <ResponsiveContainer height={240}>
        <ComposedChart data={points} accessibilityLayer={false} margin={MARGIN}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="date"
            scale="band"
            stroke="var(--muted)"
            tick={TICK}
            minTickGap={40}
            tickFormatter={named}
            reversed={isRtl}
          />
          <YAxis
            domain={[...domain]}
            stroke="var(--muted)"
            tick={TICK}
            width={48}
            tickFormatter={format}
            orientation={isRtl ? 'right' : 'left'}
          />
          {gapsOf(days).map(({ first, last }) => (
            <ReferenceArea
              key={first}
              x1={first}
              x2={last}
              className="withheld"
              fill="var(--line)"
              fillOpacity={0.6}
              stroke="none"
            />
          ))}
          {kind === 'columns' ? (
            <Bar dataKey="value" fill={ACCENT} isAnimationActive={false} />
          ) : (
            <Line {...line} dataKey="value" dot={days.length <= DOTTED_DAYS && dot} />
          )}
          {kind === 'line' && days.length > DOTTED_DAYS && (
            <Line {...line} stroke="none" dataKey="alone" dot={dot} />
          )}
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
