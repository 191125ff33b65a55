import type { Database } from '../database.ts'
import { ServiceError } from '../errors.ts'

/**
 * Refuses a university that the new account would not come to belong to. It belongs to the one of its mail domain, or
 * else to the one that it names, if that takes addresses of other domains.
 *
 * Throws `university_not_accepted`.
 */
export async function checkUniversity(database: Database, email: string, named: string): Promise<void> {
  const [{ given }] = await database<[{ given: string | null }]>`
    select private.university_for(${email}, ${named}) as given`
  if (given === named) return
  throw new ServiceError(
    'university_not_accepted',
    'This university is not known, or does not take this address. Use your address at the university.',
  )
}
