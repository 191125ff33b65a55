import type { Session } from '@supabase/supabase-js'
import { useQuery } from '@tanstack/react-query'
import { createContext, useEffect, useState } from 'react'
import { useBrandColor } from '../../ui/brand.ts'
import { done, useService } from '../../ui/service.tsx'
import { SESSION_KEY } from './service.tsx'

/** Whoever is signed in. */
export type Person = { id: string; email: string }

/** Null where nobody is signed in. */
export const PersonContext = createContext<Person | null>(null)

/** Follows who is signed in: null is nobody, undefined is not known yet. */
export function useSignedIn(): Person | null | undefined {
  const { supabase } = useService()
  const [person, setPerson] = useState<Person | null>()
  useEffect(() => {
    const { data } = supabase.auth.onAuthStateChange((event, session) => {
      const now = personOf(session ?? (event === 'INITIAL_SESSION' ? storedSession() : null))
      setPerson((before) => (before?.id === now?.id ? (before ?? now) : now))
    })
    return () => data.subscription.unsubscribe()
  }, [supabase])
  return person
}

function personOf(session: Pick<Session, 'user'> | null): Person | null {
  return session && { id: session.user.id, email: session.user.email ?? '' }
}

/** A session that has ended is refreshed; without a network it cannot be, and whoever it is of stays signed in. */
function storedSession(): Pick<Session, 'user'> | null {
  const stored = localStorage.getItem(SESSION_KEY)
  return stored === null ? null : JSON.parse(stored)
}

/** The university of whoever is signed in, in whose colour the app then is. */
export function useUniversity(person: Person | null): { short_name: string } | undefined {
  const { supabase } = useService()
  const { data } = useQuery({
    queryKey: ['university', person?.id],
    enabled: person !== null,
    queryFn: () => done(supabase.from('universities').select('short_name, primary_color').limit(1)),
  })
  const university = data?.[0]
  useBrandColor(university?.primary_color)
  return university
}
