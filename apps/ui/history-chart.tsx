import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import { useTexts } from './language.tsx'

/** A check-in or a session, as charts and tables of a history show it. */
export type Point = {
  source: 'check_in' | 'session'
  id: string
  at: string
  score: number | null
  score_interval: [low: number, high: number] | null
  direction_of_change: string | null
  baseline: { score: number } | null
}

const ACCENT = 'var(--accent)'
const MARGIN = { top: 8, right: 8, bottom: 0, left: 8 }
const TICK = { fill: 'var(--muted)', fontSize: 13 }
const AXIS = { stroke: 'var(--muted)', minTickGap: 40, type: 'number', tick: TICK } as const
const LINE = { type: 'linear', stroke: 'none', isAnimationActive: false, dot: false } as const
const USUAL = { ...LINE, type: 'stepAfter', stroke: 'var(--text)', strokeDasharray: '5 4' } as const
const SCORE = { ...LINE, stroke: ACCENT, strokeWidth: 2, dot: { r: 3, fill: ACCENT } }

type ChartProps = {
  points: readonly Point[]
  /** The period that is shown, in milliseconds. */
  period: [from: number, until: number]
}

/** One line over time with its intervals as a band and the usual score dashed; the table beside it says the same. */
export default function HistoryChart({ points, period }: ChartProps) {
  const { t, formatDate, number } = useTexts()
  const isRtl = document.documentElement.dir === 'rtl'
  const side = isRtl ? 'right' : 'left'
  const data = points.toReversed().map(({ at, score, score_interval, baseline }) => {
    return { at: Date.parse(at), score, interval: score_interval, usual: baseline?.score }
  })
  const day = (at: number) => formatDate(at, { day: 'numeric', month: 'short' })
  return (
    <div dir="ltr" role="img" aria-label={t('history.chart-in-words')}>
      <ResponsiveContainer height={224}>
        <ComposedChart data={data} accessibilityLayer={false} margin={MARGIN}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...AXIS} dataKey="at" scale="time" domain={period} tickFormatter={day} reversed={isRtl} />
          <YAxis
            {...AXIS}
            domain={[0, 100]}
            tickFormatter={(at) => number(at)}
            width={40}
            orientation={side}
          />
          <Area {...LINE} dataKey="interval" fill={ACCENT} fillOpacity={0.2} />
          <Line {...USUAL} dataKey="usual" />
          <Line {...SCORE} dataKey="score" />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
