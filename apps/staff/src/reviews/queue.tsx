import { ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { type Id, P, T } from '../../../ui/language.tsx'
import { Ago, Status } from '../../../ui/shown.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { nameOf } from '../people.ts'
import { usePerson } from '../person.tsx'
import { type Arrived, areAsQueued, useLive, useOnQueue } from './live.tsx'
import { Name, Risk } from './person-shown.tsx'
import { type OpenReview, useOpenReviews } from './reads.ts'

/** Who needs somebody, since when, who has it, and what lapses next. */
export default function Queue() {
  const reviews = useOpenReviews()
  const { isLive, arrived } = useLive()
  useOnQueue((queue) => {
    if (reviews.data && !reviews.isFetching && !areAsQueued(reviews.data, queue)) void reviews.refetch()
  })
  const unread = arrived.filter(({ arrivedAt }) => arrivedAt > reviews.dataUpdatedAt).map(asRow)
  return (
    <Screen title="reviews.title">
      <div className="row">
        <span role="status">
          {isLive !== undefined && (
            <Status label={isLive ? 'reviews.live' : 'reviews.polled'} tone={isLive ? 'good' : 'neutral'} />
          )}
        </span>
        <ButtonLink to="/reviews/closed" label="reviews.closed-ones" />
      </div>
      <Loaded query={reviews}>
        {(reviews) => {
          const known = new Set(reviews.map(({ id }) => id))
          const rows = reviews.map((review): Row => ({ ...review, student: review }))
          return <Sections rows={[...rows, ...unread.filter(({ id }) => !known.has(id))]} />
        }}
      </Loaded>
    </Screen>
  )
}

/** What the queue shows of a review. */
type Row = Pick<
  OpenReview,
  'id' | 'status' | 'risk_level' | 'opened_at' | 'claimed_by' | 'claimed_by_name' | 'lapses_at'
> & {
  /** Null: it is being read. */
  student: Pick<OpenReview, 'first_name' | 'last_name' | 'email' | 'student_number' | 'signs_of_life'> | null
}

const UNREAD = {
  status: 'open',
  student: null,
  claimed_by: null,
  claimed_by_name: null,
  lapses_at: null,
} as const

const asRow = ({ id, risk_level, opened_at }: Arrived) => ({ ...UNREAD, id, risk_level, opened_at })

const STUDENT: Column<Row> = {
  label: 'reviews.student',
  cell: ({ student }) =>
    student ? (
      <>
        <Name of={nameOf(student) ?? student.email} />
        {student.student_number && <span className="muted"> {student.student_number}</span>}
      </>
    ) : (
      <T id="reviews.name-follows" />
    ),
}
const RISK: Column<Row> = {
  label: 'reviews.risk-label',
  cell: ({ risk_level }) => <Risk level={risk_level} />,
}
const SINCE: Column<Row> = {
  label: 'reviews.since',
  cell: ({ opened_at }) => <Ago at={opened_at} />,
}
const LAPSES: Column<Row> = {
  label: 'reviews.lapses',
  cell: ({ lapses_at }) => (lapses_at ? <Ago at={lapses_at} /> : <T id="reviews.does-not-lapse" />),
}
const CONTACT: Column<Row> = {
  label: 'reviews.last-contact',
  cell: ({ student }) => {
    const at = student?.signs_of_life.last_contact_at
    return at ? <Ago at={at} /> : student && <T id="reviews.never" />
  },
}
const WHO: Column<Row> = {
  label: 'reviews.who-has-it',
  cell: ({ claimed_by_name }) => <Name of={claimed_by_name} unknown="reviews.a-colleague" />,
}

function Sections({ rows }: { rows: readonly Row[] }) {
  const { id: me } = usePerson()
  const open = rows.filter(({ status }) => status === 'open').toSorted(byUrgency)
  const claimed = rows.filter(({ status }) => status === 'claimed').toSorted(byLapse)
  const mine = claimed.filter(({ claimed_by }) => claimed_by === me)
  const others = claimed.filter(({ claimed_by }) => claimed_by !== me)
  const next = claimed.find(({ lapses_at }) => lapses_at !== null)
  return (
    <>
      {next?.lapses_at && (
        <div className="notice">
          <P
            id="reviews.lapses-next"
            name={<Name key="name" of={next.student && (nameOf(next.student) ?? next.student.email)} />}
            at={<Ago key="at" at={next.lapses_at} />}
          />
        </div>
      )}
      <Part
        title="reviews.nobodys"
        rows={open}
        columns={[STUDENT, RISK, SINCE, CONTACT]}
        empty="reviews.none-open"
      />
      <Part
        title="reviews.mine"
        rows={mine}
        columns={[STUDENT, RISK, SINCE, LAPSES]}
        empty="reviews.none-mine"
      />
      <Part
        title="reviews.others"
        rows={others}
        columns={[STUDENT, RISK, SINCE, WHO, LAPSES]}
        empty="reviews.none-of-others"
      />
    </>
  )
}

type PartProps = { title: Id; rows: readonly Row[]; columns: Column<Row>[]; empty: Id }

/** Reviews of one kind, each a way to the review. */
function Part({ title, ...list }: PartProps) {
  return (
    <Section title={title}>
      <DataTable {...list} label={title} keyOf={({ id }) => id} to={({ id }) => `/reviews/${id}`} />
    </Section>
  )
}

const URGENCY = ['high', 'moderate', 'mild', 'none']

/** The highest risk is first, then the oldest. */
function byUrgency(one: Row, other: Row): number {
  return (
    URGENCY.indexOf(one.risk_level) - URGENCY.indexOf(other.risk_level) ||
    Date.parse(one.opened_at) - Date.parse(other.opened_at)
  )
}

/** What lapses next is first; what does not lapse is last. */
function byLapse(one: Row, other: Row): number {
  const [a, b] = [one, other].map(({ lapses_at }) => (lapses_at ? Date.parse(lapses_at) : Number.MAX_VALUE))
  return (a ?? 0) - (b ?? 0)
}
