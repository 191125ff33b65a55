import { remember, remembered } from './remembered.ts'

export const APPEARANCES = ['system', 'light', 'dark'] as const
export type Appearance = (typeof APPEARANCES)[number]

/** How the app looks on this device: as the system does, until somebody chooses. */
export function appearance(): Appearance {
  return APPEARANCES.find((one) => one === remembered('appearance')) ?? 'system'
}

export function showAppearance(chosen: Appearance): void {
  document.documentElement.dataset.appearance = chosen
}

export function chooseAppearance(chosen: Appearance): void {
  remember('appearance', chosen)
  showAppearance(chosen)
}
