import type en from './catalogs/en.json'

// So that the compiler knows every message: `id` takes a key of the catalogs, and no other.
declare global {
  namespace FormatjsIntl {
    interface Message {
      ids: keyof typeof en
    }
  }
}
