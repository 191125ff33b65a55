import { ServiceError } from '../errors.ts'

/** Where mails may lead people: the site, whose pages confirm, and the list of `additional_redirect_urls`. */
export type Redirects = { site: string; allowed: readonly string[] }

/**
 * Checks an address that a mail shall lead to. Auth, which has the last word, sends people to the site instead and says nothing
 * (`IsRedirectURLValid` in internal/utilities/request.go of supabase/auth), so that whoever writes an app would look for it in vain.
 *
 * Throws `redirect_not_allowed`, which names the list.
 */
export function requireAllowedRedirect({ site, allowed }: Redirects, address: string | undefined): void {
  if (address === undefined || isAllowed(address, { site, allowed })) return
  throw new ServiceError(
    'redirect_not_allowed',
    'redirect_to is not on the list of addresses that mails may lead to: additional_redirect_urls in [auth] of supabase/config.toml.',
    { allowed: [site, 'http://127.0.0.1:*', ...allowed] },
  )
}

/** Whether Auth would lead people to an address. */
export function isAllowed(address: string, { site, allowed }: Redirects): boolean {
  if (!URL.canParse(address) || !URL.canParse(site)) return false
  const [url, own] = [new URL(address), new URL(site)]
  const isLoopback = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  if (url.protocol === own.protocol && url.hostname === own.hostname) {
    if (url.port === own.port || isLoopback || url.hostname === 'localhost') return true
  }
  // As it was written: a browser reads 2130706433 as 127.0.0.1, Auth as nothing.
  const host = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(address)?.[1] ?? ''
  if (/^\d+$/.test(host)) return false
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]*\])$/i.test(host)) return isLoopback
  if (/^https?:$/.test(url.protocol) && !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(host)) return false
  const [withoutFragment = ''] = address.split('#', 1)
  return allowed.some((glob) => matching(glob).test(withoutFragment))
}

/** A glob of the list: `*` stays within a part between `.` and `/`, `**` crosses them, `?` is one character. */
function matching(glob: string): RegExp {
  const source = glob.replace(/\*\*|[\s\S]/g, (token) => {
    if (token === '**') return '.*'
    if (token === '*') return '[^./]*'
    if (token === '?') return '[^./]'
    return token.replace(/[\\^$.|+()[\]{}]/, '\\$&')
  })
  return new RegExp(`^${source}$`)
}
