import type { Row } from '../calls.ts'
import type { ConsentKind } from '../consents.ts'
import { type Received, ServiceError, textOf } from './respond.ts'
import { type Account, type AnyRow, KINDS, now, type State, VERSION } from './state.ts'

type Contact = Row<'buddy_contacts'>

const MOST_ACTIVE = 5

/** What a function of the database that a student's app uses returns. */
export function callFunction(state: State, account: Account, name: string, body: Received['json']): unknown {
  switch (name) {
    case 'consent_status':
      return KINDS.map((kind) => {
        const given = account.consents.get(kind)
        return {
          ...{ kind, in_force: given !== undefined, version: given?.version ?? null, required_version: null },
          ...{ newest_version: VERSION, granted_at: given?.grantedAt ?? null },
        }
      })
    case 'grant_consents':
      return grant(account, kindsOf(body?.kinds), textOf(body, 'version'))
    case 'withdraw_consent':
      return withdraw(account, kindsOf([body?.kind]))
    case 'add_buddy':
      return addContact(account, body ?? {})
    case 'update_buddy': {
      const contact = account.contacts.find(({ id }) => id === body?.contact_id)
      if (!contact) throw new ServiceError('buddy_not_found')
      updateContact(account, contact, body ?? {})
      return contact
    }
    case 'reorder_buddies':
      return reorder(account, Array.isArray(body?.contact_ids) ? body.contact_ids : [])
    case 'report_all_right':
      return allRight(state, account)
  }
  throw new ServiceError('not_found')
}

const kindsOf = (given: unknown) => KINDS.filter((kind) => Array.isArray(given) && given.includes(kind))

function grant(account: Account, kinds: ConsentKind[], version: string): AnyRow[] {
  if (version !== VERSION) throw new ServiceError('consent_version_unknown')
  for (const kind of kinds) {
    if (!account.consents.has(kind)) account.consents.set(kind, { version, grantedAt: now() })
  }
  return kinds.map((kind) => ({ kind, version, granted_at: account.consents.get(kind)?.grantedAt }))
}

function withdraw(account: Account, [kind]: ConsentKind[]): object | null {
  if (kind === undefined || !account.consents.delete(kind)) return null
  const deleted = { files: 0, analyses: 0, transcripts: 0, results: 0, exports: 0 }
  return { kind, withdrawn_at: now(), deleted }
}

const activeOf = ({ contacts }: Account) =>
  contacts
    .filter(({ is_active }) => is_active)
    .sort((one, other) => (one.priority_rank ?? 0) - (other.priority_rank ?? 0))

function addContact(account: Account, given: AnyRow): Contact {
  if (!account.consents.has('support_circle'))
    throw new ServiceError('consent_required', { kind: 'support_circle' })
  const contact: Contact = {
    ...{ id: crypto.randomUUID(), user_id: account.id, name: '', phone: '', email: null, relationship: null },
    ...{ is_active: false, priority_rank: null, verified: false, verified_at: null, declined_at: null },
    ...{ phone_confirmed_at: null, phone_confirmed_by: null, verification_token: null },
    ...{ verification_token_expires_at: null, language: null, notify_channel: 'sms', texts_at_night: false },
    ...{ number_time_zones: null, time_zone: null, created_at: now(), updated_at: now() },
  }
  updateContact(account, contact, { name: '', phone: '', ...given, is_active: true })
  account.contacts.push(contact)
  return contact
}

/** Changes what is named; everything is checked before anything changes. */
export function updateContact(account: Account, contact: Contact, changes: AnyRow): void {
  const text = (name: 'name' | 'phone' | 'email' | 'relationship') => {
    const value = changes[name]
    return typeof value === 'string' ? value.trim() : undefined
  }
  const name = text('name') ?? contact.name
  const phone = (text('phone') ?? contact.phone).replaceAll(/[\s()-]/g, '')
  const isActive = typeof changes.is_active === 'boolean' ? changes.is_active : contact.is_active
  const others = activeOf(account).filter(({ id }) => id !== contact.id)
  if (name === '' || name.length > 255) throw new ServiceError('buddy_name_invalid')
  if (!/^\+[1-9]\d{7,14}$/.test(phone)) throw new ServiceError('buddy_phone_invalid')
  if (isActive && others.some((other) => other.phone === phone)) throw new ServiceError('buddy_duplicate')
  if (isActive && others.length >= MOST_ACTIVE) throw new ServiceError('buddy_limit')
  if (text('email') === account.email) throw new ServiceError('buddy_self')
  Object.assign(contact, { name, phone, updated_at: now() })
  contact.email = text('email') === undefined ? contact.email : text('email') || null
  contact.relationship =
    text('relationship') === undefined ? contact.relationship : text('relationship') || null
  contact.priority_rank = isActive ? (contact.priority_rank ?? others.length + 1) : null
  contact.is_active = isActive
  for (const [at, other] of others.entries()) if (!isActive) other.priority_rank = at + 1
}

function reorder(account: Account, ids: unknown[]): string[] {
  const active = activeOf(account)
  const named = ids.flatMap((id) => active.filter((contact) => contact.id === id))
  if (named.length !== active.length || new Set(named).size !== active.length)
    throw new ServiceError('buddy_not_found')
  for (const [at, contact] of named.entries()) contact.priority_rank = at + 1
  return named.map(({ id }) => id)
}

function allRight(state: State, account: Account): object | null {
  const alert = account.alerts.find(({ ended_at }) => ended_at === null)
  if (!alert) return null
  Object.assign(alert, { status: 'resolved', ended_at: now(), all_right_at: now() })
  tellAlert(state, account, alert)
  return { alert_id: alert.id, status: 'resolved', contacts_told: alert.step }
}

/** Says on the support circle's channel what is known of an alert. */
export function tellAlert(state: State, { id }: Account, alert: Row<'support_alerts'>): void {
  const { status, worrying_days, step, crisis_contact_told_at, opened_at, ended_at } = alert
  state.broadcast(`support:${id}`, 'support_alert', {
    ...{ alert_id: alert.id, status, worrying_days, step, asked: [] },
    ...{ crisis_contact_told_at, opened_at, ended_at },
  })
}
