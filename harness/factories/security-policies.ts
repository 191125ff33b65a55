import { type Project, withDatabase } from '../stack/project.ts'
import { newStaff, newStudent, type StaffRole, type Student } from './students.ts'

/** A policy that is off. */
export const unusedPolicy = {
  name: 'Invented',
  category: 'monitoring',
  type: 'detective',
  conditions: { field: 'hour', op: 'gte', value: 0 },
  actions: [{ action: 'log_events' }],
  priority: 1,
  enabled: false,
} as const

/** What a test says of its policy; the rest is invented. */
export type PolicyGiven = {
  conditions: object
  actions: readonly object[]
  priority?: number
  dry_run?: boolean
  enforcement_points?: readonly ('request' | 'sign_in')[]
}

/**
 * Runs something while a policy is enabled, and disables it after that. Its conditions have to name what only the test has,
 * as all tests share the policies.
 */
export async function whilePolicy<Result>(
  project: Project,
  { conditions, actions, priority = 500, dry_run = false, enforcement_points = ['request'] }: PolicyGiven,
  use: (id: string) => Promise<Result>,
): Promise<Result> {
  const id = await withDatabase(project, async (sql) => {
    const [row] = await sql<[{ id: string }]>`
      insert into public.security_policies (name, category, type, conditions, actions, priority, dry_run, enforcement_points)
      values (
        'Invented', 'access_control', 'preventive', ${sql.json({ ...conditions })}, ${JSON.stringify(actions)}::text::jsonb, ${priority},
        ${dry_run}, ${[...enforcement_points]}::public.enforcement_point[]
      )
      returning id`
    return row.id
  })
  try {
    return await use(id)
  } finally {
    await withDatabase(
      project,
      (sql) => sql`update public.security_policies set enabled = false where id = ${id}`,
    )
  }
}

/** How often a policy applied, up to now. */
export async function triggersOf(project: Project, id: string): Promise<number> {
  return withDatabase(project, async (sql) => {
    const [row] = await sql<[{ triggered: number }]>`
      select p.trigger_count + coalesce(sum(t.triggered), 0)::integer as triggered
      from public.security_policies p
      left join private.policy_triggers t on t.policy_id = p.id
      where p.id = ${id}
      group by p.trigger_count`
    return row.triggered
  })
}

/** A user agent that no other test sends. */
export const newAgent = () => `agent-${crypto.randomUUID()}`

/** A condition that holds for one user agent alone. */
export const ofAgent = (agent: string) => ({ field: 'user_agent', op: 'eq', value: agent })

/** A university that nobody is at. */
export async function newUniversity(project: Project): Promise<string> {
  const id = `u${crypto.randomUUID().slice(0, 8)}`
  await withDatabase(
    project,
    (sql) => sql`
      insert into public.universities (id, name, short_name, domain)
      values (${id}, ${`${id} (invented)`}, ${id}, ${`${id}.example.edu`})`,
  )
  return id
}

/** A condition that holds at one university alone. */
export const ofUniversity = (university: string) => ({ field: 'university', op: 'eq', value: university })

/** An invented person with a role at a university. */
export async function newPersonAt(
  project: Project,
  university: string,
  role: Exclude<StaffRole, 'security_admin'> | 'student' = 'student',
): Promise<Student> {
  if (role !== 'student') return newStaff(project, role, university)
  const person = await newStudent(project, [])
  await withDatabase(
    project,
    (sql) => sql`update public.user_roles set university_id = ${university} where user_id = ${person.id}`,
  )
  return person
}
