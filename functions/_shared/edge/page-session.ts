import { ServiceError } from '../errors.ts'
import { bearerToken, type Caller, callerWith } from './authenticate.ts'
import type { Environment } from './environment.ts'
import type { ProjectClient } from './project-client.ts'

const COOKIE = 'wellbeing_session'
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

/** Whether a form comes from a page of this host. Browsers tell; what does not tell is no browser. */
export function isOwnForm({ headers }: Request): boolean {
  return ['same-origin', 'none', null].includes(headers.get('sec-fetch-site'))
}

function attributes({ pagesUrl, publicUrl }: Environment): string {
  const secure = new URL(pagesUrl ?? publicUrl).protocol === 'https:'
  return `HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}
