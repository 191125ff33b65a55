import type { Session } from '@supabase/supabase-js'
import { useQuery } from '@tanstack/react-query'
import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import type { Database } from '../../../types/database.ts'
import { done, useService } from '../../ui/service.tsx'

export type Role = Database['public']['Enums']['app_role']

/** A role that somebody holds, at a university or, as a security administrator, everywhere. */
export type HeldRole = { role: Role; university_id: string | null }

/**
 * Whoever is signed in.
 *
 * `due`: what is missing for a second factor, to give the code of an app that the account has, or to add one that a security policy asks for.
 */
export type Person = { id: string; email: string; hasFactor: boolean; due: 'code' | 'app' | null }

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
      const now = session && personOf(session)
      // A new token of the same person changes nothing in sight.
      setPerson((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now))
    })
    return () => data.subscription.unsubscribe()
  }, [client])
  return person
}

/**
 * Whose page it is, and how to make it nobody's. A session that ends by itself takes nothing from whoever signs in again; a sign-out
 * does, and so does somebody else.
 */
export function useAuthor(id: string | undefined): [author: object, forget: () => void] {
  const [author, setAuthor] = useState<{ id?: string }>({})
  const forget = useCallback(() => setAuthor({}), [])
  if (id !== undefined && id !== author.id) setAuthor({ id })
  return [author, forget]
}

export const ForgetContext = createContext<() => void>(() => {})

/** Signs out here, or everywhere: nothing that was typed stays behind. */
export function useSignOut(scope: 'local' | 'global' = 'local') {
  const { client } = useService()
  const forget = useContext(ForgetContext)
  return async () => {
    await done(client.auth.signOut({ scope }))
    forget()
  }
}

/** The claims of a token that say which factors were given, and which a security policy asks for. */
type Claims = { aal?: string; mfa_required?: boolean }

function claimsOf(token: string): Claims {
  const [, payload = ''] = token.split('.')
  return JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
}

function personOf({ access_token, user }: Session): Person {
  const { aal, mfa_required } = claimsOf(access_token)
  const hasFactor = user.factors?.some(({ status }) => status === 'verified') ?? false
  const isRaised = aal === 'aal2'
  const due = isRaised ? null : hasFactor ? 'code' : mfa_required ? 'app' : null
  return { id: user.id, email: user.email ?? '', hasFactor, due }
}

/** The roles of whoever is signed in, as the database says. */
export function useRoles(person: Person | null) {
  const { client } = useService()
  return useQuery({
    queryKey: ['roles', person?.id],
    enabled: person?.due === null,
    queryFn: async (): Promise<HeldRole[]> =>
      (await done(client.from('user_roles').select('role, university_id'))) ?? [],
    // What a role that was taken away had opened goes from a tab that nobody touches.
    refetchInterval: 60_000,
  })
}

/** The roles of whoever is signed in. */
export const RolesContext = createContext<readonly HeldRole[]>([])

/** The universities at which whoever is signed in holds a role. */
export function useUniversitiesOf(role: Role): string[] {
  return useContext(RolesContext).flatMap((held) => (held.role === role ? (held.university_id ?? []) : []))
}
