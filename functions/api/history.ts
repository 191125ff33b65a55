import * as z from 'zod'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { historyEntries, historyEntry } from '../_shared/students/history.ts'

/** The place of an entry: its time and id, as `next` gives them. */
const place = z
  .string()
  .max(100)
  .regex(/^[^_]+_[^_]+$/, 'is the `next` of the page before')
  .transform((text) => text.split('_'))
  .pipe(z.tuple([z.iso.datetime({ offset: true }), z.guid()]))

const readHistory = endpoint(
  {
    tag: 'Students',
    security: 'user',
    limit: 'data-api',
    id: 'readHistory',
    method: 'get',
    path: '/api/history',
    summary: 'Reads the caller’s check-ins and assessment sessions of the last days',
    description:
      'Both kinds, the newest first: what has a score, and what showed risk without one. Show the scores of sessions apart from those of check-ins: they rest on what an app noticed, not on recordings.',
    query: z.strictObject({
      days: z.coerce
        .number()
        .int()
        .min(1)
        .max(366)
        .default(31)
        .describe('Days of the student’s own calendar, today among them.'),
      limit: z.coerce.number().int().min(1).max(200).default(100).describe('Most entries of a page.'),
      before: place.optional().describe('`next` of the page before.'),
    }),
    response: z.strictObject({
      entries: z.array(historyEntry).describe('Entries of this page.'),
      next: z.string().nullable().describe('`before` of the next page; null on the last.'),
      crisis_resources: crisisResources,
    }),
    example: { query: { days: 31 } },
  },
  async ({ query: { days, limit, before } }, call) => {
    const [{ data, error }, [row]] = await Promise.all([
      callerClient(call).rpc('read_history', {
        days,
        page_limit: limit,
        ...(before && { before: before[0], before_id: before[1] }),
      }),
      call.database<
        [{ resources: unknown }]
      >`select private.crisis_resources(${call.caller.userId}) as resources`,
    ])
    if (error) throw error
    const entries = historyEntries(data)
    const last = entries.length < limit ? undefined : entries.at(-1)
    return {
      entries,
      next: last ? `${last.at}_${last.id}` : null,
      crisis_resources: crisisResources.parse(row.resources),
    }
  },
)

/** `/api/history`. */
export const HISTORY = [readHistory] as const
