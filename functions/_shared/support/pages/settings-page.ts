import { html } from 'hono/html'
import type { Language } from '../../languages.ts'
import type { PreferencesView } from '../preferences.ts'
import {
  FORM,
  helpSection,
  languageField,
  noticePage,
  type Piece,
  problemNote,
  type Reader,
  type SupportPage,
  supportPage,
  when,
} from './layout.ts'
import { suggestedZone, zoneField } from './time-zones.ts'

/** What was sent with something missing. */
export type SettingsProblem = {
  missing: readonly ('zone' | 'language')[]
  timeZone: string
  textsAtNight: boolean
  language: Language | null
}

/** The page on which a contact chooses time zone, night and language; `saved` after they have. */
export function settingsPage(
  view: PreferencesView,
  reader: Reader,
  { problem = null, saved = false }: { problem?: SettingsProblem | null; saved?: boolean } = {},
): SupportPage {
  const { words } = reader
  if (view.state === 'unknown') {
    return noticePage(
      'settings',
      { ...words.request.unknown, resources: view.resources, status: 404 },
      reader,
    )
  }
  const { settings } = words
  const sentences = { zone: settings.chooseZone, language: settings.chooseLanguage }
  const zone = problem?.timeZone ?? view.time_zone ?? suggestedZone(view.number_time_zones, null)
  const note: Piece = saved
    ? html`<p class="done" role="status"><strong>${settings.saved}.</strong> ${settings.savedNote}</p>`
    : ''
  return supportPage(
    'settings',
    [
      html`<section><h1>${settings.heading}</h1>
${note}${FORM}
${problemNote(problem?.missing.map((field) => sentences[field]) ?? [], reader)}${zoneField(zone, view.number_time_zones, reader, problem !== null)}
<label class="choice plain field"><input type="checkbox" name="texts_at_night" value="yes"${when(problem?.textsAtNight ?? view.texts_at_night, 'checked')}>${settings.texts}</label>
${languageField(reader, problem?.language ?? view.language)}
<button type="submit">${settings.save}</button></form></section>`,
      helpSection(view.resources, words),
    ],
    reader,
    problem === null ? 200 : 422,
  )
}
