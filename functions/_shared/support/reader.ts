import { isLanguage, type Language, languageOfBrowser } from '../languages.ts'
import type { Reader } from './pages/layout.ts'
import { WORDS } from './words/words.ts'

/** What a page knows of its reader beside their language. */
type Known = {
  /** The language that a form has just chosen. */
  chosen?: Language
  /** Where they choose time zone and language, relative to the page. */
  settings?: string
  /** What stays in the page's address when the language is changed. */
  query?: string
}

/**
 * Who reads a page: in the language that its address asks for (`language=`), else in their own, else in the first of the browser's
 * that there is.
 *
 * @param own language of the contact; null where it is not known who reads
 */
export function readerOf(
  { request }: { request: Request },
  own: Language | null,
  { chosen, settings, query = '' }: Known = {},
): Reader {
  const asked = new URL(request.url).searchParams.get('language')
  const language =
    chosen ?? (isLanguage(asked) ? asked : (own ?? languageOfBrowser(request.headers.get('accept-language'))))
  return {
    language,
    words: WORDS[language],
    query,
    settings: settings === undefined ? null : `${settings}?language=${language}`,
  }
}
