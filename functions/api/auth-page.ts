import * as z from 'zod'
import {
  choosePassword,
  type LinkType,
  linkType,
  type MailLink,
  openSession,
  type PasswordOutcome,
  readMailLink,
  takeMailLink,
} from '../_shared/accounts/mail-links.ts'
import {
  type AuthPage,
  donePage,
  type Look,
  noticePage,
  openPage,
  type PasswordProblem,
  passwordPage,
} from '../_shared/accounts/pages/link-pages.ts'
import { WORDS } from '../_shared/accounts/pages/words.ts'
import { isAllowed } from '../_shared/accounts/redirects.ts'
import type { ErrorPage } from '../_shared/http/handle.ts'
import { countUnknownLink, type LinkCall, linkPage, readLinkForm } from '../_shared/http/link-page.ts'
import { endpoint, type Services } from '../_shared/http/serve.ts'
import { languageOfBrowser } from '../_shared/languages.ts'

/** Longest password that Auth's hash takes whole, in bytes. */
const MAX_PASSWORD_BYTES = 72

const EXAMPLE = {
  token_hash: '5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a',
  type: 'signup',
}

const common = {
  path: '/api/auth/confirm',
  tag: 'Sign-in',
  security: 'none',
  // Whose link it is has to reach it wherever they are.
  reachable: ['in_block', 'in_quarantine'],
  response: z.string().describe('HTML'),
  produces: 'text/html',
  query: z.object({
    // Of what a token is made of: no database takes each character that an address can name.
    token_hash: z
      .string()
      .regex(/^[\w-]{1,200}$/)
      .catch('')
      .describe('From the mail'),
    type: linkType.nullable().catch(null).describe('What the mail is for'),
    redirect_to: z
      .string()
      .max(2000)
      .catch('')
      .describe('Where the app goes on, if that is on the list of allowed addresses'),
  }),
} as const

const otherwise = {
  404: 'A page that says that the link does not work any more, and what to do.',
  410: 'The same: it is past its time.',
  429: 'A page that says how long to wait.',
}

type Query = z.output<(typeof common)['query']>

const showLink = endpoint(
  {
    ...common,
    id: 'showMailLink',
    method: 'get',
    summary: 'The page that a mail of Auth leads to, with the button that confirms',
    description:
      'Opening it, however often and by whatever machine, changes nothing. In the language that the browser asks for, in the colour of the university.',
    otherwise,
    example: { query: EXAMPLE },
  },
  async ({ query }, call) => {
    // The same for every link: what asks for headers alone is a machine, and learns nothing.
    if (call.request.method === 'HEAD') return show(noticePage(lookOf(call), 'site', 200), call)
    return showLinkOf(query, call)
  },
)

const takeForm = endpoint(
  {
    ...common,
    id: 'takeMailLink',
    method: 'post',
    summary: "The page's forms: confirms, and chooses a password after a reset or an invitation",
    description: 'What follows is a page too, with the way back to the app.',
    body: z.union([
      z.object({
        confirm: z.literal('yes').describe('Confirms: of sign-up, sign-in and change of address.'),
      }),
      z.object({
        password: z.string().describe('The new password: of a reset, an invitation, or after a sign-up.'),
        session: z.string().optional().describe('From the page, where the form is shown again.'),
        code: z.string().optional().describe('Of the authenticator app, where the account has one.'),
      }),
    ]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      ...otherwise,
      403: 'A page that says that this could not be confirmed, and what to do.',
      422: 'The page again: the password is too weak, or a code is needed.',
    },
    example: { query: EXAMPLE, body: { confirm: 'yes' } },
  },
  async ({ query }, call) => {
    if (isSentByOtherSite(call.request)) return showLinkOf(query, call)
    const form = await readLinkForm(call)
    // Of a link that was taken just now: its session stands for it.
    if (form.session) return takePassword(query, { ...form, session: form.session }, lookOf(call), call)
    const found = await find(query, call)
    if (found instanceof Response) return found
    const { link, look } = found
    if (link.type === 'recovery' || link.type === 'invite') {
      const weak = problemOf(form.password ?? '')
      // Before the link is used up.
      if (weak) return show(openPage(look, link.type, { problem: WORDS[look.language].weak[weak] }), call)
      const opened = await openSession(call, link)
      if (opened.kind !== 'session') return show(failedPage(look, opened.kind), call)
      return takePassword(query, { ...form, session: opened.session }, look, call)
    }
    if (form.confirm !== 'yes') return show(openPage(look, link.type), call)
    const outcome = await takeMailLink(call, link)
    if (outcome.kind === 'half') return show(noticePage(look, 'half', 200), call)
    if (outcome.kind !== 'confirmed') return show(failedPage(look, outcome.kind), call)
    const { address, session } = outcome
    return show(donePage(look, link.type, { app: appOf(address, call), session }), call)
  },
)

const showSite = endpoint(
  {
    ...common,
    id: 'showSite',
    method: 'get',
    path: '/api',
    query: z.object({}),
    summary: 'Where a mail leads people who named no address: says to go on in the app',
    otherwise: {},
  },
  async (_, call) => show(noticePage(lookOf(call), 'site', 200), call),
)

/** `/api/auth/confirm`, and what stands in for a site until an app has one. */
export const AUTH_PAGE = [showLink, takeForm, showSite] as const

/** What a browser is shown where something is wrong with the page of a mail; of other addresses of the function null. */
export function errorPageOfMailLink({ environment, database }: Services): ErrorPage {
  return async ({ code, status }, { request, context }) => {
    if (!new URL(request.url).pathname.startsWith('/api/auth/confirm')) return null
    const call = { request, context, environment, database }
    return show(noticePage(lookOf(call), noticeOf(code, status), status), call)
  }
}

function noticeOf(code: string, status: number) {
  if (code === 'access_blocked') return 'closed'
  if (code === 'rate_limited' || code === 'busy') return 'tooMany'
  return status >= 500 ? 'fault' : 'failed'
}

/**
 * Whether a page of another site sent the form: it could sign its reader in to whatever account its author has a link of. Browsers
 * that do not say so are believed, as they name no origin either where the referrer is kept back.
 */
function isSentByOtherSite({ headers }: Request): boolean {
  return ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
}

async function showLinkOf(query: Query, call: LinkCall): Promise<Response> {
  const found = await find(query, call)
  return found instanceof Response ? found : show(openPage(found.look, found.link.type), call)
}

/** The link and how its page looks; or the page that says that it leads nowhere. */
async function find(
  { token_hash: token, type, redirect_to: redirectTo }: Query,
  call: LinkCall,
): Promise<{ link: MailLink; look: Look } | Response> {
  const university =
    type === null || token === '' ? undefined : await readMailLink(call.database, { token, type })
  if (type === null || university === undefined) {
    const wait = await countUnknownLink(call)
    return show(noticePage(lookOf(call), wait === null ? 'gone' : 'tooMany', wait === null ? 404 : 429), call)
  }
  return { link: { token, type, redirectTo }, look: { ...lookOf(call), university } }
}

/** Gives the account of a session its new password, or shows why not. */
async function takePassword(
  { type, redirect_to: redirectTo }: Query,
  { session, password = '', code = '' }: Record<string, string> & { session: string },
  look: Look,
  call: LinkCall,
): Promise<Response> {
  const words = WORDS[look.language]
  const asked: LinkType = type ?? 'recovery'
  const again = (problem: PasswordProblem) => {
    const shown = { session, needsCode: code !== '', ...problem }
    return show(asked === 'signup' ? passwordPage(look, shown) : openPage(look, asked, shown), call)
  }
  const weak = problemOf(password)
  if (weak) return again({ problem: words.weak[weak] })
  const outcome: PasswordOutcome = await choosePassword(call, { session, password, code })
  switch (outcome.kind) {
    case 'changed': {
      const done = asked === 'invite' ? 'invite' : 'recovery'
      return show(donePage(look, done, { app: appOf(redirectTo, call) }), call)
    }
    case 'weak': {
      const reason = (['length', 'characters', 'pwned'] as const).find((one) => outcome.reasons.includes(one))
      return again({ problem: words.weak[reason ?? 'other'] })
    }
    case 'code_needed':
      return again({ problem: words.codeNeeded, needsCode: true })
    case 'wrong_code':
      return again({ problem: words.wrongCode, needsCode: true })
    case 'too_many':
      return show(noticePage(look, 'tooMany', 429), call)
    case 'ended':
      return show(noticePage(look, 'ended', 410), call)
  }
}

/** What Auth would say of a password, as far as it can be said before the link is used up. */
function problemOf(password: string): 'length' | 'other' | null {
  if (password === '') return 'length'
  return new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES ? 'other' : null
}

function failedPage(look: Look, kind: 'expired' | 'refused' | 'too_many'): AuthPage {
  if (kind === 'expired') return noticePage(look, 'gone', 410)
  return kind === 'refused' ? noticePage(look, 'refused', 403) : noticePage(look, 'tooMany', 429)
}

/** The address of the app where Auth leads it; null for these pages themselves. */
function appOf(address: string, { environment: { redirects } }: LinkCall): string | null {
  if (!URL.canParse(address) || !isAllowed(address, redirects)) return null
  const bare = (text: string) => text.replace(/[?#].*$/s, '').replace(/\/$/, '')
  return bare(address) === bare(redirects.site) ? null : address
}

function lookOf({ request }: LinkCall): Look {
  return { language: languageOfBrowser(request.headers.get('accept-language')), university: null }
}

async function show({ style, ...content }: AuthPage, call: LinkCall): Promise<Response> {
  const { SIGNED_IN_STYLE } = await import('../_shared/http/signed-in-page-style.ts')
  return linkPage({ ...content, style: SIGNED_IN_STYLE + style }, call)
}
