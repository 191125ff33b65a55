import { ServiceError } from '../errors.ts'
import { bearerToken, type Caller, callerWith } from './authenticate.ts'
import type { Environment } from './environment.ts'
import type { ProjectClient } from './project-client.ts'

const COOKIE = 'wellbeing_session'
type Addresses = Pick<Environment, 'pagesUrl' | 'publicUrl'>

const SESSION = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;\\s]+)`)

/**
 * The access token of whoever looks at a page: of the header, as an app sends it, or of the cookie that the page's form
 * set. Null for who is not signed in.
 */
export function pageToken(request: Request): string | null {
  const cookies = request.headers.get('cookie') ?? ''
  return bearerToken(request) ?? cookies.match(SESSION)?.[1] ?? null
}

/** Who looks at a page; null when the token is not valid any more. */
export async function pageCaller(token: string, supabase: ProjectClient): Promise<Caller | null> {
  try {
    return await callerWith(token, supabase)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return null
    throw error
  }
}

/**
 * The cookie that signs in to the pages of one folder: no script reads it, no other site sends it, and it ends with the
 * browser, or earlier with the token. Without a path, it belongs to the folder as the browser sees it.
 */
export function sessionCookie(token: string, environment: Environment): string {
  return `${COOKIE}=${token}; ${attributes(environment)}`
}

/** The cookie that signs out of them. */
export function endedSessionCookie(environment: Environment): string {
  return `${COOKIE}=; Max-Age=0; ${attributes(environment)}`
}

/**
 * Whether a form comes from a page of this host. A browser says so itself; an older one, or one that sees the page over
 * plain http, names the page's origin. What says neither is no browser.
 */
export function isOwnForm(request: Request, environment: Addresses): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site === 'same-origin') return true
  if (site !== null && site !== 'none') return false
  const origin = request.headers.get('origin')
  return origin === null || (URL.canParse(origin) && isOwnHost(new URL(origin).host, request, environment))
}

/** The host of the request, as the function or a proxy in front sees it, or one that the operator set. */
function isOwnHost(host: string, { url, headers }: Request, { pagesUrl, publicUrl }: Addresses): boolean {
  const own = [
    new URL(url).host,
    new URL(publicUrl).host,
    headers.get('host'),
    headers.get('x-forwarded-host'),
  ]
  return [...own, pagesUrl && new URL(pagesUrl).host].includes(host)
}

function attributes({ pagesUrl, publicUrl }: Environment): string {
  const secure = new URL(pagesUrl ?? publicUrl).protocol === 'https:'
  return `HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}
