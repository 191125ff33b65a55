import * as z from 'zod'
import { limit } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'

const entry = z.int().positive()

const access = z.strictObject({
  entry: entry.describe('Position in the audit log.'),
  occurred_at: z.iso.datetime({ offset: true }).describe('When.'),
  action: z
    .enum([
      'student_read',
      'students_listed',
      'reviews_listed',
      'account_read',
      'review_changed',
      'student_nudged',
    ])
    .describe(
      '`student_read`: your record was opened; `students_listed`, `reviews_listed`: a list in which you may have been; `account_read`: a security administrator looked your account up; `review_changed`: a review of yours was claimed, released or closed; `student_nudged`: a counselor sent you a kind message.',
    ),
  university_id: z.string().nullable().describe('University for which it was done.'),
  role: z
    .enum(['counselor', 'university_admin', 'security_admin'])
    .nullable()
    .describe('Role there of whoever did it; null when they have none any more.'),
  name: z.string().nullable().describe('Their name, while they work there.'),
})

const listAccesses = endpoint(
  {
    tag: 'Privacy',
    security: 'user',
    limit: 'data-api',
    id: 'listAccesses',
    method: 'get',
    path: '/api/privacy/accesses',
    summary: 'Lists who of the staff read or handled what is stored of the caller',
    description: 'The latest first, from the audit log, which staff must write to before they read.',
    query: z.strictObject({
      before: z.coerce.number().pipe(entry).optional().describe('`next` of the page before.'),
      limit,
    }),
    response: z.strictObject({
      accesses: z.array(access).describe('Accesses of this page.'),
      next: entry.nullable().describe('`before` of the next page; null on the last.'),
    }),
    example: { query: { limit: 20 } },
  },
  async ({ query: { before, limit } }, call) => {
    const { data, error } = await callerClient(call).rpc('list_own_accesses', {
      before_entry: before,
      page_limit: limit,
    })
    if (error) throw error
    const accesses = z.array(access).parse(data)
    return { accesses, next: accesses.length < limit ? null : (accesses.at(-1)?.entry ?? null) }
  },
)

/** `/api/privacy/accesses`. */
export const ACCESSES = [listAccesses] as const
