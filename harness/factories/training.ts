import type postgres from 'postgres'

/** Questions of the bank that `invented` makes. */
export const BANK = 20

/** Questions that an attempt at it asks. */
export const ASKED = 5

/** A text that stands in no right option, and in all wrong ones. */
export const WRONG = 'It is not so'

/** A text that stands in each right option. */
export const RIGHT = 'It is so'

/** A published module of two sections, as `public.create_training_module` takes it. */
export function invented(title = 'An invented module') {
  return {
    title,
    category: 'data_protection',
    difficulty: 'beginner',
    estimated_duration: 2,
    published: true,
    content: {
      sections: [
        { title: 'The first', text: 'Close the **door**.' },
        { title: 'The second', text: 'Lock it.\n\n<script>alert(1)</script>' },
      ],
    },
    assessments: {
      pass_score: 80,
      questions_per_attempt: ASKED,
      questions: Array.from({ length: BANK }, (_, number) => ({
        prompt: `Is it so, number ${number}?`,
        options: [
          { text: `${WRONG}, first`, correct: false },
          { text: `${RIGHT}, number ${number}`, correct: true },
          { text: `${WRONG}, last`, correct: false },
        ],
      })),
    },
  }
}

/** Stores a module; returns its id. */
export async function newModule(sql: postgres.Sql, title?: string): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    select id from private.store_training_module(${sql.json(invented(title))})`
  return row.id
}

/** An open attempt of somebody, without questions; returns its id. */
export async function newAttempt(sql: postgres.Sql, account: string, module: string): Promise<string> {
  const [row] = await sql<[{ id: string }]>`
    with attempt as (
      insert into public.training_attempts (user_id, module_id, version, questions, started_at, expires_at)
      values (${account}, ${module}, 1, ${ASKED}, now() - interval '90 minutes', now() + interval '30 minutes')
      returning id
    )
    insert into private.training_papers (attempt_id, questions) select id, '[]' from attempt
    returning attempt_id as id`
  return row.id
}

/** Gives a member of staff an assignment, reading, a graded attempt of the days before, and a certificate. */
export async function takeModule(sql: postgres.Sql, account: string, module: string): Promise<void> {
  await sql`
    insert into public.training_assignments (module_id, user_id, assigned_by) values (${module}, ${account}, null)`
  await sql`
    insert into public.training_progress (user_id, module_id, version, sections_read)
    values (${account}, ${module}, 1, '{s1,s2}')`
  await sql`
    with attempt as (
      insert into public.training_attempts (
        user_id, module_id, version, questions, started_at, expires_at, submitted_at, correct, score, passed
      )
      values (
        ${account}, ${module}, 1, ${ASKED}, now() - interval '3 days', now() - interval '2 days',
        now() - interval '3 days', ${ASKED}, 100, true
      )
      returning *
    )
    insert into public.training_certificates (user_id, module_id, version, attempt_id, score, expires_at)
    select user_id, module_id, version, id, score, now() + interval '1 year' from attempt`
}
