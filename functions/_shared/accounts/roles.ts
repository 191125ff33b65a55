import type { ProjectClient } from '../platform/clients.ts'

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
