import { AR } from './ar.ts'
import { DE } from './de.ts'
import { EN, type Words } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'

/** The languages of the pages, as `private.served_language` has them. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar'] as const

export type Language = (typeof LANGUAGES)[number]

/** The catalog of each. */
export const WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE, es: ES, fr: FR, ar: AR }

/** Whether a text is the code of one of them. */
export function isLanguage(text: string | null | undefined): text is Language {
  return LANGUAGES.some((language) => language === text)
}

/** The first of them that a browser asks for, by the order that it prefers (RFC 9110, 12.5.4); else English. */
export function languageOfBrowser(acceptLanguage: string | null): Language {
  const asked = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters.map((text) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(text)?.[1]).find(Boolean)
    return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) }
  })
  const [first] = asked
    .filter(({ language, quality }) => isLanguage(language) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return isLanguage(first?.language) ? first.language : 'en'
}
