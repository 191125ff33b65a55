import { useState } from 'react'
import type { Database } from '../../../../types/database.ts'
import { Loaded, Section } from '../../../ui/elements.tsx'
import { Filters, Select } from '../../../ui/filters.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import { ErrorOfDelivery } from './deliveries.tsx'
import { Figures, useFigures } from './figures.tsx'
import { RANGE_NAMES } from './readings.ts'
import './university.css'

type Delivered = NonNullable<Database['public']['Functions']['message_delivery']['Returns']>
type Kind = Delivered['kinds'][number]
type Failure = Delivered['failures'][number]

const KEPT = ['7d', '30d'] as const

const AUDIENCES: Record<Kind['audience'], Id> = {
  staff: 'university.to-staff',
  reviews: 'university.to-staff-of-reviews',
  students: 'university.to-students',
}
const CHANNELS: Record<Kind['channel'], Id> = { email: 'university.email', sms: 'university.sms' }
const STATES = ['messages', 'sent', 'waiting', 'unconfirmed', 'failed', 'cancelled'] as const
const STATE_NAMES: Record<(typeof STATES)[number], Id> = {
  messages: 'university.messages',
  sent: 'university.sent',
  waiting: 'university.waiting',
  unconfirmed: 'university.unconfirmed',
  failed: 'university.failed',
  cancelled: 'university.cancelled',
}

/** What became of mails and texts, without whom they go to and what they say. */
export default function Delivery() {
  return (
    <UniversityScreen title="university.delivery">
      {(university) => <Messages university={university} />}
    </UniversityScreen>
  )
}

function Messages({ university: { id } }: { university: University }) {
  const { t } = useTexts()
  const { longDay } = useFigures()
  const [range, setRange] = useState<(typeof KEPT)[number]>('7d')
  const delivery = useRead(
    ['delivery', id, range],
    (client) => done(client.rpc('message_delivery', { university_id: id, date_range: range })),
    { refetchInterval: 60_000 },
  )
  return (
    <>
      <Filters>
        <Select label="university.range" options={KEPT} value={range} onChange={setRange}>
          {(one) => t(RANGE_NAMES[one])}
        </Select>
      </Filters>
      <Loaded query={delivery}>
        {(known) =>
          known && (
            <>
              <Section title="university.failures">
                <P className="muted" id="university.failures-note" />
                <Failures of={known.failures} />
              </Section>
              <Section title="university.by-purpose">
                <P
                  className="muted"
                  id="university.by-purpose-note"
                  from={longDay(known.from)}
                  to={longDay(known.to)}
                />
                <Kinds of={known.kinds} />
              </Section>
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** What a message is for, by whichever way. */
function usePurpose() {
  const { t, known } = useTexts()
  return (purpose: string) => {
    const name = known(`university.purpose.${purpose}`)
    return name ? t(name) : purpose
  }
}

function Kinds({ of }: { of: readonly Kind[] }) {
  const { t } = useTexts()
  const { count } = useFigures()
  const named = usePurpose()
  return (
    <Figures
      label="university.by-purpose"
      fileName="messages"
      rows={of}
      keyOf={({ purpose, channel }) => `${purpose} ${channel}`}
      empty="university.no-kind"
      columns={[
        { label: 'university.purpose', value: ({ purpose }) => named(purpose) },
        { label: 'university.to', value: ({ audience }) => t(AUDIENCES[audience]) },
        { label: 'university.channel', value: ({ channel }) => t(CHANNELS[channel]) },
        ...STATES.map((state) => ({
          label: STATE_NAMES[state],
          value: (kind: Kind) => kind[state],
          cell: (kind: Kind) => count(kind[state]),
          isFigure: true,
        })),
      ]}
    />
  )
}

function Failures({ of }: { of: readonly Failure[] }) {
  const { t } = useTexts()
  const { count, longDay } = useFigures()
  const named = usePurpose()
  return (
    <Figures
      label="university.failures"
      fileName="failed-messages"
      rows={of}
      keyOf={({ day, purpose, channel, error_code }) => `${day} ${purpose} ${channel} ${error_code}`}
      empty="university.no-failure"
      columns={[
        { label: 'university.day', value: ({ day }) => day, cell: ({ day }) => longDay(day) },
        { label: 'university.purpose', value: ({ purpose }) => named(purpose) },
        { label: 'university.channel', value: ({ channel }) => t(CHANNELS[channel]) },
        {
          label: 'university.messages',
          value: ({ messages }) => messages,
          cell: ({ messages }) => count(messages),
          isFigure: true,
        },
        {
          label: 'university.why',
          value: ({ error_code }) => error_code,
          cell: ({ error_code }) =>
            error_code ? <ErrorOfDelivery code={error_code} /> : <T id="university.unknown" />,
        },
      ]}
    />
  )
}
