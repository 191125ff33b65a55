import { html, raw } from 'hono/html'
import { ServiceError } from '../errors.ts'
import { directionOf, type Language } from '../languages.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { type Caller, SESSION_COOKIE, verifyToken } from './authenticate.ts'
import type { Environment } from './environment.ts'
import type { RequestContext } from './handle.ts'
import { SERVICE_HEADERS } from './response.ts'

/** A piece of HTML as hono's `html` makes it: what it holds is escaped. */
export type Html = ReturnType<typeof html>

/** What a page is made of. No page has a script, and none loads anything. */
export type PageContent = {
  title: string
  /** English unless it says otherwise. */
  language?: Language
  /** The page's only style sheet: browsers block every other one, and style attributes too. */
  style: string
  /** What stands in the body. */
  body: Html
}

/** The request for a page. `pagesUrl`: where people see the pages when that is not where the functions are. */
type PageCall = {
  request: Request
  context: RequestContext
  environment: Pick<Environment, 'pagesUrl'>
}

/** Options of the response; `cookies` are whole `Set-Cookie` values. */
export type PageOptions = { status?: number; headers?: Record<string, string>; cookies?: readonly string[] }

/** Headers that name the host of a request; a host of pages sends the third, as the platform overwrites the others. */
const HOST_HEADERS = ['host', 'x-forwarded-host', 'x-pages-host']

/**
 * An HTML page, or a redirect to it: a hosted project without a custom domain serves HTML as plain text, so with
 * `PUBLIC_PAGES_URL` set a page is seen there, under the same path.
 *
 * @example
 * return page({ title: 'Calls', style: STYLE, body: html`<h1>Calls</h1>` }, call)
 */
export async function page(
  { title, style, body, language = 'en' }: PageContent,
  call: PageCall,
  { status = 200, headers = {}, cookies = [] }: PageOptions = {},
): Promise<Response> {
  const common = { ...SERVICE_HEADERS, 'x-request-id': call.context.requestId }
  const elsewhere = addressElsewhere(call)
  if (elsewhere) {
    return new Response(null, {
      status: 302,
      headers: { ...common, location: elsewhere, 'cache-control': 'no-store' },
    })
  }
  // Trimmed, so that what is hashed is what stands between the tags.
  const sheet = style.trim()
  const document = await html`<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? raw(' dir="rtl"') : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(sheet)}</style>
</head>
<body>
${body}
</body>
</html>
`
  const response = new Response(String(document), {
    status,
    headers: {
      ...common,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': await contentPolicy(sheet),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      ...headers,
    },
  })
  for (const cookie of cookies) response.headers.append('set-cookie', cookie)
  return response
}

function addressElsewhere({ request, environment: { pagesUrl } }: PageCall): string | null {
  if (pagesUrl === undefined) return null
  const pages = new URL(pagesUrl)
  const { host, pathname, search } = new URL(request.url)
  const hosts = HOST_HEADERS.map((name) => request.headers.get(name))
  if ([host, ...hosts].includes(pages.host)) return null
  return pages.href.replace(/\/$/, '') + pathname + search
}

/** Nothing but the page itself: its one style sheet by its hash, forms to where it came from. */
async function contentPolicy(style: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
  const hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    'img-src data:',
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

type Addresses = Pick<Environment, 'pagesUrl' | 'publicUrl'>

/** The person behind a page's access token; null when it is no longer valid. */
export async function pageCaller(token: string, supabase: ProjectClient): Promise<Caller | null> {
  try {
    return await verifyToken(token, supabase)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'unauthorized') return null
    throw error
  }
}

/**
 * The cookie that signs in to the pages of one folder: no script can read it, no other site can send it, and it ends with
 * the browser session, or earlier with the token. It has no path, so it belongs to the folder as the browser sees it.
 */
export function sessionCookie(token: string, environment: Environment): string {
  return `${SESSION_COOKIE}=${token}; ${attributes(environment)}`
}

/** The cookie that signs out of those pages. */
export function endedSessionCookie(environment: Environment): string {
  return `${SESSION_COOKIE}=; Max-Age=0; ${attributes(environment)}`
}

/**
 * Whether a form comes from a page of this host. A browser says so itself; an older one, or one that sees the page over
 * plain http, names the page's origin. A client that sends neither is not a browser.
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
