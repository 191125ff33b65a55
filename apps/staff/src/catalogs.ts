import type elements from '../../ui/catalogs/en.json'
import type { Catalogs } from '../../ui/language.tsx'
import type account from './catalogs/account/en.json'
import type checks from './catalogs/checks/en.json'
import type link from './catalogs/link/en.json'
import type problems from './catalogs/problems/en.json'
import type reviews from './catalogs/reviews/en.json'
import type security from './catalogs/security/en.json'
import type university from './catalogs/university/en.json'

/** The messages of every area. */
type Messages = typeof elements &
  typeof account &
  typeof checks &
  typeof link &
  typeof problems &
  typeof reviews &
  typeof security &
  typeof university

// So that the compiler knows every message: `id` takes a key of the catalogs, and no other.
declare global {
  namespace FormatjsIntl {
    interface Message {
      ids: keyof Messages
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
