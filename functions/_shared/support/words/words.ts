import type { Language } from '../../languages.ts'
import { AR } from './ar.ts'
import { DE } from './de.ts'
import { EN, type Words } from './en.ts'
import { ES } from './es.ts'
import { FR } from './fr.ts'

/** What the pages of contacts say, in each language. */
export const WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE, es: ES, fr: FR, ar: AR }
