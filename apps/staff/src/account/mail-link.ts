import { useSyncExternalStore } from 'react'

/** What a mail of Auth leads here for, by the names of Auth. */
const LINK_TYPES = ['signup', 'invite', 'recovery', 'magiclink', 'email_change'] as const
type LinkType = (typeof LINK_TYPES)[number]

/** A link as the mail has it. */
export type MailLink = { token: string; type: LinkType; redirectTo: string | undefined }

const SCREEN = '#/auth/confirm'

let link: MailLink | null = null
const listeners = new Set<() => void>()

/** Takes the token of a mail's link out of the address, before anything else reads, keeps or shows it. */
export function takeMailLink(): void {
  const [screen, query] = location.hash.split('?')
  if (screen !== SCREEN || query === undefined) return
  history.replaceState(history.state, '', SCREEN)
  const said = new URLSearchParams(query)
  const type = LINK_TYPES.find((one) => one === said.get('type'))
  const token = said.get('token_hash')
  link = type && token ? { token, type, redirectTo: said.get('redirect_to') || undefined } : null
  for (const tell of listeners) tell()
}

/** Forgets the link, whose token is used. */
export function forgetMailLink(): void {
  link = null
}

/** Of a mail that is opened while the app is. It is the first to hear of a new address. */
addEventListener('hashchange', takeMailLink)

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The link of the mail that led here; null where none did, or the app was loaded again since. */
export function useMailLink(): MailLink | null {
  return useSyncExternalStore(subscribe, () => link)
}
