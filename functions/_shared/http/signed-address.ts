/** A signed address as apps reach it, whatever address the functions reach Storage by. */
export function reachable(signedUrl: string, publicUrl: string): string {
  const { pathname, search } = new URL(signedUrl)
  return new URL(pathname + search, publicUrl).href
}

/** When a signed token ends, from its `exp` claim. */
export function expiryOf(token: string): string {
  const claims: unknown = JSON.parse(
    atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')),
  )
  if (typeof claims === 'object' && claims && 'exp' in claims && typeof claims.exp === 'number') {
    return new Date(claims.exp * 1000).toISOString()
  }
  throw new Error('The signed token has no expiry')
}
