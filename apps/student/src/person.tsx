import type { Session } from '@supabase/supabase-js'
import { createContext, useContext, useEffect, useState } from 'react'
import { SESSION_KEY, useService } from './service.tsx'

/** Whoever is signed in. */
export type Person = { id: string; email: string }

export const PersonContext = createContext<Person | null>(null)

/** Whoever is signed in; only on screens that nobody else sees. */
export function usePerson(): Person {
  const person = useContext(PersonContext)
  if (!person) throw new Error('usePerson where nobody is signed in')
  return person
}

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
