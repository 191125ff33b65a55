import type { ApiResponse } from '../client/call.ts'
import { call } from '../client/call.ts'
import { type Project, withDatabase } from '../stack/project.ts'
import { newStudent, type Student } from './students.ts'

/** North American areas; in each, the numbers 555 0100 to 555 0199 belong to nobody. */
const AREAS = [202, 206, 212, 303, 305, 312, 404, 415, 503, 512, 602, 617, 702, 713, 801, 901]

const below = (end: number) => Math.floor(Math.random() * end)

/** An invented mobile number, E.164, of 1,600 that there are. */
export const inventedPhone = () =>
  `+1${AREAS[below(AREAS.length)]}55501${String(below(100)).padStart(2, '0')}`

/** An address that nobody else has. */
export const inventedAddress = () => `friend-${crypto.randomUUID()}@example.com`

/** A student who has agreed to a support circle. */
export const newStudentWithCircle = (project: Project) => newStudent(project, ['support_circle'])

type ContactFields = { name?: string; phone?: string; email?: string | null }

/** Names a contact as the app does; returns its id. */
export async function addContact({ client }: Student, fields: ContactFields = {}): Promise<string> {
  const row = { name: 'Ottoline', phone: inventedPhone(), email: inventedAddress(), ...fields }
  const { data, error } = await client.from('buddy_contacts').insert(row).select('id').single()
  if (error) throw error
  return data.id
}

/** Asks a contact by email, as the app does. */
export function askForVerification(
  project: Project,
  student: Student,
  buddyContactId: string,
  userId = student.id,
): Promise<ApiResponse> {
  return call(project, student.token, 'POST', 'api/buddy/send-verification', { buddyContactId, userId })
}

/** The token of the newest verification email to a contact. Throws when there is none. */
export async function verificationToken(project: Project, contact: string): Promise<string> {
  const [row] = await withDatabase(
    project,
    (sql) => sql<{ token: string | null }[]>`
      select substring(body from '[?]token=([0-9a-f]{64})') as token
      from private.outbox
      where contact_id = ${contact} and purpose = 'buddy_verification'
      order by created_at desc
      limit 1`,
  )
  if (!row?.token) throw new Error('No verification was sent')
  return row.token
}
