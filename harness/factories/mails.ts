import { type AuthError, createClient, type EmailOtpType, type SupabaseClient } from '@supabase/supabase-js'
import type { Database } from '../../types/database.ts'
import { localStack, type Project } from '../stack/project.ts'

export type Mail = { to: string; subject: string; text: string; html: string }

/** Mails to an address that the inbox of the local stack has, the newest first. */
export async function mailsTo(address: string): Promise<Mail[]> {
  const response = await fetch(`${localStack().inboxUrl}/api/messages?to=${encodeURIComponent(address)}`)
  const { messages }: { messages: Mail[] } = await response.json()
  return messages
}

/** The page that the newest mail to an address leads to. Throws when there is none. */
export async function linkTo(address: string): Promise<string> {
  const [mail] = await mailsTo(address)
  const link = mail?.text.match(/https?:\S+/)?.[0]
  if (!link) throw new Error(`No mail with a link came to ${address}`)
  return link
}

/** Sends the form of a page that a mail leads to, as its button does. */
export async function pressButton(
  link: string,
  fields: Record<string, string>,
): Promise<{ status: number; html: string }> {
  const response = await fetch(link, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, html: await response.text() }
}

/** What a link in a mail of Auth says to the screen that it leads to. */
export type AuthLink = { token_hash: string; type: EmailOtpType; redirect_to: string }

/** The link of the newest mail of Auth to an address. Throws when there is none. */
export async function authLinkTo(address: string): Promise<AuthLink> {
  const { hash } = new URL(await linkTo(address))
  const [screen, query = ''] = hash.split('?')
  if (screen !== '#/auth/confirm') throw new Error(`The mail leads to ${hash}`)
  const said = new URLSearchParams(query)
  return {
    token_hash: said.get('token_hash') ?? '',
    type: typeOf(said.get('type')),
    redirect_to: said.get('redirect_to') ?? '',
  }
}

function typeOf(said: string | null): EmailOtpType {
  const types = ['signup', 'invite', 'recovery', 'magiclink', 'email_change'] as const
  const type = types.find((one) => one === said)
  if (!type) throw new Error(`The mail is for ${said}`)
  return type
}

/** Takes a link as that screen does when its button is pressed: a client with the session that it gave, or why there is none. */
export async function takeLink(
  { apiUrl, publishableKey }: Project,
  { token_hash, type }: AuthLink,
): Promise<{ client: SupabaseClient<Database>; error: AuthError | null }> {
  const client = createClient<Database>(apiUrl, publishableKey, { auth: { persistSession: false } })
  const { error } = await client.auth.verifyOtp({ token_hash, type })
  return { client, error }
}
