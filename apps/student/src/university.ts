import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Person } from './person.tsx'
import { useService } from './service.tsx'

/** How a university is called, and what it looks like. */
export type University = { name: string; short_name: string; primary_color: string }

/** The university of whoever is signed in, in whose colour the app then is. */
export function useUniversity(person: Person | null): University | undefined {
  const { supabase } = useService()
  const { data } = useQuery({
    queryKey: ['university', person?.id],
    enabled: person !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const found = await supabase
        .from('universities')
        .select('name, short_name, primary_color')
        .limit(1)
        .maybeSingle<University>()
      if (found.error) throw found.error
      return found.data
    },
  })
  useBrandColor(data?.primary_color)
  return data ?? undefined
}

/** Colours the head of the app, with letters that can be read on it. */
export function useBrandColor(color: string | undefined): void {
  useEffect(() => {
    if (color === undefined) return
    const { style } = document.documentElement
    style.setProperty('--brand', color)
    style.setProperty('--on-brand', luminanceOf(color) > 0.179 ? '#000' : '#fff')
    return () => {
      style.removeProperty('--brand')
      style.removeProperty('--on-brand')
    }
  }, [color])
}

/** Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2); above 0.179 black has more contrast than white, and at least 4.5:1. */
function luminanceOf(color: string): number {
  const linear = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  const [red = 0, green = 0, blue = 0] = linear
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
