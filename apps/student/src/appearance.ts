import { remember, remembered } from './remembered.ts'

export const APPEARANCES = ['system', 'light', 'dark'] as const

/** How the app looks on this device: as the system does, until somebody chooses. */
export function appearance(): (typeof APPEARANCES)[number] {
  return APPEARANCES.find((one) => one === remembered('appearance')) ?? 'system'
}

export function showAppearance(chosen: (typeof APPEARANCES)[number]): void {
  remember('appearance', chosen)
  document.documentElement.dataset.appearance = chosen
}
