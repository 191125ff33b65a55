import type { ServedLanguage } from '@student-wellbeing/client'
import { type ComponentProps, createContext, type ReactNode, useContext, useState } from 'react'
import { I18nProvider, isRTL } from 'react-aria-components'
import { type FormatNumberOptions, FormattedMessage, IntlProvider, useIntl } from 'react-intl'
import type en from './catalogs/en.json'
import { remember, remembered } from './remembered.ts'

// So that the compiler knows every message: `id` takes a key of the catalogs, and no other.
declare global {
  namespace FormatjsIntl {
    interface Message {
      ids: keyof typeof en
    }
  }
}

/** The key of a text. */
export type Id = keyof typeof en

/** What a text is filled with. */
export type Values = NonNullable<ComponentProps<typeof FormattedMessage>['values']>

/** A text in the person's language. */
export function T({ id, ...values }: { id: Id } & Values) {
  return <FormattedMessage id={id} values={values} />
}

/** A text as a paragraph. */
export function P({
  id,
  className,
  role,
  ...values
}: { id: Id; className?: string; role?: string } & Values) {
  return (
    <p className={className} role={role}>
      <FormattedMessage id={id} values={values} />
    </p>
  )
}

type DateStyle = 'medium' | 'long' | 'full'

/** What the person reads where an element cannot stand: texts, dates and numbers in their language. */
export function useTexts() {
  const { formatMessage, formatDate, formatNumber, locale } = useIntl()
  return {
    locale,
    formatDate,
    t: (id: Id, values?: Record<string, string | number | null | undefined>) => formatMessage({ id }, values),
    date: (at: string) => formatDate(at, { dateStyle: 'long' }),
    time: (at: string, dateStyle: DateStyle = 'medium') => formatDate(at, { dateStyle, timeStyle: 'short' }),
    number: (value: number, options?: FormatNumberOptions) =>
      formatNumber(value, { maximumFractionDigits: 0, ...options }),
  }
}

type Catalog = Record<Id, string>

const CATALOGS = import.meta.glob<Catalog>('./catalogs/*.json', { import: 'default' })

/** The languages that the app speaks, all of those that the service does. */
export const LANGUAGES: readonly ServedLanguage[] = ['en', 'de', 'es', 'fr', 'ar']

/** The language that was chosen on this device, else the first of the browser's that the app speaks, else English. */
export function preferredLanguage(): ServedLanguage {
  const wanted = [remembered('language') ?? [], navigator.languages].flat().map((tag) => tag.split('-')[0])
  const spoken = wanted.flatMap((tag) => LANGUAGES.filter((language) => language === tag))
  return spoken[0] ?? 'en'
}

/** A language with its messages. Only the one that is used is loaded. */
export type Speech = { language: ServedLanguage; messages: Catalog }

export async function loadLanguage(language: ServedLanguage): Promise<Speech> {
  const load = CATALOGS[`./catalogs/${language}.json`]
  if (!load) throw new Error(`The app does not speak ${language}`)
  const messages = await load()
  document.documentElement.lang = language
  document.documentElement.dir = isRTL(language) ? 'rtl' : 'ltr'
  return { language, messages }
}

type Choice = { language: ServedLanguage; choose(language: ServedLanguage): Promise<void> }

const LanguageContext = createContext<Choice>({ language: 'en', choose: async () => {} })

/** The language of the app, and what changes it. */
export const useLanguage = () => useContext(LanguageContext)

/** With the browser's region, which dates are written by: `en-GB`. */
function localeOf(language: ServedLanguage): string {
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? language
}

export function LanguageProvider({ initial, children }: { initial: Speech; children: ReactNode }) {
  const [{ language, messages }, setSpeech] = useState(initial)
  async function choose(chosen: ServedLanguage) {
    setSpeech(await loadLanguage(chosen))
    remember('language', chosen)
  }
  return (
    <LanguageContext value={{ language, choose }}>
      <I18nProvider locale={language}>
        <IntlProvider locale={localeOf(language)} messages={messages}>
          {children}
        </IntlProvider>
      </I18nProvider>
    </LanguageContext>
  )
}
