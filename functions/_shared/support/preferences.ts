import * as z from 'zod'
import { crisisResources } from '../crisis-resources.ts'
import type { Database } from '../database.ts'
import { LANGUAGES, type Language } from '../languages.ts'
import { hashOf } from './requests.ts'

const preferencesView = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('open'),
    language: z.enum(LANGUAGES),
    time_zone: z.string().nullable(),
    texts_at_night: z.boolean(),
    number_time_zones: z.array(z.string()),
    resources: crisisResources,
  }),
  z.object({ state: z.literal('unknown'), resources: crisisResources }),
])

/** What a contact chose, as `private.read_preferences` returns it. */
export type PreferencesView = z.output<typeof preferencesView>

/** When and how a contact is written to. `timeZone` is an IANA name. */
export type Preferences = { timeZone: string; textsAtNight: boolean; language: Language }

/** Reads what the contact chose whom a link was sent to; changes nothing. */
export async function readPreferences(database: Database, token: string): Promise<PreferencesView> {
  const [row] = await database`select private.read_preferences(${hashOf(token)}, now()) as view`
  return preferencesView.parse(row?.view)
}

/** Stores what a contact chooses; false when the link is over. */
export async function changePreferences(
  database: Database,
  token: string,
  { timeZone, textsAtNight, language }: Preferences,
): Promise<boolean> {
  const [row] = await database<[{ stored: boolean }]>`
    select private.change_preferences(${hashOf(token)}, ${timeZone}, ${textsAtNight}, ${language}, now()) as stored`
  return row.stored
}

/** The language of whoever a link was sent to; null where it leads nowhere. */
export async function languageOfLink(database: Database, token: string): Promise<Language | null> {
  const [row] = await database`select private.language_of_link(${hashOf(token)}) as language`
  return z.enum(LANGUAGES).nullable().parse(row?.language)
}
