import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../types/database.ts'
import { signIn } from './mobile-client.ts'

/** The demonstration student, who exists on local stacks only. */
const ACCOUNT = { email: 'demo.student@northfield.example.edu', password: 'demonstration-1' }

/** Signs the demonstration student in; makes the account when the stack has none. */
export async function signInDemonstrationStudent(stack: {
  apiUrl: string
  publishableKey: string
  secretKey: string
}): Promise<SupabaseClient<Database>> {
  const admin = createClient<Database>(stack.apiUrl, stack.secretKey, { auth: { persistSession: false } })
  const { error } = await admin.auth.admin.createUser({
    ...ACCOUNT,
    email_confirm: true,
    user_metadata: { first_name: 'Demo', last_name: 'Student' },
  })
  if (error && error.code !== 'email_exists') throw error
  return signIn(stack.apiUrl, stack.publishableKey, ACCOUNT)
}
