import { useIntl } from 'react-intl'
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from 'recharts'
import type { Entry } from '../screens/history.tsx'

const DAY_MS = 86_400_000

/** One line over time with its interval as a band and the usual score dashed; the table beside it says the same. */
export default function HistoryChart({ entries, days }: { entries: Entry[]; days: number }) {
  const intl = useIntl()
  const isRtl = document.documentElement.dir === 'rtl'
  const now = Date.now()
  const points = entries
    .map(({ at, score, score_interval, baseline }) => ({
      at: Date.parse(at),
      score,
      interval: score_interval,
      usual: baseline?.score ?? null,
    }))
    .reverse()
  const whole = (value: number) => intl.formatNumber(value, { maximumFractionDigits: 0 })
  const day = (at: number) => intl.formatDate(at, { day: 'numeric', month: 'short' })
  return (
    <div className="chart" role="img" aria-label={intl.formatMessage({ id: 'history.chart-in-words' })}>
      <ResponsiveContainer>
        <ComposedChart data={points} accessibilityLayer={false} margin={{ top: 8, right: 8, bottom: 0, left: 8 }}>
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={[now - days * DAY_MS, now]}
            tickFormatter={day}
            minTickGap={40}
            reversed={isRtl}
          />
          <YAxis domain={[0, 100]} width={40} tickFormatter={whole} orientation={isRtl ? 'right' : 'left'} />
          <Area dataKey="interval" type="linear" stroke="none" className="band" isAnimationActive={false} />
          <Line dataKey="usual" type="stepAfter" dot={false} className="usual" isAnimationActive={false} />
          <Line dataKey="score" type="linear" className="line" dot={{ r: 3 }} isAnimationActive={false} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
