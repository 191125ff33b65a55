import type { HistoryEntry } from '@student-wellbeing/client'
import { useIntl } from 'react-intl'
import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from 'recharts'

const DAY_MS = 86_400_000

/** One line over time with its intervals as a band and the usual score dashed; the table beside it says the same. */
export default function HistoryChart({ entries, days }: { entries: HistoryEntry[]; days: number }) {
  const { $t, formatDate, formatNumber } = useIntl()
  const isRtl = document.documentElement.dir === 'rtl'
  const now = Date.now()
  const points = entries.toReversed().map(({ at, score, score_interval, baseline }) => {
    return { at: Date.parse(at), score, interval: score_interval, usual: baseline?.score }
  })
  const day = (at: number) => formatDate(at, { day: 'numeric', month: 'short' })
  const domain = [now - days * DAY_MS, now]
  return (
    <div className="chart" role="img" aria-label={$t({ id: 'history.chart-in-words' })}>
      <ResponsiveContainer>
        <ComposedChart
          data={points}
          accessibilityLayer={false}
          margin={{ top: 8, right: 8, bottom: 0, left: 8 }}
        >
          <CartesianGrid vertical={false} />
          <XAxis
            dataKey="at"
            type="number"
            scale="time"
            domain={domain}
            tickFormatter={day}
            minTickGap={40}
            reversed={isRtl}
          />
          <YAxis
            domain={[0, 100]}
            width={40}
            tickFormatter={(value: number) => formatNumber(value)}
            orientation={isRtl ? 'right' : 'left'}
          />
          <Area dataKey="interval" type="linear" stroke="none" className="band" isAnimationActive={false} />
          <Line dataKey="usual" type="stepAfter" dot={false} className="usual" isAnimationActive={false} />
          <Line dataKey="score" type="linear" dot={{ r: 3 }} className="line" isAnimationActive={false} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  )
}
