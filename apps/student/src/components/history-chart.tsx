import type { HistoryEntry } from '@student-wellbeing/client'
import { useIntl } from 'react-intl'
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from 'recharts'

const ACCENT = 'var(--accent)'
const MARGIN = { top: 8, right: 8, bottom: 0, left: 8 }
const DAY_MS = 86_400_000

/** One line over time with its intervals as a band and the usual score dashed; the table beside it says the same. */
export default function HistoryChart({ entries, days }: { entries: HistoryEntry[]; days: number }) {
  const { $t, formatDate, formatNumber } = useIntl()
  const isRtl = document.documentElement.dir === 'rtl'
  const now = Date.now()
  const points = entries.toReversed().map(({ at, score, score_interval, baseline }) => {
    return { at: Date.parse(at), score, interval: score_interval, usual: baseline?.score }
  })
  const side = isRtl ? 'right' : 'left'
  const number = (value: number) => formatNumber(value)
  const day = (at: number) => formatDate(at, { day: 'numeric', month: 'short' })
  const axis = { stroke: 'var(--muted)', minTickGap: 40, type: 'number' } as const
  const time = { ...axis, scale: 'time', domain: [now - days * DAY_MS, now], tickFormatter: day } as const
  const line = { type: 'linear', stroke: 'none', isAnimationActive: false } as const
  const usual = {
    ...line,
    type: 'stepAfter',
    stroke: 'var(--text)',
    strokeDasharray: '5 4',
    dot: false,
  } as const
  const score = { ...line, stroke: ACCENT, strokeWidth: 2, dot: { r: 3, fill: ACCENT } }
  return (
    <div className="chart" role="img" aria-label={$t({ id: 'history.chart-in-words' })}>
      <ResponsiveContainer>
        <ComposedChart data={points} accessibilityLayer={false} margin={MARGIN}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis {...time} dataKey="at" reversed={isRtl} />
          <YAxis {...axis} domain={[0, 100]} tickFormatter={number} width={40} orientation={side} />
          <Area {...line} dataKey="interval" fill={ACCENT} fillOpacity={0.2} />
          <Line {...usual} dataKey="usual" />
          <Line {...score} dataKey="score" />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
