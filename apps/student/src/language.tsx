import type { ServedLanguage } from '@student-wellbeing/client'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { I18nProvider, isRTL } from 'react-aria-components'
import { IntlProvider } from 'react-intl'
import { remember, remembered } from './remembered.ts'

type Catalog = Record<FormatjsIntl.Message['ids'], string>

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

const LanguageContext = createContext<Choice | null>(null)

/** The language of the app, and what changes it. */
export function useLanguage() {
  const context = useContext(LanguageContext)
  if (!context) throw new Error('useLanguage outside of the app')
  return context
}

/** With the browser's region, which dates are written by: `en-GB`. */
function localeOf(language: ServedLanguage): string {
  return navigator.languages.find((tag) => tag.startsWith(`${language}-`)) ?? language
}

export function LanguageProvider({ initial, children }: { initial: Speech; children: ReactNode }) {
  const [{ language, messages }, setSpeech] = useState(initial)
  const choose = useCallback(async (chosen: ServedLanguage) => {
    setSpeech(await loadLanguage(chosen))
    remember('language', chosen)
  }, [])
  const context = useMemo(() => ({ language, choose }), [language, choose])
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={language}>
        <IntlProvider locale={localeOf(language)} messages={messages}>
          {children}
        </IntlProvider>
      </I18nProvider>
    </LanguageContext>
  )
}
