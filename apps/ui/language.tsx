import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { type ComponentProps, createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { I18nProvider, isRTL } from 'react-aria-components'
import { type FormatNumberOptions, FormattedMessage, IntlProvider, useIntl } from 'react-intl'
import { remember, remembered } from './remembered.ts'

/** The key of a text: each app declares its own, `FormatjsIntl.Message`, so that the compiler knows every message. */
export type Id = FormatjsIntl.Message['ids']

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

const isKeyOf = (messages: object, text: string): text is Id => Object.hasOwn(messages, text)

type DateStyle = 'medium' | 'long' | 'full'

/** What the person reads where an element cannot stand: texts, dates and numbers in their language. */
export function useTexts() {
  const { formatMessage, formatDate, formatNumber, locale, messages } = useIntl()
  return {
    locale,
    formatDate,
    t: (id: Id, values?: Record<string, string | number | null | undefined>) => formatMessage({ id }, values),
    /** The key that a text is, if there is such a message. */
    known: (text: string): Id | null => (isKeyOf(messages, text) ? text : null),
    date: (at: string) => formatDate(at, { dateStyle: 'long' }),
    time: (at: string, dateStyle: DateStyle = 'medium') => formatDate(at, { dateStyle, timeStyle: 'short' }),
    number: (value: number, options?: FormatNumberOptions) =>
      formatNumber(value, { maximumFractionDigits: 0, ...options }),
  }
}

/** Messages by their keys, some of them parsed already. */
export type Catalog = Record<Id, string>

/** The languages that the apps speak, all of those that the service does. */
export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ar'] as const
export type ServedLanguage = (typeof LANGUAGES)[number]

/** The language that was chosen on this device, else the first of the browser's that the app speaks, else English. */
export function preferredLanguage(): ServedLanguage {
  const wanted = [remembered('language') ?? [], navigator.languages].flat().map((tag) => tag.split('-')[0])
  const spoken = wanted.flatMap((tag) => LANGUAGES.filter((language) => language === tag))
  return spoken[0] ?? 'en'
}

/** A language with its messages. Only the one that is used is loaded. */
export type Speech = { language: ServedLanguage; messages: Catalog }

/** The catalogs of an app. */
export type Catalogs = Record<ServedLanguage, () => Promise<{ default: Catalog }>>

/** Loads the messages of a language. */
export async function loadLanguage(language: ServedLanguage, catalogs: Catalogs): Promise<Speech> {
  const { default: messages } = await catalogs[language]()
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

/** Messages as `react-intl` has them without its parser: it looks for arguments in every text that is not parsed. */
function parsed(messages: Catalog): Record<string, MessageFormatElement[]> {
  const literal = (value: string) => [{ type: TYPE.literal as const, value }]
  return Object.fromEntries(
    Object.entries<string | MessageFormatElement[]>(messages).map(([key, message]) => [
      key,
      typeof message === 'string' ? literal(message) : message,
    ]),
  )
}

type ProviderProps = { initial: Speech; catalogs: Catalogs; children: ReactNode }

export function LanguageProvider({ initial, catalogs, children }: ProviderProps) {
  const [{ language, messages }, setSpeech] = useState(initial)
  const elements = useMemo(() => parsed(messages), [messages])
  async function choose(chosen: ServedLanguage) {
    setSpeech(await loadLanguage(chosen, catalogs))
    remember('language', chosen)
  }
  return (
    <LanguageContext value={{ language, choose }}>
      <I18nProvider locale={language}>
        <IntlProvider locale={localeOf(language)} messages={elements}>
          {children}
        </IntlProvider>
      </I18nProvider>
    </LanguageContext>
  )
}
