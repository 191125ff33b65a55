import type { AuthSettings } from '../config.ts'

/** What decides where people may be sent. */
type Addresses = { siteUrl: string; settings: Pick<AuthSettings, 'additional_redirect_urls'> }

/** A glob as Auth reads it: `*` stays within a part between `.` and `/`, `**` crosses them, `?` is one character. */
function globToRegExp(glob: string): RegExp {
  const source = glob.replace(/\*\*|[\s\S]/g, (token) => {
    if (token === '**') return '.*'
    if (token === '*') return '[^./]*'
    if (token === '?') return '[^./]'
    return token.replace(/[\\^$.|+()[\]{}]/, '\\$&')
  })
  return new RegExp(`^${source}$`)
}

/**
 * Whether a link may lead to an address: one of the site itself, of this machine (127.0.0.1 at any port), or of the list.
 *
 * Source: `IsRedirectURLValid` in internal/utilities/request.go of supabase/auth.
 */
export function isAllowedRedirect(requested: string, siteUrl: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(requested) || !URL.canParse(siteUrl)) return false
  const [url, site] = [new URL(requested), new URL(siteUrl)]
  const isLoopback = /^(?:127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
  const isOwnHost = site.hostname === url.hostname && site.protocol === url.protocol
  if (isOwnHost && (site.port === url.port || isLoopback || url.hostname === 'localhost')) return true
  // As it was written: a browser reads 2130706433 as 127.0.0.1.
  const written = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(requested)?.[1] ?? ''
  if (/^\d+$/.test(written)) return false
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]*\])$/i.test(written)) return isLoopback
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:'
  if (isWeb && !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i.test(written)) return false
  const [withoutFragment = ''] = requested.split('#', 1)
  return allowed.some((glob) => globToRegExp(glob).test(withoutFragment))
}

/** Where a link may lead: `requested` if that is allowed, else the site. */
export function allowedRedirect(
  requested: string | null | undefined,
  siteUrl: string,
  allowed: readonly string[],
): string {
  return requested && isAllowedRedirect(requested, siteUrl, allowed) ? requested : siteUrl
}

/**
 * Where the client wants the mail's link to lead: the header `redirect_to`, the query's, or the page that it calls from, the first
 * that is allowed.
 */
export function redirectOf({ headers, url }: Request, { siteUrl, settings }: Addresses): string | null {
  const wanted = headers.get('redirect_to') ?? new URL(url).searchParams.get('redirect_to')
  const found = [wanted, headers.get('referer')].find(
    (address) => address && isAllowedRedirect(address, siteUrl, settings.additional_redirect_urls),
  )
  return found ?? null
}
