import { readEnvironment, SETTINGS } from '../../functions/_shared/http/environment.ts'

/** What the platform sets itself, or no stage may have. */
const NOT_SENT = /^SUPABASE_|^INBOX_URL$/

/** The settings that go to a stage's functions as secrets, with their values, in order of their names. */
export function functionSettings(settings: NodeJS.Dict<string>): [name: string, value: string][] {
  return SETTINGS.filter((name) => !NOT_SENT.test(name))
    .flatMap((name): [string, string][] => {
      const value = settings[name]
      return value ? [[name, value]] : []
    })
    .sort(([a], [b]) => a.localeCompare(b))
}

/**
 * Reads the settings as the functions will. Throws an error that names what is malformed, such as a secret that is too
 * short, and shows no value.
 */
export function requireValidSettings(settings: NodeJS.Dict<string>, apiUrl: string): void {
  const platform = {
    SUPABASE_URL: apiUrl,
    SUPABASE_DB_URL: 'postgresql://postgres@127.0.0.1/postgres',
    SUPABASE_ANON_KEY: 'of the platform',
    SUPABASE_SERVICE_ROLE_KEY: 'of the platform',
  }
  const { missingSettings } = readEnvironment({
    ...Object.fromEntries(functionSettings(settings)),
    ...platform,
  })
  if (missingSettings.length > 0)
    throw new Error(`${missingSettings.join(', ')} must be set too, or none of the provider's settings`)
}
