import { vi } from 'vitest'
import { call } from '../client/call.ts'
import { type Project, withDatabase } from '../stack/project.ts'

export type StoredMessage = {
  id: string
  status: string
  attempts: number
  provider: string | null
  provider_message_id: string | null
  error_code: string | null
  /** Seconds from now until the message may go out. */
  due_in: number
}

/** Writes messages as the service does, in one statement; returns their ids in order. */
export function write(
  project: Project,
  messages: { channel: 'email' | 'sms'; recipient: string; body?: string }[],
): Promise<string[]> {
  const rows = messages.map(({ channel, recipient, body }) => ({
    id: crypto.randomUUID(),
    channel,
    recipient,
    purpose: 'training_reminder',
    subject: channel === 'email' ? 'An invented subject' : '',
    body: body ?? `An invented text to ${recipient}`,
  }))
  return withDatabase(project, async (sql) => {
    await sql`insert into private.outbox ${sql(rows)}`
    return rows.map(({ id }) => id)
  })
}

/** Writes one message; returns its id. */
export async function writeOne(
  project: Project,
  message: Parameters<typeof write>[1][number],
): Promise<string> {
  const [id] = await write(project, [message])
  if (id === undefined) throw new Error('No message was written')
  return id
}

export function stored(project: Project, id: string): Promise<StoredMessage> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<StoredMessage[]>`
      select id, status, attempts, provider, provider_message_id, error_code,
        extract(epoch from send_at - now())::float8 as due_in
      from private.outbox where id = ${id}`
    if (!row) throw new Error('There is no such message')
    return row
  })
}

/** Waits until a message is in a state, meanwhile doing what the cron job does. */
export function inState(project: Project, id: string, status: string): Promise<StoredMessage> {
  return vi.waitFor(
    async () => {
      await tick(project)
      const message = await stored(project, id)
      if (message.status !== status) {
        throw new Error(`The message is ${message.status} (${message.error_code}), not ${status}`)
      }
      return message
    },
    { timeout: 60_000, interval: 100 },
  )
}

/** Does what the cron job does. */
export function tick(project: Project): Promise<void> {
  return withDatabase(project, async (sql) => {
    await sql`select private.dispatch_due_messages()`
  })
}

/** Makes a message that waits for its next try due at once. */
export function makeDue(project: Project, id: string): Promise<void> {
  return withDatabase(project, async (sql) => {
    await sql`update private.outbox set send_at = now() where id = ${id}`
  })
}

export function pipelineSecret(project: Project): Promise<string> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<{ secret: string }[]>`
      select decrypted_secret as secret from vault.decrypted_secrets where name = 'pipeline_secret'`
    if (!row) throw new Error('Vault holds no pipeline_secret')
    return row.secret
  })
}

/** Calls the sender as the database does. */
export function requestDelivery(project: Project, token: string | null, event: object = {}) {
  const body = { type: 'INSERT', schema: 'private', table: 'outbox', ...event }
  return call(project, token, 'POST', 'deliver-messages', body)
}
