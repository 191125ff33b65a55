import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../platform/clients.ts'

/** What a page requires of who is signed in to it; other calls say `staff` in their description. Throws `forbidden`. */
export async function requireSecurityAdmin({
  database,
  caller,
}: {
  database: Database
  caller: { userId: string }
}): Promise<void> {
  const [{ given }] = await database<[{ given: boolean }]>`
    select private.has_role(${caller.userId}, 'security_admin', null) as given`
  if (!given) {
    throw new ServiceError('forbidden', 'Only security administrators do this.')
  }
}

/** Whether the caller is a counselor or an administrator of a university. */
export async function isStaffAt(supabase: ProjectClient, university: string): Promise<boolean> {
  const { data, error } = await supabase
    .from('user_roles')
    .select('role')
    .eq('university_id', university)
    .in('role', ['counselor', 'university_admin'])
  if (error) throw error
  return data.length > 0
}

/** Universities where the caller has a role. */
export async function universitiesWithRole(
  supabase: ProjectClient,
  role: 'counselor' | 'university_admin',
): Promise<string[]> {
  const { data, error } = await supabase
    .from('user_roles')
    .select('university_id')
    .eq('role', role)
    .order('university_id')
  if (error) throw error
  return data.flatMap(({ university_id }) => university_id ?? [])
}
