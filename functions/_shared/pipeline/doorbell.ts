import * as z from 'zod'

/** What the database sends when a job is due. */
export const doorbell = z.object({
  type: z.literal('INSERT').describe('What happened to the row'),
  schema: z.literal('private').describe('Schema of the table'),
  table: z.literal('analysis_jobs').describe('The queue'),
  record: z.object({ id: z.guid().describe('The job') }).describe('The row'),
})
