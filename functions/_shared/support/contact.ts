import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../supabase/clients.ts'

/** The error of a contact that does not exist, or is another student's. */
export function contactNotFound(): ServiceError {
  return new ServiceError('buddy_not_found', 'There is no such person in your support circle.')
}

/** The phone number, E.164, of a contact of the caller. Throws `buddy_not_found`. */
export async function phoneOfContact(supabase: ProjectClient, contactId: string): Promise<string> {
  const { data, error } = await supabase
    .from('buddy_contacts')
    .select('phone')
    .eq('id', contactId)
    .maybeSingle()
  if (error) throw error
  if (!data) throw contactNotFound()
  return data.phone
}
