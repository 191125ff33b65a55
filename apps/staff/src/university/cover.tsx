import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { Loaded, Section } from '../../../ui/elements.tsx'
import { Filters, instantOf, Select } from '../../../ui/filters.tsx'
import { Form } from '../../../ui/form.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { When } from '../../../ui/shown.tsx'
import { DataTable } from '../../../ui/table.tsx'
import { nameOf, useStaff } from '../people.ts'
import { HOUR_MS, RemoveShift, type Shift, ShiftTimes } from '../shifts.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import { RANGE_NAMES, RANGES, type Range } from './readings.ts'
import { ReviewTimes } from './review-times.tsx'
import './university.css'

const DAYS_AHEAD = 7

/** Whether somebody is there for students at risk: who is on call, which hours nobody covers, and how soon reviews are taken. */
export default function Response() {
  return (
    <UniversityScreen title="university.cover">
      {(university) => (
        <>
          <Week university={university} />
          <Times university={university} />
        </>
      )}
    </UniversityScreen>
  )
}

function Week({ university }: { university: University }) {
  const cover = useRead(
    ['cover', university.id],
    (client) => {
      const now = Date.now()
      return done(
        client.rpc('read_cover', {
          from_at: new Date(now).toISOString(),
          until_at: new Date(now + DAYS_AHEAD * 24 * HOUR_MS).toISOString(),
          university_id: university.id,
        }),
      )
    },
    { refetchInterval: 60_000 },
  )
  return (
    <Loaded query={cover}>
      {({ on_call, shifts, uncovered }) => (
        <>
          <Section title="university.on-call-now">
            {on_call.length === 0 ? (
              <div className="notice">
                <P id="university.nobody-on-call" />
              </div>
            ) : (
              <ul className="links">
                {on_call.map(({ user_id, name, until }) => (
                  <li key={user_id} className="row">
                    <strong dir="auto">{name ?? <T id="university.unknown" />}</strong>
                    <T id="university.until" at={<When at={until} />} />
                  </li>
                ))}
              </ul>
            )}
          </Section>
          <Section title="university.uncovered">
            <P className="muted" id="university.uncovered-note" />
            <DataTable
              label="university.uncovered"
              rows={uncovered}
              keyOf={({ starts_at }) => starts_at}
              empty="university.all-covered"
              columns={[
                { label: 'university.from', cell: ({ starts_at }) => <When at={starts_at} /> },
                { label: 'university.to-when', cell: ({ ends_at }) => <When at={ends_at} /> },
                { label: 'university.hours', cell: (gap) => <Hours of={gap} />, isFigure: true },
              ]}
            />
          </Section>
          <Section title="university.shifts">
            <AddShift university={university} />
            <DataTable
              label="university.shifts"
              rows={shifts}
              keyOf={({ id }) => id}
              empty="university.no-shift"
              columns={[
                {
                  label: 'university.counselor',
                  sortBy: ({ name }) => name,
                  cell: ({ name }) => <span dir="auto">{name ?? <T id="university.unknown" />}</span>,
                },
                {
                  label: 'university.from',
                  sortBy: ({ starts_at }) => starts_at,
                  cell: ({ starts_at }) => <When at={starts_at} />,
                },
                { label: 'university.to-when', cell: ({ ends_at }) => <When at={ends_at} /> },
                {
                  label: 'university.actions',
                  cell: (shift) => <Remove shift={shift} university={university} />,
                },
              ]}
            />
          </Section>
        </>
      )}
    </Loaded>
  )
}

function Hours({ of: { starts_at, ends_at } }: { of: { starts_at: string; ends_at: string } }) {
  const { number } = useTexts()
  const hours = (Date.parse(ends_at) - Date.parse(starts_at)) / HOUR_MS
  return number(hours, { style: 'unit', unit: 'hour', maximumFractionDigits: 1 })
}

function Remove({ shift, university }: { shift: Shift; university: University }) {
  const { time } = useTexts()
  return (
    <RemoveShift
      shift={shift}
      university={university.id}
      label="university.shift-remove"
      title="university.shift-remove-title"
      question="university.shift-remove-question"
      removed="university.shift-removed"
      target={`${shift.name ?? ''} ${time(shift.starts_at)} – ${time(shift.ends_at)}`}
    />
  )
}

function AddShift({ university }: { university: University }) {
  const staff = useStaff(university.id)
  const counselors = new Map(
    staff.data?.flatMap((one) =>
      one.user_id && one.role === 'counselor' ? [[one.user_id, nameOf(one) ?? one.email]] : [],
    ),
  )
  const nextHour = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
  return (
    <Dialog
      button={{ label: 'university.shift-add', kind: 'primary', isDisabled: counselors.size === 0 }}
      title="university.shift-add"
    >
      {(close) => (
        <Form
          submit="university.save"
          cancel={close}
          onSubmit={async (typed, client) => {
            await done(
              client.rpc('add_shift', {
                starts_at: instantOf(typed('starts')) ?? '',
                ends_at: instantOf(typed('ends')) ?? '',
                counselor_id: typed('counselor'),
                university_id: university.id,
              }),
            )
            close()
          }}
        >
          <Select label="university.counselor" name="counselor" options={[...counselors.keys()]} isRequired>
            {(id) => counselors.get(id) ?? id}
          </Select>
          <ShiftTimes start={nextHour} begins="university.from" ends="university.to-when" />
        </Form>
      )}
    </Dialog>
  )
}

function Times({ university }: { university: University }) {
  const { t } = useTexts()
  const [range, setRange] = useState<Range>('30d')
  return (
    <>
      <Filters>
        <Select label="university.range" options={RANGES} value={range} onChange={setRange}>
          {(one) => t(RANGE_NAMES[one])}
        </Select>
      </Filters>
      <ReviewTimes university={university} range={range} />
    </>
  )
}
