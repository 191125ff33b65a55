import type { Calls, Reply, Row, Tables } from './calls.ts'
import { createFeed, type Unsubscribe } from './channels.ts'
import type { components } from './generated/api.ts'

type Schemas = components['schemas']

export type Contact = Row<'buddy_contacts'>

/** What is known of a contact from the student; the rest is the contact's own to say. */
export type ContactDetails = { name: string; phone: string; email?: string; relationship?: string }

/** What happens in the support circle; `joined`: connected, or connected again, and what was missed meanwhile can be read now. */
export type CircleEvent =
  | { type: 'alert'; data: Schemas['SupportAlertEvent'] }
  | { type: 'answer'; data: Schemas['SupportAnswerEvent'] }
  | { type: 'contact'; data: Schemas['SupportContactEvent'] }
  | { type: 'joined' }

/** The support circle. Calls reject with codes of docs/support-circle.md: `buddy_…`, `consent_required`, `rate_limited`. */
export type Buddies = {
  /** Active ones in the order in which they are told, then the others by name. */
  list(): Promise<Contact[]>
  add(contact: ContactDetails): Promise<Contact>
  /** What is left out stays; an empty email or relationship is removed. */
  update(id: string, changes: Partial<ContactDetails> & { isActive?: boolean }): Promise<Contact>
  remove(id: string): Promise<void>
  /** Each active contact once, the first to be told first. */
  reorder(ids: string[]): Promise<void>
  /** Emails the contact to ask whether they agree. */
  askToAgree(id: string): Promise<void>
  /** Asks a contact by text to check in on the student: at once, in the morning, or when they agree. */
  requestCheckIn(id: string): Promise<Reply<'post', '/api/buddy/request-check-in'>>
  /** The newest first. */
  requests(): Promise<Row<'buddy_check_in_requests'>[]>
  /** The newest first. */
  alerts(): Promise<Row<'support_alerts'>[]>
  /** Ends an open alert about the student; how many contacts were told, null: no alert was open. */
  reportAllRight(): Promise<number | null>
  /** Until when alerts are paused, and whether "I'm all right" is passed on. */
  preferences(): Promise<Pick<Row<'support_preferences'>, 'alerts_paused_until' | 'pass_on_all_right'>>
  /** Until when alerts are paused, 14 days ahead at most; null ends the pause. */
  pauseAlerts(until: Date | null): Promise<void>
  subscribe(listener: (event: CircleEvent) => void): Unsubscribe
  close(): Promise<void>
}

export function createBuddies({ supabase, call, query, userId }: Calls): Buddies {
  const reading = { repeatable: true }
  const topic = async () => `support:${await userId()}`
  const feed = createFeed<CircleEvent>(
    supabase,
    topic,
    (channel, tell) => {
      channel
        .on<Schemas['SupportAlertEvent']>('broadcast', { event: 'support_alert' }, ({ payload }) =>
          tell({ type: 'alert', data: payload }),
        )
        .on<Schemas['SupportAnswerEvent']>('broadcast', { event: 'support_answer' }, ({ payload }) =>
          tell({ type: 'answer', data: payload }),
        )
        .on<Schemas['SupportContactEvent']>('broadcast', { event: 'support_contact' }, ({ payload }) =>
          tell({ type: 'contact', data: payload }),
        )
    },
    (tell) => tell({ type: 'joined' }),
  )

  return {
    list() {
      return query(
        () =>
          supabase
            .from('buddy_contacts')
            .select()
            .order('is_active', { ascending: false })
            .order('priority_rank', { nullsFirst: false })
            .order('name'),
        reading,
      )
    },
    add(contact) {
      return query(() => supabase.rpc('add_buddy', contact))
    },
    async update(id, { isActive, ...changes }) {
      if (isActive === undefined)
        return query(() => supabase.rpc('update_buddy', { contact_id: id, ...changes }), reading)
      const row: Tables['buddy_contacts']['Update'] = { ...changes, is_active: isActive }
      return query(() => supabase.from('buddy_contacts').update(row).eq('id', id).select().single(), reading)
    },
    async remove(id) {
      await query(() => supabase.from('buddy_contacts').delete().eq('id', id), reading)
    },
    async reorder(ids) {
      await query(() => supabase.rpc('reorder_buddies', { contact_ids: ids }), reading)
    },
    async askToAgree(id) {
      const body = { buddyContactId: id, userId: await userId() }
      await call('post', '/api/buddy/send-verification', { body })
    },
    requestCheckIn(id) {
      return call('post', '/api/buddy/request-check-in', { body: { buddyContactId: id } })
    },
    requests() {
      return query(
        () => supabase.from('buddy_check_in_requests').select().order('created_at', { ascending: false }),
        reading,
      )
    },
    alerts() {
      return query(
        () => supabase.from('support_alerts').select().order('opened_at', { ascending: false }),
        reading,
      )
    },
    async reportAllRight() {
      const ended = await query(() => supabase.rpc('report_all_right'))
      return ended?.contacts_told ?? null
    },
    async preferences() {
      const set = await query(
        () =>
          supabase.from('support_preferences').select('alerts_paused_until, pass_on_all_right').maybeSingle(),
        reading,
      )
      return set ?? { alerts_paused_until: null, pass_on_all_right: true }
    },
    async pauseAlerts(until) {
      const paused = { alerts_paused_until: until?.toISOString() ?? null }
      await query(() => supabase.from('support_preferences').upsert(paused), reading)
    },
    subscribe: feed.subscribe,
    close: feed.close,
  }
}
