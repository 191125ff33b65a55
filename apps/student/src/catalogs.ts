import type elements from '../../ui/catalogs/en.json'
import type { Catalogs } from '../../ui/language.tsx'
import type en from './catalogs/en.json'

// So that the compiler knows every message: `id` takes a key of the catalogs, and no other.
declare global {
  namespace FormatjsIntl {
    interface Message {
      ids: keyof typeof en | keyof typeof elements
    }
  }
}

/** The app's messages by language, each loaded when it is spoken. */
export const CATALOGS: Catalogs = {
  en: () => import('virtual:messages/en'),
  de: () => import('virtual:messages/de'),
  es: () => import('virtual:messages/es'),
  fr: () => import('virtual:messages/fr'),
  ar: () => import('virtual:messages/ar'),
}
