import { createClient } from '@supabase/supabase-js'
import { type ConsentKind, grantConsents } from '../../demo/mobile-client.ts'
import type { Database } from '../../types/database.ts'
import type { EveryColumn } from '../stack/every-column.ts'
import { type Client, type Project, serviceClient } from '../stack/project.ts'

/** A student with a signed-in client of their own. */
export type Student = { id: string; email: string; client: Client; token: string }

const PASSWORD = 'invented-password-1'

/** Makes an invented student who has agreed to what is asked. */
export async function newStudent(
  project: Project,
  consents: ConsentKind[] = ['audio', 'camera', 'text'],
): Promise<Student> {
  const email = `student-${crypto.randomUUID()}@northfield.example.edu`
  const created = await serviceClient(project).auth.admin.createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
  })
  if (created.error) throw created.error
  const client = createClient<EveryColumn>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
  })
  const signedIn = await client.auth.signInWithPassword({ email, password: PASSWORD })
  if (signedIn.error) throw signedIn.error
  if (consents.length > 0) await grantConsents(client, consents)
  return { id: created.data.user.id, email, client, token: signedIn.data.session.access_token }
}

/** Another device of the same student. */
export async function secondDevice(project: Project, student: Student): Promise<Client> {
  const client = createClient<EveryColumn>(project.apiUrl, project.publishableKey, {
    auth: { persistSession: false },
  })
  const { error } = await client.auth.signInWithPassword({ email: student.email, password: PASSWORD })
  if (error) throw error
  return client
}

/** What a member of staff may be. */
export type StaffRole = Exclude<Database['public']['Enums']['app_role'], 'student'>

/** The university of every invented student that a test makes. */
export const HOME = 'northfield'

/**
 * Makes an invented person who holds a role, at a university where the role belongs to one, and is no student.
 *
 * The account has an address of Northfield, and so a profile there; at another university the profile moves along.
 */
export async function newStaff(project: Project, role: StaffRole, university = HOME): Promise<Student> {
  const person = await newStudent(project, [])
  const service = serviceClient(project)
  const given = await service
    .from('user_roles')
    .insert({ user_id: person.id, role, university_id: role === 'security_admin' ? null : university })
  if (given.error) throw given.error
  const taken = await service.from('user_roles').delete().eq('user_id', person.id).eq('role', 'student')
  if (taken.error) throw taken.error
  const moved = await service.from('profiles').update({ university_id: university }).eq('user_id', person.id)
  if (moved.error) throw moved.error
  return person
}

type Read = Database['public']['Functions']['log_access']['Args']

/** Records in the audit log what somebody is about to read, as their pages do. */
export async function logAccess({ client }: Pick<Student, 'client'>, read: Read): Promise<void> {
  const { error } = await client.rpc('log_access', read)
  if (error) throw error
}
