import type { Row } from '../calls.ts'
import type { ConsentKind } from '../consents.ts'
import { json, type Received, ServiceError, textOf } from './respond.ts'
import { type Account, KINDS, now, type State, VERSION } from './state.ts'

type AnyRow = Record<string, unknown>
type Contact = Row<'buddy_contacts'>

const MOST_ACTIVE = 5
/** What the Data API does: the tables and functions of the database that a student's app uses. */
export function tables(state: State, request: Received, account: Account | null): Response {
  const { method, path, json: body } = request
  if (!account) return json({ code: 'PGRST301', message: 'JWT invalid', hint: null, details: null }, 401)
  if (path.startsWith('/rpc/')) return json(call(state, account, path.slice('/rpc/'.length), body) ?? null)
  const stored = rowsOf(account, path.slice(1))
  if (!stored) throw new ServiceError('table_not_found')
  const found = stored.filter(matching(request.query))
  switch (method) {
    case 'GET':
      return select(request, found)
    case 'POST':
      return written(request, [insert(account, path.slice(1), body ?? {})], 201)
    case 'PATCH':
      for (const row of found) update(account, path.slice(1), row, body ?? {})
      return written(request, found)
    case 'DELETE':
      account.contacts = account.contacts.filter((contact) => !found.some((row) => row.id === contact.id))
      return written(request, found)
  }
  throw new ServiceError('method_not_allowed')
}

function rowsOf(account: Account, table: string): AnyRow[] | null {
  switch (table) {
    case 'profiles':
      return [account.profile]
    case 'buddy_contacts':
      return account.contacts
    case 'buddy_check_in_requests':
      return account.requests
    case 'support_alerts':
      return account.alerts
    case 'support_preferences':
      return account.preferences ? [account.preferences] : []
    case 'assessment_sessions':
      return account.sessions.map(({ row }) => row)
  }
  return null
}

function insert(account: Account, table: string, row: AnyRow): AnyRow {
  if (table === 'support_preferences') {
    const until = row.alerts_paused_until
    account.preferences = {
      ...{ user_id: account.id, pass_on_all_right: row.pass_on_all_right !== false },
      alerts_paused_until: typeof until === 'string' ? until : null,
    }
    return account.preferences
  }
  if (table !== 'assessment_sessions') throw new ServiceError('forbidden')
  const types = ['daily', 'weekly', 'baseline', 'on_demand'] as const
  const made: Row<'assessment_sessions'> = {
    ...{ id: crypto.randomUUID(), user_id: account.id, status: 'processing', session_data: {} },
    ...{ assessment_type: types.find((type) => type === row.assessment_type) ?? 'daily' },
    ...{ created_at: now(), updated_at: now() },
  }
  account.sessions.unshift({ row: made, analyses: new Set() })
  return made
}

function update(account: Account, table: string, row: AnyRow, changes: AnyRow): void {
  const contact = account.contacts.find(({ id }) => id === row.id)
  if (table === 'buddy_contacts' && contact) updateContact(account, contact, changes)
  else Object.assign(row, changes, { updated_at: now() })
}

// --- functions of the database ---------------------------------------------------------------------------------------------

function call(state: State, account: Account, name: string, body: Received['json']): unknown {
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
function updateContact(account: Account, contact: Contact, changes: AnyRow): void {
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

// --- filters, orders and forms of PostgREST ----------------------------------------------------------------------------------

const NO_FILTERS = ['select', 'order', 'limit', 'offset', 'on_conflict', 'columns']

function matching(query: URLSearchParams): (row: AnyRow) => boolean {
  const filters = [...query].filter(([name]) => !NO_FILTERS.includes(name))
  return (row) => filters.every(([name, filter]) => fits(row[name], filter))
}

function fits(value: unknown, filter: string): boolean {
  const [, operator, operand = ''] = /^(\w+)\.(.*)$/s.exec(filter) ?? []
  const text = value === null || value === undefined ? null : String(value)
  switch (operator) {
    case 'eq':
      return text === operand
    case 'neq':
      return text !== operand
    case 'is':
      return String(value ?? null) === operand
    case 'in':
      return operand
        .slice(1, -1)
        .split(',')
        .map((item) => item.replace(/^"|"$/g, ''))
        .includes(text ?? '')
    case 'gt':
      return text !== null && text > operand
    case 'gte':
      return text !== null && text >= operand
    case 'lt':
      return text !== null && text < operand
    case 'lte':
      return text !== null && text <= operand
  }
  throw new ServiceError('invalid_value', { filter })
}

function select(request: Received, rows: AnyRow[]): Response {
  const { query } = request
  const limit = query.get('limit')
  const sorted = ordered(rows.filter(matching(query)), query.get('order'))
  return formed(request, limit === null ? sorted : sorted.slice(0, Number(limit)), 200)
}

function ordered(rows: AnyRow[], order: string | null): AnyRow[] {
  const keys = (order ?? '').split(',').filter((key) => key !== '')
  return [...rows].sort((one, other) => {
    for (const key of keys) {
      const [name = '', ...how] = key.split('.')
      const [a, b] = [one[name] ?? null, other[name] ?? null]
      if (a === b) continue
      const descending = how.includes('desc')
      if (a === null || b === null)
        return (a === null) === (how.includes('nullsfirst') || (descending && !how.includes('nullslast')))
          ? -1
          : 1
      const before = typeof a === 'string' ? a < String(b) : Number(a) < Number(b)
      return before !== descending ? -1 : 1
    }
    return 0
  })
}

/** What was written, where the request asks for it. */
function written(request: Received, rows: AnyRow[], status = 200): Response {
  const wanted =
    request.headers.get('prefer')?.includes('return=representation') || request.query.has('select')
  return wanted
    ? formed(request, rows, status)
    : new Response(null, { status: status === 200 ? 204 : status })
}

function formed({ headers, query }: Received, rows: AnyRow[], status: number): Response {
  const columns = (query.get('select') ?? '*').split(',').map((column) => column.trim())
  const shown = columns.includes('*')
    ? rows
    : rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
  if (!headers.get('accept')?.includes('vnd.pgrst.object')) return json(shown, status)
  if (shown.length === 1) return json(shown[0], status)
  const message = 'Cannot coerce the result to a single JSON object'
  return json(
    { code: 'PGRST116', message, details: `The result contains ${shown.length} rows`, hint: null },
    406,
  )
}
