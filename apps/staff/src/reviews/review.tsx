import { useParams } from 'wouter'
import { ButtonLink, Loaded, Screen, Section } from '../../../ui/elements.tsx'
import { P, T, useTexts } from '../../../ui/language.tsx'
import { Ago, Facts, When } from '../../../ui/shown.tsx'
import { nameOf } from '../people.ts'
import { usePerson } from '../person.tsx'
import { Close, HandOver, NoteForm, Reopen, Return, Take } from './actions.tsx'
import { areAsQueued, useOnQueue } from './live.tsx'
import { Nudges } from './nudges.tsx'
import { About, ConsentedHistory, Name, Risk, SignsOfLifeFacts } from './person-shown.tsx'
import { type Review as OneReview, useReview } from './reads.ts'

/** One review: who it is, why, what is known of them, what was done, and what can be done. */
export default function Review() {
  const { id = '' } = useParams()
  const review = useReview(id)
  useOnQueue((queue) => {
    if (!review.data || review.isFetching) return
    const queued = queue.filter((one) => one.id === id)
    const known = review.data.status === 'closed' ? [] : [review.data]
    if (!areAsQueued(known, queued)) void review.refetch()
  })
  return (
    // Its title names nobody: browsers remember titles.
    <Screen title="reviews.one">
      <Loaded query={review}>
        {(review) => (review ? <Known review={review} /> : <P className="notice" id="reviews.unknown" />)}
      </Loaded>
      <ButtonLink to="/reviews" label="reviews.back" />
    </Screen>
  )
}

function Known({ review }: { review: OneReview }) {
  const { id: me } = usePerson()
  const { status, claimed_by } = review
  const isMine = status === 'claimed' && claimed_by === me
  const name = nameOf(review) ?? review.email
  return (
    <>
      <About name={name}>
        <div className="row">
          <Risk level={review.risk_level} />
          <Ago at={review.opened_at} />
        </div>
        <Standing review={review} isMine={isMine} />
        {status === 'open' && <Take review={review.id} />}
        {isMine && (
          <div className="row">
            <Close review={review} name={name} />
            <HandOver review={review} name={name} />
            <Return review={review.id} name={name} />
          </div>
        )}
        <Reopen review={review} name={name} />
      </About>
      <Section title="reviews.contact">
        <Facts
          of={[
            [
              'reviews.email',
              review.contact.email && <a href={`mailto:${review.contact.email}`}>{review.contact.email}</a>,
            ],
            ['reviews.student-number', review.student_number],
            ['reviews.university', review.university_name],
            ['reviews.faculty', review.faculty],
            ['reviews.year', review.year_of_study],
          ]}
        />
        <P className="muted" id="reviews.no-telephone" />
      </Section>
      <Why review={review} />
      <SignsOfLifeFacts of={review.signs_of_life} />
      {status !== 'closed' && <NoteForm review={review.id} />}
      <Done review={review} />
      {status !== 'closed' && <Nudges student={review.user_id} name={name} />}
      <Section title="reviews.history">
        <ConsentedHistory rows={review.history} />
      </Section>
    </>
  )
}

/** Who has it, and until when. */
function Standing({ review, isMine }: { review: OneReview; isMine: boolean }) {
  const { status, claimed_at, claimed_by_name, lapses_at, closed_at, closed_by_name, outcome } = review
  if (status === 'closed' && closed_at)
    return (
      <>
        <P
          id="reviews.is-closed"
          at={<When key="at" at={closed_at} />}
          name={<Name key="name" of={closed_by_name} unknown="reviews.a-colleague" />}
        />
        <P id="reviews.outcome-is" outcome={outcome} />
      </>
    )
  if (status === 'open') return <P id="reviews.is-open" />
  const since = claimed_at && <When key="since" at={claimed_at} />
  const name = <Name key="name" of={claimed_by_name} unknown="reviews.a-colleague" />
  return (
    <>
      <P id={isMine ? 'reviews.is-mine' : 'reviews.is-others'} since={since} name={name} />
      {lapses_at ? (
        <div className="notice">
          <P
            id={isMine ? 'reviews.lapses-mine' : 'reviews.lapses-others'}
            at={<When key="at" at={lapses_at} />}
            in={<Ago key="in" at={lapses_at} />}
          />
        </div>
      ) : (
        <P className="muted" id="reviews.has-note" />
      )}
    </>
  )
}

/** What raised it: where it was found, how, and the words, where the student lets them be seen. */
function Why({ review: { sources, last_risk_at } }: { review: OneReview }) {
  const { number } = useTexts()
  return (
    <Section title="reviews.why">
      <P className="muted" id="reviews.last-risk" at={<When key="at" at={last_risk_at} />} />
      <ul className="list">
        {sources.map(({ source, seen_at, rule, probability, excerpts }) => (
          <li key={`${source} ${seen_at}`} className="card">
            <p>
              <strong>
                <T id="reviews.source" source={source} />
              </strong>{' '}
              <When at={seen_at} />
            </p>
            {rule !== null && <P id="reviews.rule" rule={rule.split('.')[0]} />}
            {probability !== null && (
              <P
                className="muted"
                id="reviews.probability"
                probability={number(probability, { style: 'percent' })}
              />
            )}
            {excerpts.map(({ text, from, to }) => (
              <blockquote key={`${from} ${text}`} className="notice">
                <p dir="auto">
                  {text.slice(0, from)}
                  <mark>{text.slice(from, to)}</mark>
                  {text.slice(to)}
                </p>
              </blockquote>
            ))}
            {excerpts.length === 0 && <P className="muted" id="reviews.no-words" source={source} />}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What was done with it, and the notes, the latest first. */
function Done({ review: { events, notes } }: { review: OneReview }) {
  const done = [
    // Notes stand for themselves.
    ...events
      .filter(({ event }) => event !== 'note_added')
      .map(({ at, event, by_name }) => ({ at, event, name: by_name, note: null })),
    ...notes.map(({ created_at, author_name, note }) => {
      return { at: created_at, event: 'note_added', name: author_name, note }
    }),
  ].toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
  return (
    <Section title="reviews.done">
      <ol className="list">
        {done.map(({ at, event, name, note }) => (
          <li key={`${at} ${event}`} className="card">
            <P
              className="muted"
              id="reviews.event"
              event={event}
              hasName={String(name !== null)}
              name={<Name key="name" of={name} />}
              at={<When key="at" at={at} />}
            />
            {note !== null && (
              <p className="prose" dir="auto">
                {note}
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  )
}
