import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
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

type Role = Exclude<Database['public']['Enums']['app_role'], 'student'>

/** One of each role at the university of the demonstration student. They exist on local stacks only. */
export const DEMONSTRATION_STAFF: readonly (Account & { role: Role })[] = (
  [
    ['counselor', 'counselor', 'Counselor'],
    ['university_admin', 'admin', 'Administrator'],
    ['security_admin', 'security', 'Security'],
  ] as const
).map(([role, name, lastName]) => ({
  role,
  email: `demo.${name}@northfield.example.edu`,
  password: DEMONSTRATION_STUDENT.password,
  firstName: 'Demo',
  lastName,
}))

/** Makes the demonstration's staff, who are no students. */
export async function makeDemonstrationStaff({ apiUrl, databaseUrl, keys }: RunningStack): Promise<void> {
  const admin = createClient<Database>(apiUrl, keys.secret, { auth: { persistSession: false } })
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    for (const { role, ...account } of DEMONSTRATION_STAFF) {
      const { data, error } = await createAccount(admin, account)
      if (error) throw error
      const university = role === 'security_admin' ? null : 'northfield'
      await sql`
        with student as (delete from public.user_roles where user_id = ${data.user.id} and role = 'student')
        insert into public.user_roles (user_id, role, university_id) values (${data.user.id}, ${role}, ${university})`
    }
  } finally {
    await sql.end()
  }
}

const createAccount = (
  { auth }: Pick<SupabaseClient<Database>, 'auth'>,
  { email, password, firstName, lastName }: Account,
) =>
  auth.admin.createUser({
    email,
    password,
    email_confirm: true,
    user_metadata: { first_name: firstName, last_name: lastName },
  })

/** Signs the demonstration student in; makes the account when the stack has none. */
export function signInDemonstrationStudent(stack: RunningStack): Promise<SupabaseClient<Database>> {
  return signInStudent(stack, DEMONSTRATION_STUDENT)
}

/** Signs a student in; makes the account when the stack has none. */
export async function signInStudent(
  { apiUrl, keys }: RunningStack,
  account: Account,
): Promise<SupabaseClient<Database>> {
  const admin = createClient<Database>(apiUrl, keys.secret, { auth: { persistSession: false } })
  const { error } = await createAccount(admin, account)
  if (error && error.code !== 'email_exists') throw error
  return signIn(apiUrl, keys.publishable, account)
}
