import type { Contact } from '@student-wellbeing/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import * as Aria from 'react-aria-components'
import { useIntl } from 'react-intl'
import { useChange } from '../change.ts'
import { type Circle, useCircle } from '../circle.ts'
import { Button, ButtonLink } from '../components/controls.tsx'
import { Screen } from '../components/screen.tsx'
import { Empty, Loaded, Problem } from '../components/states.tsx'
import { useConsents } from '../consents.ts'
import { useService } from '../service.tsx'
import '../styles/circle.css'

/** The people whom the student trusts, and what the service asks of them. */
export default function CircleScreen() {
  const { $t } = useIntl()
  const consents = useConsents()
  return (
    <Screen title={$t({ id: 'circle.title' })}>
      <p>{$t({ id: 'circle.explanation' })}</p>
      <Loaded query={consents}>
        {(kinds) =>
          kinds.some(({ kind, in_force }) => kind === 'support_circle' && in_force) ? (
            <People />
          ) : (
            <section className="notice">
              <p>{$t({ id: 'circle.agree-first' })}</p>
              <ButtonLink to="/consents">{$t({ id: 'circle.agree' })}</ButtonLink>
            </section>
          )
        }
      </Loaded>
    </Screen>
  )
}

function People() {
  const { $t } = useIntl()
  const { client } = useService()
  const queries = useQueryClient()
  const circle = useCircle()
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
            <Order contacts={active} requests={requests} />
            <div>
              <ButtonLink to="/circle/new">{$t({ id: 'circle.add' })}</ButtonLink>
            </div>
            {away.length > 0 && <h2>{$t({ id: 'circle.away' })}</h2>}
            {away.map((contact) => (
              <div key={contact.id} className="card">
                <About contact={contact} />
                <Actions contact={contact} />
              </div>
            ))}
            <Pause until={pausedUntil} />
          </>
        )
      }}
    </Loaded>
  )
}

/** The newest alert about the student: an open one can be ended. */
function Alert({ alert }: { alert: NonNullable<Circle['alert']> }) {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const allRight = useChange(() => client.buddies.reportAllRight(), 'circle')
  const date = formatDate(alert.opened_at, { dateStyle: 'long' })
  return (
    <section className="notice">
      <p>{$t({ id: `circle.alert.${alert.status}` }, { date })}</p>
      {allRight.isSuccess && (
        <p role="status">{$t({ id: 'circle.alert.told' }, { count: allRight.data ?? 0 })}</p>
      )}
      {allRight.error && <Problem error={allRight.error} />}
      {alert.status === 'open' && (
        <Button kind="primary" onPress={() => allRight.mutate()} isPending={allRight.isPending}>
          {$t({ id: 'circle.alert.all-right' })}
        </Button>
      )}
    </section>
  )
}

type OrderProps = Pick<Circle, 'contacts' | 'requests'>

/** Who is asked first comes first: changed by dragging, and by buttons. */
function Order({ contacts, requests }: OrderProps) {
  const { client } = useService()
  const queries = useQueryClient()
  const { $t } = useIntl()
  const [moved, setMoved] = useState<{ name: string; place: number } | null>(null)
  const reorder = useChange((order: string[]) => client.buddies.reorder(order), 'circle')

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
      <Aria.VisuallyHidden role="status">{moved && $t({ id: 'circle.moved' }, moved)}</Aria.VisuallyHidden>
      <Aria.GridList
        className="list people"
        aria-label={$t({ id: 'circle.order' })}
        items={contacts}
        dependencies={[contacts, requests]}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        renderEmptyState={() => <Empty>{$t({ id: 'circle.empty' })}</Empty>}
      >
        {(contact) => {
          const at = contacts.indexOf(contact)
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
                onUp={at > 0 ? () => move(contact, at - 1) : undefined}
                onDown={at < contacts.length - 1 ? () => move(contact, at + 1) : undefined}
              />
              <Actions contact={contact} />
            </Aria.GridListItem>
          )
        }}
      </Aria.GridList>
    </>
  )
}

type MovesProps = { name: string; onUp: (() => void) | undefined; onDown: (() => void) | undefined }

/** One place up or down. At either end the focus goes to the other button, as this one can no longer be pressed. */
function Moves({ name, onUp, onDown }: MovesProps) {
  const { $t } = useIntl()
  const pressed = useRef<Element>(null)
  useEffect(() => {
    if (!pressed.current?.matches(':disabled')) return
    pressed.current.parentElement?.querySelector<HTMLElement>(':enabled')?.focus()
    pressed.current = null
  })
  const button = (id: 'circle.up' | 'circle.down', arrow: string, onMove: (() => void) | undefined) => (
    <Button
      aria-label={$t({ id }, { name })}
      isDisabled={!onMove}
      onPress={({ target }) => {
        pressed.current = target
        onMove?.()
      }}
    >
      <span aria-hidden="true">{arrow}</span>
    </Button>
  )
  return (
    <div className="moves">
      {button('circle.up', '↑', onUp)}
      {button('circle.down', '↓', onDown)}
    </div>
  )
}

type Request = Circle['requests'][number]

/** Who it is, what they decided, and what became of the last request to them. */
function About({ contact, request }: { contact: Contact; request?: Request | undefined }) {
  const { $t, formatDate } = useIntl()
  const news = request && newsOf(request)
  const date = news && formatDate(news.at, { dateStyle: 'medium', timeStyle: 'short' })
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
      <p className="muted">{$t({ id: `circle.status.${statusOf(contact)}` })}</p>
      {news && <p className="muted small">{$t({ id: news.id }, { date })}</p>}
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
function Actions({ contact }: { contact: Contact }) {
  const { buddies } = useService().client
  const { $t } = useIntl()
  const { id, is_active, verified } = contact
  const act = useChange(async () => {
    if (!is_active) return void (await buddies.update(id, { isActive: true }))
    if (verified) return $t({ id: `circle.sending.${(await buddies.requestCheckIn(id)).sending}` })
    await buddies.askToAgree(id)
    return $t({ id: 'circle.mail-sent' })
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
            {$t({ id: label })}
          </Button>
        )}
        <ButtonLink to={`/circle/${contact.id}`}>{$t({ id: 'circle.edit' })}</ButtonLink>
      </div>
    </div>
  )
}

const DAY_MS = 24 * 60 * 60 * 1000

/** For how long the service asks nobody by itself. */
function Pause({ until }: { until: string | null }) {
  const { client } = useService()
  const { $t, formatDate } = useIntl()
  const pause = useChange((end: Date | null) => client.buddies.pauseAlerts(end), 'circle')
  const isPaused = until !== null && new Date(until) > new Date()
  const date = until && formatDate(until, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <section className="stack">
      <h2>{$t({ id: 'circle.pause.title' })}</h2>
      <p>{isPaused ? $t({ id: 'circle.pause.until' }, { date }) : $t({ id: 'circle.pause.explanation' })}</p>
      {pause.error && <Problem error={pause.error} />}
      <div className="row">
        {isPaused ? (
          <Button onPress={() => pause.mutate(null)}>{$t({ id: 'circle.pause.end' })}</Button>
        ) : (
          [1, 3, 7].map((days) => (
            <Button key={days} onPress={() => pause.mutate(new Date(Date.now() + days * DAY_MS))}>
              {$t({ id: 'circle.pause.days' }, { days })}
            </Button>
          ))
        )}
      </div>
    </section>
  )
}
