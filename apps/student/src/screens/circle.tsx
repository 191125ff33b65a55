import type { Contact, WellbeingClient } from '@student-wellbeing/client'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as Aria from 'react-aria-components'
import { ButtonLink, Loaded, Problem, Screen, Section } from '../../../ui/elements.tsx'
import { Action } from '../../../ui/form.tsx'
import { type Id, P, T, useTexts } from '../../../ui/language.tsx'
import { useChange, useNews, useService } from '../../../ui/service.tsx'
import { AgreeFirst } from '../components/help.tsx'
import { type Circle, useCircle, useConsents } from '../service.tsx'

/** The people whom the student trusts, and what the service asks of them. */
export default function CircleScreen() {
  return (
    <Screen title="circle.title">
      <P id="circle.explanation" />
      <Loaded query={useConsents()}>
        {(kinds) => {
          if (kinds.some(({ kind, in_force }) => kind === 'support_circle' && in_force)) return <People />
          return <AgreeFirst id="circle.agree-first" label="circle.agree" />
        }}
      </Loaded>
    </Screen>
  )
}

function People() {
  useNews('circle', useService().client.buddies)
  return (
    <Loaded query={useCircle()}>
      {({ contacts, requests, alert, pausedUntil }) => {
        const active = contacts.filter(({ is_active }) => is_active)
        const away = contacts.filter(({ is_active }) => !is_active)
        return (
          <>
            {alert && <Alert alert={alert} />}
            <Order contacts={active} requests={requests} />
            <ButtonLink to="/circle/new" label="circle.add" />
            {away.length > 0 && (
              <Section title="circle.away">
                {away.map((contact) => (
                  <div key={contact.id} className="card">
                    <About contact={contact} />
                  </div>
                ))}
              </Section>
            )}
            <Pause until={pausedUntil} />
          </>
        )
      }}
    </Loaded>
  )
}

/** The newest alert about the student: an open one can be ended. */
function Alert({ alert: { status, opened_at } }: { alert: NonNullable<Circle['alert']> }) {
  const { date } = useTexts()
  const [told, setTold] = useState<number | null>(null)
  const end = async ({ buddies }: WellbeingClient) => setTold((await buddies.reportAllRight()) ?? 0)
  return (
    <section className="notice">
      <P id={`circle.alert.${status}`} date={date(opened_at)} />
      <p role="status">{told !== null && <T id="circle.alert.told" count={told} />}</p>
      {status === 'open' && <Action kind="primary" label="circle.alert.all-right" run={end} />}
    </section>
  )
}

/** Who is asked first comes first: changed by dragging, and by buttons. */
function Order({ contacts, requests }: Pick<Circle, 'contacts' | 'requests'>) {
  const { client } = useService()
  const queries = useQueryClient()
  const { t } = useTexts()
  const [moved, setMoved] = useState<{ name: string; place: number } | null>(null)
  const reorder = useChange((order: string[]) => client.buddies.reorder(order))

  /** Puts somebody at a place, 0 the first: in sight at once; should it fail, the circle is read again. */
  function move(contact: Contact, place: number) {
    const others = contacts.filter((one) => one !== contact)
    const order = others.toSpliced(place, 0, contact)
    queries.setQueryData<Circle>(['circle'], (state) => {
      return state && { ...state, contacts: [...order, ...state.contacts.filter((one) => !one.is_active)] }
    })
    setMoved({ name: contact.name, place: place + 1 })
    reorder.mutate(order.map(({ id }) => id))
  }

  const { dragAndDropHooks } = Aria.useDragAndDrop<Contact>({
    getItems: (_, items) => items.map(({ name }) => ({ 'text/plain': name })),
    onReorder({ keys, target: { key, dropPosition } }) {
      const dragged = contacts.find(({ id }) => keys.has(id))
      const at = contacts.filter((one) => one !== dragged).findIndex(({ id }) => id === key)
      if (dragged && at >= 0) move(dragged, dropPosition === 'after' ? at + 1 : at)
    },
  })
  return (
    <>
      {reorder.error && <Problem error={reorder.error} />}
      <Aria.VisuallyHidden role="status">{moved && t('circle.moved', moved)}</Aria.VisuallyHidden>
      <Aria.GridList
        className="list"
        aria-label={t('circle.order')}
        items={contacts}
        dependencies={[contacts, requests]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        renderEmptyState={() => <P className="muted" id="circle.empty" />}
      >
        {(contact) => (
          <Aria.GridListItem id={contact.id} textValue={contact.name} className="card">
            <About contact={contact} request={requests.find((one) => one.buddy_contact_id === contact.id)}>
              <Moves contacts={contacts} contact={contact} onMove={move} />
            </About>
          </Aria.GridListItem>
        )}
      </Aria.GridList>
    </>
  )
}

type MovesProps = { contacts: Contact[]; contact: Contact; onMove: (contact: Contact, place: number) => void }

/** One place up or down. At either end the focus goes to the other button, as this one can no longer be pressed. */
function Moves({ contacts, contact, onMove }: MovesProps) {
  const { t } = useTexts()
  const pressed = useRef<Element>(null)
  useEffect(() => {
    if (!pressed.current?.matches(':disabled')) return
    pressed.current.parentElement?.querySelector<HTMLElement>(':enabled')?.focus()
    pressed.current = null
  })
  const button = (id: Id, arrow: string, place: number) => (
    <Aria.Button
      className="button"
      aria-label={t(id, { name: contact.name })}
      isDisabled={!contacts[place]}
      onPress={({ target }) => {
        pressed.current = target
        onMove(contact, place)
      }}
    >
      <span aria-hidden="true">{arrow}</span>
    </Aria.Button>
  )
  const place = contacts.indexOf(contact)
  return (
    <>
      <Aria.Button slot="drag" className="button">
        <span aria-hidden="true">⠿</span>
      </Aria.Button>
      <div className="row">
        {button('circle.up', '↑', place - 1)}
        {button('circle.down', '↓', place + 1)}
      </div>
    </>
  )
}

type Request = Circle['requests'][number]
type AboutProps = { contact: Contact; request?: Request | undefined; children?: ReactNode }

/** Who it is, what they decided, what became of the last request to them, and what can be asked of them. */
function About({ contact, request, children }: AboutProps) {
  const { time } = useTexts()
  const news = request && newsOf(request)
  return (
    <>
      <h2>
        <bdi>{contact.name}</bdi>
      </h2>
      {contact.relationship && <p dir="auto">{contact.relationship}</p>}
      <P className="muted" id={`circle.status.${statusOf(contact)}`} />
      {news && <P className="muted" id={news.id} date={time(news.at)} />}
      <div className="row">
        {children}
        <Actions contact={contact} />
      </div>
    </>
  )
}

function statusOf(contact: Contact) {
  if (contact.declined_at) return 'declined'
  if (contact.verified) return contact.phone_confirmed_at ? 'agreed' : 'number-open'
  if (!contact.email) return 'no-email'
  return new Date(contact.verification_token_expires_at ?? 0) > new Date() ? 'asked' : 'unasked'
}

function newsOf({ response_type, response_received_at, delivery_status, sent_at, created_at }: Request) {
  const at = response_received_at ?? sent_at ?? created_at
  if (response_type) return { id: `circle.answer.${response_type}`, at } as const
  if (delivery_status === 'cancelled') return null
  if (delivery_status === 'queued') return { id: 'circle.asked.queued', at } as const
  const failed = delivery_status === 'failed' || delivery_status === 'undelivered'
  return { id: failed ? 'circle.asked.failed' : 'circle.asked.sent', at } as const
}

const ASKING: Partial<Record<ReturnType<typeof statusOf>, Id>> = {
  agreed: 'circle.check-in',
  'number-open': 'circle.check-in',
  unasked: 'circle.ask',
  asked: 'circle.ask-again',
}

/** What can be asked of somebody now: to agree, or to check in; who is away is brought back first. */
function Actions({ contact }: { contact: Contact }) {
  const [said, setSaid] = useState<Id | null>(null)
  const { id, is_active, verified } = contact
  async function act({ buddies }: WellbeingClient) {
    setSaid(null)
    if (!is_active) return buddies.update(id, { isActive: true })
    if (verified) return setSaid(`circle.sending.${(await buddies.requestCheckIn(id)).sending}`)
    await buddies.askToAgree(id)
    setSaid('circle.mail-sent')
  }
  const asking = ASKING[statusOf(contact)]
  const label = is_active ? asking : contact.declined_at ? null : 'circle.bring-back'
  return (
    <>
      {label && <Action label={label} run={act} />}
      <ButtonLink to={`/circle/${contact.id}`} label="circle.edit" />
      <p role="status">{said && <T id={said} />}</p>
    </>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

/** For how long the service asks nobody by itself. */
function Pause({ until }: { until: string | null }) {
  const { time } = useTexts()
  const pause = (days: number) => (client: WellbeingClient) =>
    client.buddies.pauseAlerts(new Date(Date.now() + days * DAY_MS))
  const date = until && time(until, 'long')
  const isPaused = until !== null && new Date(until) > new Date()
  return (
    <Section title="circle.pause.title">
      <P id={isPaused ? 'circle.pause.until' : 'circle.pause.explanation'} date={date} />
      <div className="row">
        {isPaused ? (
          <Action label="circle.pause.end" run={({ buddies }) => buddies.pauseAlerts(null)} />
        ) : (
          [1, 3, 7].map((days) => (
            <Action key={days} label="circle.pause.days" values={{ days }} run={pause(days)} />
          ))
        )}
      </div>
    </Section>
  )
}
