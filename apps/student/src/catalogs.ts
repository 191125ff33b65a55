import type elements from '../../ui/catalogs/en.json'
import type { Catalog } from '../../ui/language.tsx'
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
export const CATALOGS = import.meta.glob<Partial<Catalog>>('./catalogs/*.json', { import: 'default' })
