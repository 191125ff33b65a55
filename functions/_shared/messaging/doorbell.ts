import * as z from 'zod'

/** What the database sends when there may be messages; which, the outbox knows. */
export const doorbell = z.object({
  type: z.enum(['INSERT', 'UPDATE']).describe('What happened to a row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('outbox').describe('The messages that wait'),
})
