import { html, raw } from 'hono/html'
import { directionOf, type Language } from '../languages.ts'
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

/** Options of the response. */
export type PageOptions = { status?: number; headers?: Record<string, string> }

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
  { status = 200, headers = {} }: PageOptions = {},
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
  return new Response(String(document), {
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
