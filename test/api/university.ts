import { type Project, withDatabase } from './project.ts'

/** Makes a university of a test's own, so that no other test sees it change. */
export async function newUniversity(project: Project, name = 'Invented University'): Promise<string> {
  const id = `u-${crypto.randomUUID()}`
  await withDatabase(
    project,
    (sql) => sql`
      insert into public.universities (id, name, short_name, domain, support_email, crisis_phone, resources)
      values (
        ${id}, ${name}, 'Invented', ${`${id}.example.edu`}, 'support@invented.example.edu', '+1-202-555-0130',
        ${sql.json([{ name: 'Wellbeing Office', phone: '+1-202-555-0131' }])}
      )`,
  )
  return id
}
