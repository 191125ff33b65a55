import type { Database } from '../../../../types/database.ts'
import { Confirm, Dialog } from '../../../ui/dialog.tsx'
import { Loaded } from '../../../ui/elements.tsx'
import { Action, Field, Form } from '../../../ui/form.tsx'
import { type Id, P, T } from '../../../ui/language.tsx'
import { done, useRead } from '../../../ui/service.tsx'
import { Facts, Status, type Tone, When } from '../../../ui/shown.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { type University, UniversityScreen } from './chosen.tsx'
import { ErrorOfDelivery } from './deliveries.tsx'
import './university.css'

type Contact = Database['public']['Functions']['list_crisis_contacts']['Returns'][number]
type Test = NonNullable<Contact['email_test']>

/** The most that a university names. */
const MOST = 9

/** Who is told of high risk, in order, and whether messages reach them. */
export default function Contacts() {
  return (
    <UniversityScreen title="university.contacts">
      {(university) => <List university={university} />}
    </UniversityScreen>
  )
}

export function useContacts({ id }: University) {
  return useRead(
    ['crisis-contacts', id],
    (client) => done(client.rpc('list_crisis_contacts', { university_id: id })),
    // While a test is on its way.
    {
      refetchInterval: ({ state }) =>
        (state.data ?? []).some((one) =>
          [one.email_test, one.sms_test].some((test) => test && isOnItsWay(test)),
        )
          ? 3_000
          : 60_000,
    },
  )
}

const isOnItsWay = ({ state }: Test) => state === 'queued' || state === 'sending'

function List({ university }: { university: University }) {
  const contacts = useContacts(university)
  return (
    <>
      <P className="muted" id="university.contacts-note" />
      <Loaded query={contacts}>
        {(all) => {
          const free = Array.from({ length: MOST }, (_, at) => at + 1).find(
            (rank) => !all.some((one) => one.rank === rank),
          )
          return (
            <>
              {all.length === 0 && (
                <div className="notice">
                  <P id="university.no-contact" />
                </div>
              )}
              <ol className="list">
                {all.map((contact) => (
                  <li key={contact.rank} className="card">
                    <One contact={contact} university={university} />
                  </li>
                ))}
              </ol>
              {free !== undefined && (
                <Edit
                  label="university.contact-add"
                  contact={{ rank: free, email: '', phone: null, name: null }}
                  university={university}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function Tested({ at }: { at: string | null }) {
  return at === null ? <T id="university.never" /> : <When at={at} />
}

function One({ contact, university }: { contact: Contact; university: University }) {
  const tell = useToast()
  const { rank, email, phone, name, tested_at } = contact
  const key = { university_id: university.id, rank }
  return (
    <>
      <h2 dir="auto">
        {rank}. {name ?? email}
      </h2>
      <Facts
        of={[
          ['field.email', email],
          ['university.mobile', phone ?? <T key="phone" id="university.no-mobile" />],
          ['university.tested', <Tested key="at" at={tested_at} />],
          ['university.test-email', contact.email_test && <Outcome key="email" test={contact.email_test} />],
          ['university.test-sms', contact.sms_test && <Outcome key="sms" test={contact.sms_test} />],
        ]}
      />
      <div className="row">
        <Action
          label="university.contact-test"
          pending="university.contact-testing"
          run={async (client) => {
            await done(client.rpc('test_crisis_contact', key))
            tell({ message: 'university.test-sent' })
          }}
        />
        <Edit label="university.contact-change" contact={contact} university={university} />
        <Confirm
          label="university.contact-remove"
          title="university.contact-remove-title"
          question="university.contact-remove-question"
          target={`${name ?? ''} ${email} ${phone ?? ''}`}
          run={async (_, client) => {
            await done(client.rpc('remove_crisis_contact', key))
            tell({
              message: 'university.contact-removed',
              undo: (client) =>
                done(
                  client.rpc('set_crisis_contact', {
                    ...key,
                    email,
                    ...(phone !== null && { phone }),
                    ...(name !== null && { name }),
                  }),
                ),
            })
          }}
        />
      </div>
    </>
  )
}

const OUTCOMES: Record<Test['state'], { label: Id; tone: Tone }> = {
  queued: { label: 'university.waits', tone: 'neutral' },
  sending: { label: 'university.waits', tone: 'neutral' },
  sent: { label: 'university.accepted', tone: 'good' },
  unconfirmed: { label: 'university.unconfirmed-one', tone: 'warning' },
  dead: { label: 'university.failed-one', tone: 'bad' },
  cancelled: { label: 'university.cancelled-one', tone: 'bad' },
}

/** What became of a test: a provider takes a text long before it arrives. */
function Outcome({ test: { state, provider_status, error_code } }: { test: Test }) {
  const isLost = provider_status === 'undelivered' || provider_status === 'failed'
  const { label, tone } =
    provider_status === 'delivered'
      ? ({ label: 'university.delivered', tone: 'good' } as const)
      : OUTCOMES[isLost ? 'dead' : state]
  return (
    <>
      <Status label={label} tone={tone} /> {error_code && <ErrorOfDelivery code={error_code} />}
    </>
  )
}

type EditProps = {
  label: 'university.contact-add' | 'university.contact-change'
  contact: Pick<Contact, 'rank' | 'email' | 'phone' | 'name'>
  university: University
}

function Edit({ label, contact: { rank, email, phone, name }, university }: EditProps) {
  return (
    <Dialog button={{ label, kind: label === 'university.contact-add' ? 'primary' : 'plain' }} title={label}>
      {(close) => (
        <Form
          submit="university.save"
          cancel={close}
          onSubmit={async (typed, client) => {
            await done(
              client.rpc('set_crisis_contact', {
                university_id: university.id,
                rank,
                email: typed('email'),
                phone: typed('phone'),
                name: typed('name'),
              }),
            )
            close()
          }}
        >
          <P className="muted" id="university.contact-rank" rank={rank} />
          <Field label="university.contact-name" name="name" defaultValue={name ?? ''} maxLength={100} />
          <Field label="field.email" name="email" type="email" defaultValue={email} isRequired />
          <Field
            label="university.mobile"
            hint="university.mobile-hint"
            name="phone"
            type="tel"
            defaultValue={phone ?? ''}
            maxLength={30}
          />
        </Form>
      )}
    </Dialog>
  )
}
