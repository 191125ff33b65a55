import type { Row } from '../calls.ts'
import { callFunction, updateContact } from './database-functions.ts'
import { matching, select, written } from './postgrest.ts'
import { json, type Received, ServiceError } from './respond.ts'
import { type Account, type AnyRow, now, type State } from './state.ts'

/** What the Data API does: the tables and functions of the database that a student's app uses. */
export function tables(state: State, request: Received, account: Account | null): Response {
  const { method, path, json: body } = request
  if (!account) return json({ code: 'PGRST301', message: 'JWT invalid', hint: null, details: null }, 401)
  if (path.startsWith('/rpc/'))
    return json(callFunction(state, account, path.slice('/rpc/'.length), body) ?? null)
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
