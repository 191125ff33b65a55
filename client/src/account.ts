import type { Calls, Reply, Row, Tables } from './calls.ts'
import { type ServedLanguage, servedLanguage, type Wording } from './wording.ts'

export type NewAccount = {
  email: string
  password: string
  firstName: string
  lastName: string
  /** Default: the university of the address' domain. */
  universityId?: string
  /** Of the mails; default: the client's, where the service has it. */
  language?: ServedLanguage
  /** Where the page that the mail leads to goes on: an address that the project allows. */
  redirectTo?: string
  /** What a captcha gave the person, where the project wants one. */
  captchaToken?: string
}

export type Account = {
  /**
   * The same answer whether or not the address has an account: a code is in the mail, for `supabase.auth.verifyOtp`.
   *
   * @throws {WellbeingError} `weak_password`, `university_not_accepted`, `invalid_parameters`, `captcha_failed`, `rate_limited`
   */
  signUp(account: NewAccount): Promise<void>
  profile(): Promise<Row<'profiles'>>
  updateProfile(changes: Tables['profiles']['Update']): Promise<void>
  /** Tells the service the device's time zone, by which a day is counted, and the person's language. */
  tellWhere(): Promise<void>
  /** Who has looked at what is stored about the person, the latest first, up to a hundred. */
  accesses(): Promise<Reply<'get', '/api/privacy/accesses'>['accesses']>
}

export function createAccount({ supabase, call, query, userId }: Calls, wording: Wording): Account {
  async function updateProfile(changes: Tables['profiles']['Update']): Promise<void> {
    const id = await userId()
    await query(() => supabase.from('profiles').update(changes).eq('user_id', id), { repeatable: true })
  }

  return {
    async signUp({ email, password, firstName, lastName, universityId, language, redirectTo, captchaToken }) {
      const spoken = language ?? servedLanguage(wording.language())
      await call('post', '/api/auth/signup', {
        body: {
          ...{ email, password, first_name: firstName, last_name: lastName },
          ...(universityId !== undefined && { university_id: universityId }),
          ...(spoken !== undefined && { language: spoken }),
          ...(redirectTo !== undefined && { redirect_to: redirectTo }),
          ...(captchaToken !== undefined && { captcha_token: captchaToken }),
        },
      })
    },
    async profile() {
      const id = await userId()
      return query(() => supabase.from('profiles').select().eq('user_id', id).single(), { repeatable: true })
    },
    updateProfile,
    tellWhere() {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
      return updateProfile({ time_zone: timeZone, language: wording.language() })
    },
    async accesses() {
      const { accesses } = await call('get', '/api/privacy/accesses', { params: { query: { limit: 100 } } })
      return accesses
    },
  }
}
