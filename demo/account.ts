import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../types/database.ts'
import { signIn } from './mobile-client.ts'
import type { RunningStack } from './stack.ts'

type Account = { email: string; password: string; firstName: string; lastName: string }

/** Exists on local stacks only. */
export const DEMONSTRATION_STUDENT: Account = {
  email: 'demo.student@northfield.example.edu',
  password: 'demonstration-1',
  firstName: 'Demo',
  lastName: 'Student',
}

/** Signs the demonstration student in; makes the account when the stack has none. */
export function signInDemonstrationStudent(stack: RunningStack): Promise<SupabaseClient<Database>> {
  return signInStudent(stack, DEMONSTRATION_STUDENT)
}

/** Signs a student in; makes the account when the stack has none. */
export async function signInStudent(
  { apiUrl, keys }: RunningStack,
  { email, password, firstName, lastName }: Account,
): Promise<SupabaseClient<Database>> {
  const admin = createClient<Database>(apiUrl, keys.secret, { auth: { persistSession: false } })
  const { error } = await admin.auth.admin.createUser({
    email,
    password,
    email_confirm: true,
    user_metadata: { first_name: firstName, last_name: lastName },
  })
  if (error && error.code !== 'email_exists') throw error
  return signIn(apiUrl, keys.publishable, { email, password })
}
