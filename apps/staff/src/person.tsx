import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useState } from 'react'
import type { Database } from '../../../types/database.ts'
import { done, useService } from '../../ui/service.tsx'

export type Role = Database['public']['Enums']['app_role']

/** A role that somebody holds, at a university or, as a security administrator, everywhere. */
export type HeldRole = { role: Role; university_id: string | null }

/** Whoever is signed in. */
export type Person = { id: string; email: string }

/** Null where nobody is signed in. */
export const PersonContext = createContext<Person | null>(null)

export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (!person) throw new Error('usePerson without a person')
  return person
}

/** Follows who is signed in: null is nobody, undefined is not known yet. */
export function useSignedIn(): Person | null | undefined {
  const { client } = useService()
  const [person, setPerson] = useState<Person | null>()
  useEffect(() => {
    const { data } = client.auth.onAuthStateChange((_, session) => {
      const now = session && { id: session.user.id, email: session.user.email ?? '' }
      setPerson((before) => (before?.id === now?.id ? (before ?? now) : now))
    })
    return () => data.subscription.unsubscribe()
  }, [client])
  return person
}

/** The roles of whoever is signed in, as the database says. */
export function useRoles(person: Person | null) {
  const { client } = useService()
  return useQuery({
    queryKey: ['roles', person?.id],
    enabled: person !== null,
    queryFn: async (): Promise<HeldRole[]> =>
      (await done(client.from('user_roles').select('role, university_id'))) ?? [],
  })
}

/** The roles of whoever is signed in. */
export const RolesContext = createContext<readonly HeldRole[]>([])

/** The universities at which whoever is signed in holds a role. */
export function useUniversitiesOf(role: Role): string[] {
  return useContext(RolesContext).flatMap((held) => (held.role === role ? (held.university_id ?? []) : []))
}
