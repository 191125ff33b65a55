import type { SupabaseClient } from '@supabase/supabase-js'
import type { Device } from './device.ts'
import { type ClientErrorCode, isClientErrorCode, type WellbeingError, type Words } from './errors.ts'
import { errorOfInvoke, isRecord } from './explain.ts'
import type { paths } from './generated/api.ts'
import type { Database } from './generated/database.ts'
import { pause } from './pause.ts'
import { readStored } from './stored.ts'

/** Longest wait for the words of an error, milliseconds; then it is told in English. */
const WORDS_WITHIN_MS = 5000
/** How long words are kept on the device before they are read again, milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000

type FailureReasons = paths['/api/failure-reasons']['get']['responses']['200']['content']['application/json']
type Catalog = Record<string, Words>
type OwnCatalog = Record<ClientErrorCode, Words>

/** Of the client's own codes, by language. */
const OWN = {
  en: () => import('./words/en.ts'),
  de: () => import('./words/de.ts'),
  es: () => import('./words/es.ts'),
  fr: () => import('./words/fr.ts'),
  ar: () => import('./words/ar.ts'),
} satisfies Record<string, () => Promise<{ WORDS: OwnCatalog }>>

/** The languages that the service speaks. */
export type ServedLanguage = keyof typeof OWN

/** The served language of a tag (`de` of `de-AT`); undefined where there is none. */
export function servedLanguage(tag: string): ServedLanguage | undefined {
  const base = baseOf(tag)
  return isServed(base) ? base : undefined
}

function isServed(language: string): language is ServedLanguage {
  return Object.hasOwn(OWN, language)
}

/** Words for codes, in the person's language. */
export type Wording = {
  language(): string
  setLanguage(language: string): void
  /** Words of a code; of one without any, that something went wrong. Rejects where they cannot be read. */
  wordsOf(code: string): Promise<Words>
  /** The error in the person's words; in its own, in English, where they cannot be read. */
  translate(error: WellbeingError): Promise<WellbeingError>
}

/**
 * Words of the client's own codes are part of the package; all others are read from the service, before sign-in too, and kept on the
 * device.
 */
export function createWording(
  supabase: SupabaseClient<Database>,
  { items }: Pick<Device, 'items'>,
  initial: string,
): Wording {
  let language = initial
  const read = new Map<string, Promise<Catalog>>()
  const own = (tag: string) => OWN[servedLanguage(tag) ?? 'en']().then(({ WORDS }) => WORDS)
  // While there is a network: the words for when there is none.
  const prepare = () => void own(language).catch(() => {})

  /** The service's words, read once in the life of the client. */
  function catalog(tag: string): Promise<Catalog> {
    const known = read.get(tag) ?? readCatalog(tag)
    read.set(tag, known)
    known.catch(() => read.delete(tag))
    return known
  }

  async function readCatalog(tag: string): Promise<Catalog> {
    const key = `wellbeing.words.${tag}`
    const kept = readStored(await items.getItem(key).catch(() => null), isStoredCatalog)
    if (kept && Math.abs(Date.now() - kept.readAt) < KEPT_MS) return kept.words
    const { data, error } = await supabase.functions.invoke<FailureReasons>(
      `api/failure-reasons?languages=${encodeURIComponent(tag)}`,
      { method: 'GET' },
    )
    if (error || !data) {
      if (kept) return kept.words
      throw await errorOfInvoke(error)
    }
    const words = Object.fromEntries(data.reasons.map(({ code, title, advice }) => [code, { title, advice }]))
    await items.setItem(key, JSON.stringify({ readAt: Date.now(), words })).catch(() => {})
    return words
  }

  async function serviceWords(code: string): Promise<Words | undefined> {
    const words = await catalog(language)
    return Object.hasOwn(words, code) ? words[code] : undefined
  }

  async function wordsOf(code: string): Promise<Words> {
    const ours = await own(language)
    return isClientErrorCode(code) ? ours[code] : ((await serviceWords(code)) ?? ours.unknown)
  }

  /** Of the code that was reported, where it says more than the code that it was taken for. */
  async function wordsOfError({ code, details }: WellbeingError): Promise<Words> {
    if (isClientErrorCode(code) && code !== 'unknown') return wordsOf(code)
    const reported = typeof details.code === 'string' ? await serviceWords(details.code) : undefined
    return reported ?? wordsOf(code)
  }

  prepare()
  return {
    language: () => language,
    setLanguage(tag) {
      language = tag
      prepare()
    },
    wordsOf,
    async translate(error) {
      const found = new AbortController()
      const wording = wordsOfError(error).catch(() => null)
      const words = await Promise.race([wording, pause(WORDS_WITHIN_MS, found.signal)])
      found.abort()
      return words ? error.inWords(words) : error
    },
  }
}

function baseOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? tag
}

function isStoredCatalog(value: unknown): value is { readAt: number; words: Catalog } {
  return isRecord(value) && typeof value.readAt === 'number' && isRecord(value.words)
}
