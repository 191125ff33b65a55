/** What this device remembers of how the app looks, and of where the service is. Nothing personal. */
type Name = 'language' | 'appearance' | 'service'

export function remembered(name: Name): string | null {
  try {
    return localStorage.getItem(`wellbeing.${name}`)
  } catch {
    return null // a private window may have no storage
  }
}

export function remember(name: Name, value: string): void {
  try {
    localStorage.setItem(`wellbeing.${name}`, value)
  } catch {
    // Asked for again at the next start.
  }
}

export const APPEARANCES = ['system', 'light', 'dark'] as const

/** How the app looks on this device: as the system does, until somebody chooses. */
export function appearance(): (typeof APPEARANCES)[number] {
  return APPEARANCES.find((one) => one === remembered('appearance')) ?? 'system'
}

export function showAppearance(chosen: (typeof APPEARANCES)[number]): void {
  remember('appearance', chosen)
  document.documentElement.style.colorScheme = chosen === 'system' ? '' : chosen
}
