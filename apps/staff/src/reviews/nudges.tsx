import { Confirm } from '../../../ui/dialog.tsx'
import { Loaded, Section } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Status, type Tone, When } from '../../../ui/shown.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { Name } from './person-shown.tsx'

const KINDS = ['thinking_of_you', 'come_by', 'check_in'] as const

const TONES: Record<string, Tone> = { sent: 'good', unconfirmed: 'warning', dead: 'bad', cancelled: 'bad' }

const isOnItsWay = ({ state, send_at }: { state: string | null; send_at: string }): boolean =>
  state === 'sending' || (state === 'queued' && Date.parse(send_at) <= Date.now())

/** Kind messages to a student, in fixed words: what became of those before, and a new one. */
export function Nudges({ student, name }: { student: string; name: string | null }) {
  const { t, time } = useTexts()
  const tell = useToast()
  const nudges = useRead(
    ['nudges', student],
    (client) => done(client.rpc('list_nudges', { student_id: student })),
    // One that is on its way is followed until it has arrived, or has not.
    { refetchInterval: ({ state: { data } }) => (data?.some(isOnItsWay) ? 5_000 : false) },
  )
  return (
    <Section title="reviews.nudges">
      <P className="muted" id="reviews.nudges-explained" />
      <Confirm
        kind="plain"
        label="reviews.nudge"
        title="reviews.nudge"
        question="reviews.nudge-question"
        target={<Name of={name} />}
        submit="reviews.nudge-send"
        run={async (typed, client) => {
          const kind = KINDS.find((one) => one === typed('kind')) ?? KINDS[0]
          const { send_at } = await done(client.rpc('nudge_student', { student_id: student, kind }))
          tell({ message: 'reviews.nudge-queued', values: { at: time(send_at) } })
        }}
      >
        <Select label="reviews.nudge-kind" name="kind" options={KINDS} defaultValue={KINDS[0]}>
          {(kind) => t('reviews.nudge-kind-is', { kind })}
        </Select>
      </Confirm>
      <Loaded query={nudges}>
        {(nudges) => (
          <ul className="list">
            {nudges?.map(({ id, kind, by_name, created_at, send_at, state, ended_at }) => (
              <li key={id} className="card">
                <p>
                  <T id="reviews.nudge-kind-is" kind={kind} />
                </p>
                <Status
                  label="reviews.nudge-state"
                  values={{ state, at: time(ended_at ?? send_at) }}
                  tone={TONES[state ?? ''] ?? 'neutral'}
                />
                <P
                  className="muted"
                  id="reviews.nudge-by"
                  name={<Name key="name" of={by_name} unknown="reviews.a-colleague" />}
                  at={<When key="at" at={created_at} />}
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  )
}
