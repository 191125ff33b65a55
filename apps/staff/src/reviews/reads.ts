import { useQueryClient } from '@tanstack/react-query'
import type { Database } from '../../../../types/database.ts'
import { type Client, done, useRead } from '../../../ui/service.tsx'

type Functions = Database['public']['Functions']
type Access = Functions['log_access']['Args']

export type OpenReview = Functions['list_open_reviews']['Returns'][number]
export type ClosedReview = Functions['list_closed_reviews']['Returns'][number]
export type Review = NonNullable<Functions['read_review']['Returns']>
export type QueuedReview = Functions['review_queue']['Returns'][number]
export type ListedStudent = Functions['list_students']['Returns']['students'][number]
export type StudentRecord = NonNullable<Functions['read_student']['Returns']>
export type HistoryRow = NonNullable<Review['history']>[number]
export type SignsOfLife = Review['signs_of_life']

/** Whether an address names something that there could be. */
const isId = (id: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)

/** Of an address that names nothing, nothing is asked. */
const NOTHING = { enabled: false, initialData: null }

/** What names a student is read once the audit log says so. */
function useLoggedRead<Data>(
  key: readonly unknown[],
  access: Access,
  read: (client: Client) => Promise<Data>,
  options?: Parameters<typeof useRead<Data>>[2],
) {
  const queries = useQueryClient()
  return useRead<Data>(
    key,
    async (client) => {
      const isCounselor = await done(client.rpc('log_access', access))
      // Whoever is none any more is asked anew what there is for them.
      if (!isCounselor) void queries.invalidateQueries({ queryKey: ['roles'] })
      return read(client)
    },
    options,
  )
}

/** Most rows of one call. */
const PAGE = 200
/** Most that the queue has. */
const MOST = 1000

/** All reviews that are open or claimed, with their students, highest risk first, then the oldest. */
export const useOpenReviews = () =>
  useLoggedRead(['reviews', 'open'], { action: 'reviews_listed' }, async (client) => {
    const all: OpenReview[] = []
    for (let isFull = true; isFull && all.length < MOST; ) {
      const page = await done(client.rpc('list_open_reviews', { page_limit: PAGE, page_offset: all.length }))
      all.push(...page)
      isFull = page.length === PAGE
    }
    return all
  })

/** How many closed reviews are on a page. */
export const CLOSED_PAGE = 50

/** A page of those closed in the last 90 days, and one more where there is a next page. */
export const useClosedReviews = (page: number) =>
  useLoggedRead(['reviews', 'closed', page], { action: 'reviews_listed' }, (client) =>
    done(client.rpc('list_closed_reviews', { page_limit: CLOSED_PAGE + 1, page_offset: page * CLOSED_PAGE })),
  )

/** How long the reading of a check-in's sentences takes at most, when there is a queue. */
const READING_MS = 600_000

/** Whether the sentences that raised a review are still being read, so that its words are yet to come. */
const isBeingRead = ({ sources }: Review): boolean =>
  sources.some(
    ({ source, probability, seen_at }) =>
      source === 'check_in' && probability === null && Date.now() - Date.parse(seen_at) < READING_MS,
  )

/** A review with its student; null where whoever asks may not see it. */
export const useReview = (id: string) =>
  useLoggedRead(
    ['reviews', id],
    { action: 'student_read', review_id: id },
    (client) => done(client.rpc('read_review', { review_id: id })),
    isId(id)
      ? { refetchInterval: ({ state: { data } }) => (data && isBeingRead(data) ? 10_000 : false) }
      : NOTHING,
  )

/** A page of the students of a university who agreed that counselors see them. */
export const useStudents = (page: Functions['list_students']['Args'] & { page_limit: number }) =>
  useLoggedRead(
    ['students', page],
    { action: 'students_listed', ...page },
    (client) => done(client.rpc('list_students', page)),
    { placeholderData: (before) => before },
  )

/** A student; null where whoever asks may not see them. */
export const useStudent = (id: string) =>
  useLoggedRead(
    ['students', id],
    { action: 'student_read', student_id: id },
    (client) => done(client.rpc('read_student', { student_id: id })),
    isId(id) ? {} : NOTHING,
  )

/** Who is on call at a university now and in a time, and when nobody is. */
export const useCover = (university_id: string, from: number, until: number) =>
  useRead(
    ['cover', university_id, from, until],
    (client) =>
      done(
        client.rpc('read_cover', {
          from_at: new Date(from).toISOString(),
          until_at: new Date(until).toISOString(),
          university_id,
        }),
      ),
    { placeholderData: (before) => before, refetchInterval: 60_000 },
  )
