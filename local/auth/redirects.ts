const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

function parse(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null
}

/** A glob as GoTrue reads it: `*` stays within a part between `.` and `/`, `**` crosses them, `?` is one character. */
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
 * Where a link may lead: `requested` if it is on the site itself or matches an allowed address, else the site.
 */
export function allowedRedirect(
  requested: string | null | undefined,
  siteUrl: string,
  allowed: string[],
): string {
  if (!requested) return siteUrl
  const url = parse(requested)
  const site = parse(siteUrl)
  if (!url) return siteUrl
  if (site && url.protocol === site.protocol && url.hostname === site.hostname) {
    if (url.port === site.port || loopback.has(url.hostname)) return requested
  }
  const withoutFragment = requested.replace(/#.*$/, '')
  return allowed.some((glob) => globToRegExp(glob).test(withoutFragment)) ? requested : siteUrl
}
