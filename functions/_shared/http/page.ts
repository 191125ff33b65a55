import { html, raw } from 'hono/html'
import type { RequestContext } from './handle.ts'
import { SERVICE_HEADERS } from './response.ts'

/** A piece of HTML as hono's `html` makes it: what it holds is escaped. */
export type Html = ReturnType<typeof html>

/** What a page is made of. No page has a script, and none loads anything. */
export type PageContent = {
  title: string
  /** The page's only style sheet: browsers refuse every other one, and style attributes too. */
  style: string
  /** What stands in the body. */
  body: Html
}

/** The call that a page answers. */
export type PageCall = {
  request: Request
  context: RequestContext
  /** Where people see the pages when that is not where the functions are: `PUBLIC_PAGES_URL`. */
  pagesUrl?: string
}

/** What an answer with a page has beside it; `cookies` are whole `Set-Cookie` values. */
export type PageOptions = { status?: number; headers?: Record<string, string>; cookies?: readonly string[] }

/** By which a host of pages says that it passes a request on, where the platform overwrites the other two. */
const HOST_HEADERS = ['host', 'x-forwarded-host', 'x-pages-host']

/**
 * Answers with an HTML page, or leads to it: a hosted project without a domain of its own shows HTML as plain text, so
 * with `PUBLIC_PAGES_URL` set a page is seen there, under the same path.
 *
 * @example
 * return page({ title: 'Calls', style: STYLE, body: html`<h1>Calls</h1>` }, call)
 */
export async function page(
  { title, style, body }: PageContent,
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
<html lang="en">
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
  const answer = new Response(String(document), {
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
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
  return answer
}

function addressElsewhere({ request, pagesUrl }: PageCall): string | null {
  if (pagesUrl === undefined) return null
  const pages = new URL(pagesUrl)
  const { host, pathname, search } = new URL(request.url)
  const told = HOST_HEADERS.map((name) => request.headers.get(name))
  if ([host, ...told].includes(pages.host)) return null
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
