import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Person } from './person.tsx'
import { done, useService } from './service.tsx'

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

/** Colours the head of the app. */
export function useBrandColor(color: string | undefined): void {
  useEffect(() => {
    if (color === undefined) return
    const { style } = document.documentElement
    style.setProperty('--brand', color)
    return () => void style.removeProperty('--brand')
  }, [color])
}
