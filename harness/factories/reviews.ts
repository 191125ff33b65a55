import { logAccess, type Student } from './students.ts'

/** The largest page of the list. */
const PAGE = 200

/** The open reviews of a student in the list that somebody reads, with the names; other tests' reviews may fill pages. */
export async function openReviewsOf(reader: Student, { id }: Pick<Student, 'id'>): Promise<unknown[]> {
  await logAccess(reader, { action: 'reviews_listed' })
  const listed: unknown[] = []
  for (let isFull = true; isFull; ) {
    const { data, error } = await reader.client.rpc('list_open_reviews', {
      page_limit: PAGE,
      page_offset: listed.length,
    })
    if (error) throw error
    if (!Array.isArray(data)) throw new Error('The list is no array')
    listed.push(...data)
    isFull = data.length === PAGE
  }
  return listed.filter((review) => JSON.stringify(review).includes(id))
}
