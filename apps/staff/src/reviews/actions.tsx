import { useState } from 'react'
import { Confirm } from '../../../ui/dialog.tsx'
import { Section } from '../../../ui/elements.tsx'
import { Select } from '../../../ui/filters.tsx'
import { Action, Field, Form } from '../../../ui/form.tsx'
import { useTexts } from '../../../ui/language.tsx'
import { type Client, done, useRead } from '../../../ui/service.tsx'
import { useNow } from '../../../ui/shown.tsx'
import { type Toast, useToast } from '../../../ui/toast.tsx'
import { nameOf } from '../people.ts'
import { usePerson } from '../person.tsx'
import { Name } from './person-shown.tsx'
import type { Review } from './reads.ts'

type OfReview = { review: Review; name: string | null }

const take = (client: Client, review: string) => done(client.rpc('claim_review', { review_id: review }))
const reopen = (client: Client, review: string) => done(client.rpc('reopen_review', { review_id: review }))

/** Tells what was done; or that nothing was, as it is no longer theirs to do, or a colleague was faster. */
function useDone() {
  const tell = useToast()
  return (result: object | null, told: Toast) =>
    tell(result === null ? { message: 'reviews.not-done' } : told)
}

/** Takes a review that nobody has. */
export function Take({ review }: { review: string }) {
  const tell = useDone()
  const undo = (client: Client) => reopen(client, review)
  const run = async (client: Client) => tell(await take(client, review), { message: 'reviews.taken', undo })
  return <Action kind="primary" label="reviews.take" pending="reviews.taking" run={run} />
}

/** Gives a review back to everybody. */
export function Return({ review, name }: { review: string; name: string | null }) {
  const tell = useDone()
  const undo = (client: Client) => take(client, review)
  return (
    <Confirm
      kind="plain"
      label="reviews.return"
      title="reviews.return"
      question="reviews.return-question"
      target={<Name of={name} />}
      run={async (_, client) => tell(await reopen(client, review), { message: 'reviews.returned', undo })}
    />
  )
}

/** Hands a review to a colleague, who is told. */
export function HandOver({ review: { id, university_id }, name }: OfReview) {
  const { id: me } = usePerson()
  const { t } = useTexts()
  const tell = useDone()
  const { data = [] } = useRead(['colleagues'], (client) => done(client.rpc('list_counselors')))
  const colleagues = new Map(
    data
      .filter((one) => one.user_id !== me && one.university_id === university_id)
      .map((one) => [one.user_id, nameOf(one) ?? t('reviews.no-name')]),
  )
  return (
    <Confirm
      kind="plain"
      label="reviews.hand-over"
      title="reviews.hand-over"
      question={colleagues.size > 0 ? 'reviews.hand-over-question' : 'reviews.no-colleague'}
      target={<Name of={name} />}
      run={async (typed, client) => {
        const counselor = typed('counselor')
        const given = await done(client.rpc('hand_over_review', { review_id: id, counselor_id: counselor }))
        tell(given, { message: 'reviews.handed-over', values: { name: colleagues.get(counselor) ?? '' } })
      }}
    >
      <Select
        label="reviews.colleague"
        name="counselor"
        options={['', ...colleagues.keys()]}
        defaultValue=""
        isRequired
      >
        {(one) => colleagues.get(one) ?? ''}
      </Select>
    </Confirm>
  )
}

const OUTCOMES = [
  'no_current_risk',
  'safety_plan',
  'referred',
  'already_in_care',
  'emergency_care',
  'not_reached',
  'false_positive',
] as const

/** Closes a review, with what came of it. */
export function Close({ review: { id }, name }: OfReview) {
  const { t } = useTexts()
  const tell = useDone()
  async function undo(client: Client) {
    await reopen(client, id)
    await take(client, id)
  }
  return (
    <Confirm
      kind="plain"
      label="reviews.close"
      title="reviews.close"
      question="reviews.close-question"
      target={<Name of={name} />}
      run={async (typed, client) => {
        const outcome = OUTCOMES.find((one) => one === typed('outcome'))
        const ending = { review_id: id, outcome, note: typed('note') }
        tell(await done(client.rpc('close_review', ending)), { message: 'reviews.is-now-closed', undo })
      }}
    >
      <Select label="reviews.outcome" name="outcome" options={['', ...OUTCOMES]} defaultValue="" isRequired>
        {(outcome) => (outcome === '' ? '' : t('reviews.outcome-is', { outcome }))}
      </Select>
      <Field label="reviews.last-note" name="note" rows={4} maxLength={4000} />
    </Confirm>
  )
}

/** Opens a review again, as long as the database would: what it would not do is not offered. */
export function Reopen({ review: { id, reopens_until }, name }: OfReview) {
  const now = useNow()
  const tell = useDone()
  if (reopens_until === null || Date.parse(reopens_until) <= now) return null
  return (
    <Confirm
      kind="plain"
      label="reviews.reopen"
      title="reviews.reopen"
      question="reviews.reopen-question"
      target={<Name of={name} />}
      run={async (_, client) => tell(await reopen(client, id), { message: 'reviews.reopened' })}
    />
  )
}

/** A note for whoever comes next. */
export function NoteForm({ review }: { review: string }) {
  const [written, setWritten] = useState(0)
  const tell = useDone()
  return (
    <Section title="reviews.write-note">
      <Form
        key={written}
        submit="reviews.save-note"
        onSubmit={async (typed, client) => {
          const note = await done(client.rpc('add_review_note', { review_id: review, note: typed('note') }))
          tell(note, { message: 'reviews.note-saved' })
          // What was typed is gone only once it is kept.
          if (note) setWritten(written + 1)
        }}
      >
        <Field
          label="reviews.note"
          hint="reviews.note-hint"
          name="note"
          rows={4}
          maxLength={4000}
          isRequired
        />
      </Form>
    </Section>
  )
}
