import { grantConsents } from '../../../demo/mobile-client.ts'
import type { Student } from '../../../harness/factories/students.ts'
import {
  askContact,
  newContact,
  newInvitedContact,
  newMobileNumber,
  newNumber,
  newStudentWithCircle,
} from '../../../harness/factories/support-contacts.ts'
import { type Project, withDatabase } from '../../../harness/stack/project.ts'

/** Contacts of an attacker's own: who is named, and who agreed. */
export type OwnContacts = { named: readonly string[]; agreed: readonly string[] }

/** Tokens of links, by the page that they lead to. */
export type Links = Record<'checkIn' | 'alert' | 'verify', readonly string[]>

/** Gives a student five contacts. */
export async function nameContacts(project: Project, student: Student): Promise<OwnContacts> {
  await grantConsents(student.client, ['support_circle'])
  const contact = (priority_rank: number, phone: string, verified: boolean) =>
    newContact(project, student, { priority_rank, phone, verified })
  return {
    named: [await contact(1, newMobileNumber(), false)],
    agreed: [
      await contact(2, newNumber(), true),
      await contact(3, newNumber(), true),
      await contact(4, newNumber(), true),
      await contact(5, newNumber(), true),
    ],
  }
}

const REQUESTS = 10

/** Links that somebody was sent by students who are no victims. */
export async function newLinks(project: Project): Promise<Links> {
  const student = await newStudentWithCircle(project)
  const contact = await newContact(project, student)
  const links = { checkIn: [] as string[], alert: [] as string[], verify: [] as string[] }
  for (let request = 0; request < REQUESTS; request++) {
    const asked = await askContact(project, contact, { due: 'later' })
    links.checkIn.push(asked.token)
    const alerted = await askContact(project, contact, { type: 'system_initiated', due: 'later' })
    links.alert.push(alerted.token)
  }
  for (const priority_rank of [2, 3, 4, 5]) {
    links.verify.push((await newInvitedContact(project, student, { priority_rank })).token)
  }
  return links
}

/**
 * Gives a victim contacts, a verification, a request and an open alert, in all of which every text is a canary. `known` are
 * ids and stored hashes; `secrets` are tokens and numbers.
 */
export async function newCircleOf(
  project: Project,
  student: Student,
  canary: () => string,
): Promise<{ known: string[]; secrets: string[] }> {
  await grantConsents(student.client, ['support_circle'])
  const phones = [newNumber(), newNumber(), newNumber()]
  const person = (place: number) => ({
    name: canary(),
    relationship: canary(),
    email: `${canary()}@example.com`,
    phone: phones[place] ?? newNumber(),
    priority_rank: place + 1,
  })
  const contacts = [
    await newContact(project, student, person(0)),
    await newContact(project, student, person(1)),
  ]
  const invited = await newInvitedContact(project, student, person(2))
  await askContact(project, contacts[0] ?? '')
  return withDatabase(project, async (sql) => {
    await student.client
      .from('support_preferences')
      .insert({ alerts_paused_until: new Date(Date.now() + 86_400_000).toISOString() })
      .throwOnError()
    await sql`
      insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata)
      select id, user_id, 'verification_declined', '192.0.2.7', ${canary()}, ${sql.json({ reason: canary() })}
      from public.buddy_contacts where id = any(${contacts})`
    await sql`select private.open_support_alert(${student.id}, 4, now())`
    await sql`
      update public.buddy_check_in_requests set trigger_reason = ${canary()} where user_id = ${student.id}`
    const ids = await sql<{ id: string }[]>`
      select id from public.buddy_check_in_requests where user_id = ${student.id}
      union all select id from public.support_alerts where user_id = ${student.id}
      union all select id from private.outbox where contact_id = any(${contacts})`
    const hashes = await sql<{ hash: string }[]>`
      select verification_token as hash from public.buddy_contacts where id = ${invited.contact}
      union all select l.token_hash from private.buddy_links l join public.buddy_check_in_requests r on r.id = l.request_id
      where r.user_id = ${student.id}`
    const tokens = await sql<{ token: string }[]>`
      select substring(body from '/buddy/[a-z]+/([A-Za-z0-9_-]{22})') as token
      from private.outbox where contact_id = any(${contacts})`
    return {
      known: [...contacts, invited.contact, ...ids.map(({ id }) => id), ...hashes.map(({ hash }) => hash)],
      secrets: [...phones, invited.token, ...tokens.map(({ token }) => token)],
    }
  })
}
