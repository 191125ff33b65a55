import type { Contact, WellbeingClient } from '@student-wellbeing/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import * as Aria from 'react-aria-components'
import { FormattedDate, useIntl } from 'react-intl'
import { useChange } from '../change.ts'
import { ContactDialog } from '../components/contact-dialog.tsx'
import { Button, ButtonLink } from '../components/controls.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded, Problem } from '../components/states.tsx'
import { text } from '../components/text.tsx'
import { useConsents } from '../consents.ts'
import { useService } from '../service.tsx'
import '../styles/circle.css'

/** The people whom the student trusts, and what the service asks of them. */
export default function CircleScreen() {
  const consents = useConsents()
  return (
    <Screen title={text('circle.title')}>
      <p>{text('circle.explanation')}</p>
      <Loaded query={consents}>
        {(kinds) =>
          kinds.some(({ kind, in_force }) => kind === 'support_circle' && in_force) ? (
            <Circle />
          ) : (
            <section className="notice">
              <p>{text('circle.agree-first')}</p>
              <ButtonLink to="/consents">{text('circle.agree')}</ButtonLink>
            </section>
          )
        }
      </Loaded>
    </Screen>
  )
}

/** All that the screen shows: it changes together. */
async function readCircle({ buddies }: WellbeingClient) {
  const read = [buddies.list(), buddies.requests(), buddies.alerts(), buddies.preferences()] as const
  const [contacts, requests, alerts, { alerts_paused_until }] = await Promise.all(read)
  return { contacts, requests, alert: alerts[0], pausedUntil: alerts_paused_until }
}

type State = Awaited<ReturnType<typeof readCircle>>
type Request = State['requests'][number]

function Circle() {
  const { client } = useService()
  const queries = useQueryClient()
  const circle = useQuery({ queryKey: ['circle'], queryFn: () => readCircle(client) })
  const [edited, setEdited] = useState<Contact | 'new' | null>(null)
  useEffect(
    () => client.buddies.subscribe(() => void queries.invalidateQueries({ queryKey: ['circle'] })),
    [client, queries],
  )
  return (
    <Loaded query={circle}>
      {({ contacts, requests, alert, pausedUntil }) => {
        const active = contacts.filter(({ is_active }) => is_active)
        const away = contacts.filter(({ is_active }) => !is_active)
        return (
          <>
            {alert && <Alert alert={alert} />}
            <Order contacts={active} requests={requests} onEdit={setEdited} />
            <div>
              <Button onPress={() => setEdited('new')}>{text('circle.add')}</Button>
            </div>
            {away.length > 0 && <h2>{text('circle.away')}</h2>}
            {away.map((contact) => (
              <div key={contact.id} className="card">
                <About contact={contact} />
                <Actions contact={contact} onEdit={setEdited} />
              </div>
            ))}
            <Pause until={pausedUntil} />
            {edited && (
              <ContactDialog contact={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
            )}
          </>
        )
      }}
    </Loaded>
  )
}

/** The newest alert about the student: an open one can be ended. */
function Alert({ alert }: { alert: NonNullable<State['alert']> }) {
  const { client } = useService()
  const allRight = useChange(() => client.buddies.reportAllRight(), 'circle')
  const date = <FormattedDate value={alert.opened_at} dateStyle="long" />
  return (
    <section className="notice">
      <p>{text(`circle.alert.${alert.status}`, { date })}</p>
      {allRight.isSuccess && <p role="status">{text('circle.alert.told', { count: allRight.data ?? 0 })}</p>}
      {allRight.error && <Problem error={allRight.error} />}
      {alert.status === 'open' && (
        <Button kind="primary" onPress={() => allRight.mutate()} isPending={allRight.isPending}>
          {text('circle.alert.all-right')}
        </Button>
      )}
    </section>
  )
}

type OrderProps = { contacts: Contact[]; requests: Request[]; onEdit: (contact: Contact) => void }

/** Who is asked first comes first: changed by dragging, and by buttons. */
function Order({ contacts, requests, onEdit }: OrderProps) {
  const { client } = useService()
  const queries = useQueryClient()
  const intl = useIntl()
  const [moved, setMoved] = useState<{ name: string; place: number } | null>(null)
  const reorder = useChange((order: string[]) => client.buddies.reorder(order), 'circle')

  /** Puts one before another, or after all. */
  function move(contact: Contact, before: Contact | undefined) {
    const others = contacts.filter(({ id }) => id !== contact.id)
    const place = before ? others.indexOf(before) : others.length
    const order = others.toSpliced(place, 0, contact)
    if (order.every(({ id }, at) => id === contacts[at]?.id)) return
    // In its place at once; should that fail, the circle is read again.
    queries.setQueryData<State>(['circle'], (state) => {
      return state && { ...state, contacts: [...order, ...state.contacts.filter((one) => !one.is_active)] }
    })
    setMoved({ name: contact.name, place: place + 1 })
    reorder.mutate(order.map(({ id }) => id))
  }

  const { dragAndDropHooks } = Aria.useDragAndDrop<Contact>({
    getItems: (_, items) => items.map(({ name }) => ({ 'text/plain': name })),
    onReorder({ keys, target }) {
      const dragged = contacts.find(({ id }) => keys.has(id))
      const at = contacts.findIndex(({ id }) => id === target.key) + (target.dropPosition === 'after' ? 1 : 0)
      if (dragged)
        move(
          dragged,
          contacts.slice(at).find((one) => one !== dragged),
        )
    },
  })
  return (
    <>
      {reorder.error && <Problem error={reorder.error} />}
      <Aria.VisuallyHidden role="status">{moved && text('circle.moved', moved)}</Aria.VisuallyHidden>
      <Aria.GridList
        className="list people"
        aria-label={intl.formatMessage({ id: 'circle.order' })}
        items={contacts}
        dependencies={[contacts, requests]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        renderEmptyState={() => <Empty>{text('circle.empty')}</Empty>}
      >
        {(contact) => {
          const at = contacts.indexOf(contact)
          const [before, after] = [contacts[at - 1], contacts[at + 1]]
          return (
            <Aria.GridListItem id={contact.id} textValue={contact.name} className="card person">
              <Aria.Button slot="drag" className="button plain handle">
                <span aria-hidden="true">⠿</span>
              </Aria.Button>
              <About
                contact={contact}
                request={requests.find((one) => one.buddy_contact_id === contact.id)}
              />
              <Moves
                name={contact.name}
                onUp={before && (() => move(contact, before))}
                onDown={after && (() => move(contact, contacts[at + 2]))}
              />
              <Actions contact={contact} onEdit={onEdit} />
            </Aria.GridListItem>
          )
        }}
      </Aria.GridList>
    </>
  )
}

type Move = (() => void) | undefined

/** One place up or down. At either end the other button gets the focus, as this one can no longer be pressed. */
function Moves({ name, onUp, onDown }: { name: string; onUp: Move; onDown: Move }) {
  const intl = useIntl()
  const buttons = useRef<HTMLDivElement>(null)
  const press = (move: Move) => {
    move?.()
    requestAnimationFrame(() => {
      if (!buttons.current?.contains(document.activeElement))
        buttons.current?.querySelector<HTMLElement>(':enabled')?.focus()
    })
  }
  return (
    <div className="moves" ref={buttons}>
      {(
        [
          ['circle.up', '↑', onUp],
          ['circle.down', '↓', onDown],
        ] as const
      ).map(([id, arrow, move]) => (
        <Button
          key={id}
          aria-label={intl.formatMessage({ id }, { name })}
          isDisabled={!move}
          onPress={() => press(move)}
        >
          <span aria-hidden="true">{arrow}</span>
        </Button>
      ))}
    </div>
  )
}

/** Who it is, what they decided, and what became of the last request to them. */
function About({ contact, request }: { contact: Contact; request?: Request | undefined }) {
  const news = request && newsOf(request)
  const date = news && <FormattedDate value={news.at} dateStyle="medium" timeStyle="short" />
  return (
    <div className="about">
      <h3>
        <bdi>{contact.name}</bdi>
      </h3>
      {contact.relationship && (
        <p className="muted">
          <bdi>{contact.relationship}</bdi>
        </p>
      )}
      <p className="muted">{text(`circle.status.${statusOf(contact)}`)}</p>
      {news && <p className="muted small">{text(news.id, { date })}</p>}
    </div>
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

const ASKING = {
  agreed: 'circle.check-in',
  'number-open': 'circle.check-in',
  unasked: 'circle.ask',
  asked: 'circle.ask-again',
  'no-email': null,
  declined: null,
} as const

/** What can be asked of somebody now: to agree, or to check in; who is away is brought back first. */
function Actions({ contact, onEdit }: { contact: Contact; onEdit: (contact: Contact) => void }) {
  const {
    client: { buddies },
  } = useService()
  const { id, is_active, verified } = contact
  const act = useChange(async (): Promise<ReactNode> => {
    if (!is_active) return void (await buddies.update(id, { isActive: true }))
    if (verified) return text(`circle.sending.${(await buddies.requestCheckIn(id)).sending}`)
    await buddies.askToAgree(id)
    return text('circle.mail-sent')
  }, 'circle')
  const asking = ASKING[statusOf(contact)]
  const label = is_active ? asking : contact.declined_at ? null : 'circle.bring-back'
  return (
    <div className="actions">
      {act.error && <Problem error={act.error} />}
      {act.data && <p role="status">{act.data}</p>}
      <div className="row">
        {label && (
          <Button onPress={() => act.mutate()} isPending={act.isPending}>
            {text(label)}
          </Button>
        )}
        <Button onPress={() => onEdit(contact)}>{text('circle.edit')}</Button>
      </div>
    </div>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

/** For how long the service asks nobody by itself. */
function Pause({ until }: { until: string | null }) {
  const { client } = useService()
  const pause = useChange((end: Date | null) => client.buddies.pauseAlerts(end), 'circle')
  const isPaused = until !== null && new Date(until) > new Date()
  const date = until && <FormattedDate value={until} dateStyle="long" timeStyle="short" />
  return (
    <section className="stack">
      <h2>{text('circle.pause.title')}</h2>
      <p>{isPaused ? text('circle.pause.until', { date }) : text('circle.pause.explanation')}</p>
      {pause.error && <Problem error={pause.error} />}
      <div className="row">
        {isPaused ? (
          <Button onPress={() => pause.mutate(null)}>{text('circle.pause.end')}</Button>
        ) : (
          [1, 3, 7].map((days) => (
            <Button key={days} onPress={() => pause.mutate(new Date(Date.now() + days * DAY_MS))}>
              {text('circle.pause.days', { days })}
            </Button>
          ))
        )}
      </div>
    </section>
  )
}
