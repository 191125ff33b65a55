import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { I18nProvider, isRTL } from 'react-aria-components'
import { IntlProvider } from 'react-intl'
import { remember, remembered } from './remembered.ts'

type Catalog = Record<FormatjsIntl.Message['ids'], string>

const CATALOGS = import.meta.glob<Catalog>('./catalogs/*.json', { import: 'default' })

/** The languages that the app speaks, as BCP 47 tags. */
export const LANGUAGES = Object.keys(CATALOGS).map((path) =>
  path.slice('./catalogs/'.length, -'.json'.length),
)

/** The language that was chosen on this device, else the first of the browser's that the app speaks, else English. */
export function preferredLanguage(): string {
  const wanted = [remembered('language') ?? [], navigator.languages].flat()
  const spoken = wanted.map((tag) => new Intl.Locale(tag).language)
  return spoken.find((language) => LANGUAGES.includes(language)) ?? 'en'
}

/** A language with its messages. Only the one that is used is loaded. */
export type Speech = { language: string; messages: Catalog }

export async function loadLanguage(language: string): Promise<Speech> {
  const load = CATALOGS[`./catalogs/${language}.json`]
  if (!load) throw new Error(`The app does not speak ${language}`)
  const messages = await load()
  document.documentElement.lang = language
  document.documentElement.dir = isRTL(language) ? 'rtl' : 'ltr'
  return { language, messages }
}

const LanguageContext = createContext<{ language: string; choose(language: string): Promise<void> } | null>(
  null,
)

/** The language of the app, and what changes it. */
export function useLanguage() {
  const context = useContext(LanguageContext)
  if (!context) throw new Error('useLanguage outside of the app')
  return context
}

export function LanguageProvider({ initial, children }: { initial: Speech; children: ReactNode }) {
  const [{ language, messages }, setSpeech] = useState(initial)
  const choose = useCallback(async (chosen: string) => {
    setSpeech(await loadLanguage(chosen))
    remember('language', chosen)
  }, [])
  const context = useMemo(() => ({ language, choose }), [language, choose])
  return (
    <LanguageContext value={context}>
      <I18nProvider locale={language}>
        <IntlProvider key={language} locale={language} messages={messages}>
          {children}
        </IntlProvider>
      </I18nProvider>
    </LanguageContext>
  )
}
