import { ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { P, T } from '../../../ui/language.tsx'
import { Ago, Status } from '../../../ui/shown.tsx'
import { type Column, DataTable } from '../../../ui/table.tsx'
import { usePerson } from '../person.tsx'
import { areAsQueued, useLive, useOnQueue } from './live.tsx'
import { Name, nameOf, Risk } from './person-shown.tsx'
import { type OpenReview, useOpenReviews } from './reads.ts'

/** Who needs somebody, since when, who has it, and what lapses next. */
export default function Queue() {
  const reviews = useOpenReviews()
  const { isLive } = useLive()
  useOnQueue((queue) => {
    if (reviews.data && !areAsQueued(reviews.data, queue)) void reviews.refetch()
  })
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
      <Loaded query={reviews}>{(reviews) => <Sections reviews={reviews} />}</Loaded>
    </Screen>
  )
}

const STUDENT: Column<OpenReview> = {
  label: 'reviews.student',
  cell: (review) => (
    <>
      <Name of={nameOf(review) ?? review.email} />
      {review.student_number && <span className="muted"> {review.student_number}</span>}
    </>
  ),
}
const RISK: Column<OpenReview> = {
  label: 'reviews.risk-label',
  cell: ({ risk_level }) => <Risk level={risk_level} />,
}
const SINCE: Column<OpenReview> = {
  label: 'reviews.since',
  cell: ({ opened_at }) => <Ago at={opened_at} />,
}
const LAPSES: Column<OpenReview> = {
  label: 'reviews.lapses',
  cell: ({ lapses_at }) => (lapses_at ? <Ago at={lapses_at} /> : <T id="reviews.does-not-lapse" />),
}
const CONTACT: Column<OpenReview> = {
  label: 'reviews.last-contact',
  cell: ({ signs_of_life: { last_contact_at: at } }) => (at ? <Ago at={at} /> : <T id="reviews.never" />),
}
const WHO: Column<OpenReview> = {
  label: 'reviews.who-has-it',
  cell: ({ claimed_by_name }) => <Name of={claimed_by_name} unknown="reviews.a-colleague" />,
}

const ofReview = { keyOf: ({ id }: OpenReview) => id, to: ({ id }: OpenReview) => `/reviews/${id}` }

function Sections({ reviews }: { reviews: readonly OpenReview[] }) {
  const { id: me } = usePerson()
  const open = reviews.filter(({ status }) => status === 'open')
  const claimed = reviews.filter(({ status }) => status === 'claimed').toSorted(byLapse)
  const mine = claimed.filter(({ claimed_by }) => claimed_by === me)
  const others = claimed.filter(({ claimed_by }) => claimed_by !== me)
  const next = claimed.find(({ lapses_at }) => lapses_at !== null)
  return (
    <>
      {next?.lapses_at && (
        <div className="notice">
          <P
            id="reviews.lapses-next"
            name={<Name key="name" of={nameOf(next) ?? next.email} />}
            at={<Ago key="at" at={next.lapses_at} />}
          />
        </div>
      )}
      <Section title="reviews.nobodys">
        <DataTable
          {...ofReview}
          label="reviews.nobodys"
          rows={open}
          columns={[STUDENT, RISK, SINCE, CONTACT]}
          empty="reviews.none-open"
        />
      </Section>
      <Section title="reviews.mine">
        <DataTable
          {...ofReview}
          label="reviews.mine"
          rows={mine}
          columns={[STUDENT, RISK, SINCE, LAPSES]}
          empty="reviews.none-mine"
        />
      </Section>
      <Section title="reviews.others">
        <DataTable
          {...ofReview}
          label="reviews.others"
          rows={others}
          columns={[STUDENT, RISK, SINCE, WHO, LAPSES]}
          empty="reviews.none-of-others"
        />
      </Section>
    </>
  )
}

/** What lapses next is first; what does not lapse is last. */
function byLapse(one: OpenReview, other: OpenReview): number {
  const [a, b] = [one, other].map(({ lapses_at }) => (lapses_at ? Date.parse(lapses_at) : Number.MAX_VALUE))
  return (a ?? 0) - (b ?? 0)
}
