import * as z from 'zod'
import type { Database } from '../database.ts'
import { type Origin, signInClient, signInFetch } from '../platform/clients.ts'

/** What a link in a mail of Auth is for, by the names of Auth. */
export const linkType = z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email_change'])
export type LinkType = z.infer<typeof linkType>

/** A link as the mail has it. */
export type MailLink = { token: string; type: LinkType; redirectTo: string }

/** Whose colours a page has. */
export type University = { name: string; color: string }

/** What became of a link whose button was pressed. */
export type LinkOutcome =
  /** The address where Auth leads the app, with the session or a code in it. */
  | { kind: 'confirmed'; address: string; session: string | null }
  /** Of a change of address the first of two. */
  | { kind: 'half' }
  | { kind: 'expired' }
  | { kind: 'refused' }
  | { kind: 'too_many' }

type AuthCall = Origin & { environment: { supabaseUrl: string; secretKey: string } }

/**
 * The university of the account that a link was sent to, null for an account without one; undefined where no account has such a
 * link: it was used, or replaced by a newer one. Changes nothing.
 */
export async function readMailLink(
  database: Database,
  { token, type }: Pick<MailLink, 'token' | 'type'>,
): Promise<University | null | undefined> {
  const [row] = await database<[{ name: string | null; color: string | null }?]>`
    select name, color from private.mail_link(${token}, ${type})`
  if (!row) return undefined
  return row.name === null || row.color === null ? null : { name: row.name, color: row.color }
}

/**
 * Has Auth take a link, as if the person opened Auth's own: it decides where that leads, and gives the app what it gives it there.
 */
export async function takeMailLink(
  call: AuthCall,
  { token, type, redirectTo }: MailLink,
): Promise<LinkOutcome> {
  const url = new URL(`${call.environment.supabaseUrl}/auth/v1/verify`)
  url.search = new URLSearchParams({ token, type, ...(redirectTo && { redirect_to: redirectTo }) }).toString()
  const response = await signInFetch(call, url)
  await response.body?.cancel()
  const address = response.headers.get('location')
  if (address === null) return response.status === 429 ? { kind: 'too_many' } : { kind: 'refused' }
  const { hash, searchParams } = new URL(address)
  const said = new URLSearchParams(hash.slice(1))
  const error = said.get('error_code') ?? searchParams.get('error_code') ?? said.get('error')
  if (error !== null) return { kind: error === 'otp_expired' ? 'expired' : 'refused' }
  if (said.has('message')) return { kind: 'half' }
  return { kind: 'confirmed', address, session: said.get('access_token') }
}

/** Has Auth take a link of a reset or an invitation: the access token of the session in which a password is chosen, or why there is none. */
export async function openSession(
  call: AuthCall,
  { token, type }: MailLink,
): Promise<{ kind: 'session'; session: string } | Exclude<LinkOutcome, { kind: 'confirmed' | 'half' }>> {
  const { data, error } = await signInClient(call).auth.verifyOtp({ token_hash: token, type })
  if (error?.status === 429) return { kind: 'too_many' }
  if (error?.code === 'otp_expired') return { kind: 'expired' }
  if (error && (error.status ?? 500) >= 500 && error.code === undefined) throw error
  const session = data.session?.access_token
  return session ? { kind: 'session', session } : { kind: 'refused' }
}

/** What became of a new password. */
export type PasswordOutcome =
  | { kind: 'changed' }
  | { kind: 'weak'; reasons: readonly string[] }
  | { kind: 'code_needed' | 'wrong_code' | 'ended' | 'too_many' }

/**
 * Gives the account of a session a new password, and ends the session. An account with an authenticator app has to give its code
 * first.
 */
export async function choosePassword(
  call: AuthCall,
  { session, password, code }: { session: string; password: string; code: string },
): Promise<PasswordOutcome> {
  const client = signInClient(call)
  const { error: ended } = await client.auth.setSession({ access_token: session, refresh_token: 'none' })
  if (ended) return { kind: 'ended' }
  if (code !== '') {
    const { data } = await client.auth.mfa.listFactors()
    const factorId = data?.totp[0]?.id ?? ''
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: code.replaceAll(/\s/g, '') })
    if (error) return { kind: error.status === 429 ? 'too_many' : 'wrong_code' }
  }
  const { error } = await client.auth.updateUser({ password })
  // What somebody has already is what they chose.
  if (!error || error.code === 'same_password') {
    await client.auth.signOut({ scope: 'local' })
    return { kind: 'changed' }
  }
  if (error.code === 'insufficient_aal') return { kind: 'code_needed' }
  if (error.code === 'weak_password' || error.code === 'validation_failed')
    return { kind: 'weak', reasons: reasonsOf(error) }
  if (error.status === 429) return { kind: 'too_many' }
  if (error.status !== undefined && error.status < 500) return { kind: 'ended' }
  throw error
}

function reasonsOf(error: object): readonly string[] {
  return z.object({ reasons: z.array(z.string()) }).safeParse(error).data?.reasons ?? []
}
