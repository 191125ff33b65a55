import type { AuthSettings } from '../gateway/config.ts'
import type { Sql } from './database.ts'
import type { TokenSigner } from './jwt.ts'
import type { AuthMailer } from './mail.ts'
import type { Passwords } from './passwords.ts'

/** What every part of the auth API works with. */
export interface AuthContext {
  sql: Sql
  settings: AuthSettings
  tokens: TokenSigner
  passwords: Passwords
  mailer: AuthMailer
  /** Where the API is reached from outside, without a trailing slash. */
  apiUrl: string
  /** Where links in mails lead when a request names no address of its own. */
  siteUrl: string
}
