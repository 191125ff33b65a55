import type { Language } from '../../languages.ts'
import { WORDS } from '../words/words.ts'

/** Version of the wording that a contact agrees to; changed with any word of it, in any language. */
const WORDING_VERSION = '2026-11-28'

/** What a contact agrees to, as the page shows it and the audit keeps it. */
export function wordingFor(
  student: string,
  language: Language,
): { version: string; language: Language; text: string } {
  return {
    version: WORDING_VERSION,
    language,
    text: WORDS[language].verification.accept(student).wording,
  }
}
