import { localStack } from '../stack/project.ts'

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
  fields: Record<string, string> = { confirm: 'yes' },
  headers: Record<string, string> = {},
): Promise<{ status: number; html: string }> {
  const response = await fetch(link, { method: 'POST', body: new URLSearchParams(fields), headers })
  return { status: response.status, html: await response.text() }
}
