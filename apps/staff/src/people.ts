import type { Database } from '../../../types/database.ts'
import { done, useRead } from '../../ui/service.tsx'

type Named = { first_name: string | null; last_name: string | null }

/** A person's name as one text; null where they gave none. */
export const nameOf = ({ first_name, last_name }: Named): string | null =>
  [first_name, last_name].flatMap((part) => part?.trim() || []).join(' ') || null

/** A row for each role of somebody in staff; of an invitation one without an account. */
export type StaffRow = Database['public']['Functions']['list_staff']['Returns'][number]

/** Everybody with a role of staff and all who are invited, at a university or everywhere. */
export const useStaff = (university_id?: string, enabled = true) =>
  useRead(
    ['staff', university_id],
    (client) => done(client.rpc('list_staff', university_id === undefined ? {} : { university_id })),
    { enabled },
  )

/** The universities that whoever is signed in sees. */
export const useUniversities = () =>
  useRead(['universities'], (client) => done(client.from('universities').select('id, name').order('name')), {
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The name of a university; of one that is gone or not known yet its id. */
export function useUniversityNames(): (id: string) => string {
  const { data } = useUniversities()
  return (id) => data?.find((university) => university.id === id)?.name ?? id
}
