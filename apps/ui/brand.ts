import { useEffect } from 'react'

/** Colours the head of the app. */
export function useBrandColor(color: string | undefined): void {
  useEffect(() => {
    if (color === undefined) return
    const { style } = document.documentElement
    style.setProperty('--brand', color)
    return () => void style.removeProperty('--brand')
  }, [color])
}
