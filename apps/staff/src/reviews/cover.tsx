import { useState } from 'react'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { instantOf, Select } from '../../../ui/filters.tsx'
import { Form } from '../../../ui/form.tsx'
import { P, useTexts } from '../../../ui/language.tsx'
import { done } from '../../../ui/service.tsx'
import { useNow, When } from '../../../ui/shown.tsx'
import { type Column, DataTable, Pager } from '../../../ui/table.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { useUniversityNames } from '../people.ts'
import { useUniversitiesOf } from '../person.tsx'
import { HOUR_MS, RemoveShift, type Shift, ShiftTimes } from '../shifts.tsx'
import { Name } from './person-shown.tsx'
import { useCover } from './reads.ts'

const WEEK_MS = 168 * HOUR_MS
/** How far ahead it can be looked. */
const WEEKS = 4

/** Who is on call when, for the counselors of a university. */
export default function Cover() {
  const universities = useUniversitiesOf('counselor')
  const nameOfUniversity = useUniversityNames()
  const [university = '', setUniversity] = useState(universities[0])
  const [week, setWeek] = useState(0)
  // To five minutes, so that it is not another week every time.
  const from = Math.floor(useNow() / 300_000) * 300_000 + week * WEEK_MS
  const cover = useCover(university, from, from + WEEK_MS)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <Screen title="reviews.cover">
      <P className="muted" id="reviews.cover-explained" zone={zone} />
      {universities.length > 1 && (
        <Select label="reviews.university" options={universities} value={university} onChange={setUniversity}>
          {nameOfUniversity}
        </Select>
      )}
      <Loaded query={cover}>
        {({ on_call, shifts, uncovered }) => (
          <>
            <Section title="reviews.on-call">
              {on_call.length === 0 && <P className="notice" id="reviews.nobody-on-call" />}
              <ul className="list">
                {on_call.map(({ user_id, name, until }) => (
                  <li key={user_id} className="card">
                    <strong>
                      <Name of={name} />
                    </strong>
                    <P className="muted" id="reviews.until" at={<When key="at" at={until} />} />
                  </li>
                ))}
              </ul>
              <TakeOver target={nameOfUniversity(university)} />
            </Section>
            <Section title="reviews.uncovered">
              <P
                className="muted"
                id="reviews.week"
                from={<When key="from" at={new Date(from).toISOString()} />}
                until={<When key="until" at={new Date(from + WEEK_MS).toISOString()} />}
              />
              {uncovered.length === 0 && <P id="reviews.all-covered" />}
              <ul>
                {uncovered.map((gap) => (
                  <li key={gap.starts_at}>
                    <P
                      id="reviews.from-until"
                      from={<When key="from" at={gap.starts_at} />}
                      until={<When key="until" at={gap.ends_at} />}
                    />
                  </li>
                ))}
              </ul>
            </Section>
            <Section title="reviews.shifts">
              <AddShift university={university} from={from} />
              <DataTable
                label="reviews.shifts"
                rows={shifts}
                columns={columnsFor(university)}
                keyOf={({ id }) => id}
                empty="reviews.no-shifts"
              />
              <Pager page={week} hasNext={week < WEEKS - 1} onChange={setWeek} />
            </Section>
          </>
        )}
      </Loaded>
    </Screen>
  )
}

const columnsFor = (university: string): Column<Shift>[] => [
  { label: 'reviews.counselor', cell: ({ name }) => <Name of={name} /> },
  { label: 'reviews.begins', cell: ({ starts_at }) => <When at={starts_at} /> },
  { label: 'reviews.ends', cell: ({ ends_at }) => <When at={ends_at} /> },
  {
    label: 'reviews.change',
    cell: (shift) => shift.mine && <Remove university={university} shift={shift} />,
  },
]

const HOURS = ['1', '2', '4', '8', '12', '24'] as const

/** Puts whoever presses it on call from now on. */
function TakeOver({ target }: { target: string }) {
  const { t } = useTexts()
  const tell = useToast()
  return (
    <Confirm
      kind="primary"
      label="reviews.take-over"
      title="reviews.take-over"
      question="reviews.take-over-question"
      target={target}
      run={async (typed, client) => {
        await done(client.rpc('take_over', { hours: Number(typed('hours')) }))
        tell({ message: 'reviews.took-over' })
      }}
    >
      <Select label="reviews.for-hours" name="hours" options={HOURS} defaultValue="8">
        {(hours) => t('reviews.hours', { hours: Number(hours) })}
      </Select>
    </Confirm>
  )
}

/** Enters a shift of one's own. */
function AddShift({ university, from }: { university: string; from: number }) {
  const tell = useToast()
  const start = Math.ceil(from / HOUR_MS) * HOUR_MS
  return (
    <Dialog button={{ label: 'reviews.add-shift' }} title="reviews.add-shift">
      {(close) => (
        <Form
          submit="reviews.save-shift"
          cancel={close}
          onSubmit={async (typed, client) => {
            const shift = await done(
              client.rpc('add_shift', {
                starts_at: instantOf(typed('starts')) ?? '',
                ends_at: instantOf(typed('ends')) ?? '',
                university_id: university,
              }),
            )
            close()
            tell({
              message: 'reviews.shift-added',
              undo: (client) => done(client.rpc('remove_shift', { shift_id: shift.id })),
            })
          }}
        >
          <ShiftTimes start={start} begins="reviews.begins" ends="reviews.ends" />
        </Form>
      )}
    </Dialog>
  )
}

function Remove({ university, shift }: { university: string; shift: Shift }) {
  const { time } = useTexts()
  return (
    <RemoveShift
      shift={shift}
      university={university}
      label="reviews.remove-shift"
      title="reviews.remove-shift"
      question="reviews.remove-shift-question"
      removed="reviews.shift-removed"
      target={
        <>
          <Name of={shift.name} />
          {', '}
          {time(shift.starts_at)} – {time(shift.ends_at)}
        </>
      }
    />
  )
}
