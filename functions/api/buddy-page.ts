import * as z from 'zod'
import type { ErrorPage } from '../_shared/http/handle.ts'
import { countUnknownLink, type LinkCall, linkPage, readLinkForm } from '../_shared/http/link-page.ts'
import { endpoint, type Services } from '../_shared/http/serve.ts'
import { isLanguage, LANGUAGES, type Language } from '../_shared/languages.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'
import {
  confirmNumber,
  type Decision,
  decide,
  readVerification,
  type VerificationView,
} from '../_shared/support/decision.ts'
import { errorPage } from '../_shared/support/pages/error-page.ts'
import { type Reader, supportPage, tooManyPage } from '../_shared/support/pages/layout.ts'
import { isListedZone } from '../_shared/support/pages/time-zones.ts'
import {
  decisionPage,
  type KnownVerification,
  REASONS,
  unknownActionPage,
  type VerificationProblem,
  verificationPage,
} from '../_shared/support/pages/verification-pages.ts'
import { wordingFor } from '../_shared/support/pages/wording.ts'
import { languageOfLink } from '../_shared/support/preferences.ts'
import { readerOf } from '../_shared/support/reader.ts'

const TOKEN = '5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a7c9b0d2f'

const token = z.string().catch('').describe('From the email')

const language = z
  .enum(LANGUAGES)
  .optional()
  .catch(undefined)
  .describe("Language of the page; without it the contact's own.")

const common = {
  path: '/api/buddy/verify',
  tag: 'Support circle',
  security: 'none',
  // Whose link it is has to reach it wherever they are.
  reachable: ['in_block'],
  response: z.string().describe('HTML'),
  produces: 'text/html',
} as const

const otherwise = {
  400: 'A page that says that the link does not work: `action` is neither, or it or `token` comes twice.',
  403: 'A page that says that the code was wrong five times.',
  404: 'A page that says that the link does not work.',
  410: 'A page that says that the link has expired.',
  429: 'A page that says how long to wait: too many links that do not work were opened from the address.',
}

/** What a form decides, or the code that it gives, or why it does nothing. */
type Choice = { decision: Decision } | { code: string } | { problem: VerificationProblem }

const showVerification = endpoint(
  {
    ...common,
    id: 'showBuddyVerification',
    method: 'get',
    summary: 'The page on which a contact agrees or declines',
    description:
      'Without `action`, as the email links to it, opening the page changes nothing, however often. With `action` it decides at once; no message and no page holds such a link.',
    query: z.object({
      token,
      action: z.enum(['accept', 'decline']).optional().catch(undefined).describe('Decides at once.'),
      reason: z
        .string()
        .optional()
        .catch(undefined)
        .describe('Why, to decline with; the first 500 characters are kept.'),
      language,
    }),
    otherwise,
    example: { query: { token: TOKEN } },
  },
  async ({ query: { token, action, reason } }, call) => {
    // The same for every link: what asks for headers alone is a machine, and learns nothing.
    if (call.request.method === 'HEAD')
      return linkPage(supportPage('verification', [], readerOf(call, null)), call)
    if (isAmbiguous(call) || (action === undefined && asked(call).has('action'))) {
      return linkPage(unknownActionPage(readerOf(call, null)), call)
    }
    if (action === undefined) return show(await readVerification(call.database, token), token, call)
    const decision: Decision = {
      accepted: action === 'accept',
      reason: action === 'decline' ? stated(reason) : null,
      isUnknownPerson: false,
      timeZone: null,
      textsAtNight: false,
      language: null,
      method: 'link',
    }
    return take(token, { decision }, call)
  },
)

const takeDecision = endpoint(
  {
    ...common,
    id: 'decideBuddyVerification',
    method: 'post',
    summary:
      "The page's forms: agrees or declines, then confirms the number with the code of the text that it got",
    query: z.object({ token, language }),
    body: z.union([
      z.object({
        decision: z.literal('accept').describe('The form to agree with.'),
        time_zone: z.string().describe('IANA name, one of those on the page.'),
        texts_at_night: z.literal('yes').optional().describe('Texts may come at night.'),
        language: z
          .enum(LANGUAGES)
          .optional()
          .describe('Language of messages and pages; without it as the page.'),
        agreed: z.literal('yes').describe('That the wording on the page is agreed to.'),
      }),
      z.object({
        decision: z.literal('decline').describe('The form to decline with.'),
        why: z.enum(['unknown_person', 'not_now', 'other']).describe('Why.'),
        reason: z.string().optional().describe('In their own words; the first 500 characters are kept.'),
      }),
      z.object({
        decision: z
          .literal('confirm')
          .describe('The form to confirm the number with, once they have agreed.'),
        code: z.string().describe('Six digits, from the text to the number; five tries.'),
      }),
    ]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      ...otherwise,
      422: 'The page again: all that is missing and what was typed, or that the code is wrong.',
    },
    example: { query: { token: TOKEN }, body: { decision: 'decline', why: 'not_now' } },
  },
  async ({ query: { token } }, call) =>
    isAmbiguous(call)
      ? linkPage(unknownActionPage(readerOf(call, null)), call)
      : take(token, choiceIn(await readLinkForm(call)), call),
)

/** `/api/buddy/verify`. */
export const BUDDY_PAGE = [showVerification, takeDecision] as const

function asked({ request }: LinkCall): URLSearchParams {
  return new URL(request.url).searchParams
}

/** Whether a link asks for two things, or has two tokens: nobody can tell which one is meant. */
function isAmbiguous(call: LinkCall): boolean {
  return ['action', 'token'].some((name) => asked(call).getAll(name).length > 1)
}

/** What a browser is shown where something is wrong with this page; of other addresses of the function null. */
export function errorPageOfVerification({ environment, database }: Services): ErrorPage {
  return async (error, { request, context }) => {
    const { pathname, searchParams } = new URL(request.url)
    if (!pathname.startsWith('/api/buddy/verify')) return null
    const call = { request, context, environment, database }
    const token = searchParams.get('token') ?? ''
    const language = await languageOfLink(database, token).catch(() => null)
    return linkPage(errorPage(error, readerOf(call, language, { query: queryOf(token) })), call)
  }
}

/** Decides, once, and shows what became of it. */
async function take(token: string, choice: Choice, call: LinkCall): Promise<Response> {
  const { database, request } = call
  const view = await readVerification(database, token)
  const reader = readerOfView(view, token, call)
  if ('code' in choice) return takeCode(token, choice.code, view, call)
  if (view.state !== 'open') return show(view, token, call)
  if ('problem' in choice) return linkPage(verificationPage(view, reader, choice.problem), call)
  const { decision } = choice
  const origin = { address: clientAddress(request), userAgent: request.headers.get('user-agent') }
  const wording = wordingFor(view.student_name, reader.language)
  const outcome = await decide(database, token, decision, wording, origin)
  switch (outcome) {
    case 'accepted': {
      // By now the number may be known to be this person's.
      const known = await knownAgain(token, view, call)
      return linkPage(decisionPage(outcome, known, readerOfView(known, token, call, decision.language)), call)
    }
    case 'declined':
      return linkPage(decisionPage(outcome, view, reader), call)
    // Used, replaced or expired in the meantime.
    case 'decided':
    case 'expired':
    case 'unknown':
      return show(await readVerification(database, token), token, call)
  }
}

/** Takes the code of the text that a contact's number got, once they have agreed. */
async function takeCode(
  token: string,
  code: string,
  view: VerificationView,
  call: LinkCall,
): Promise<Response> {
  if (view.state !== 'decided' || view.decision !== 'accepted' || view.number_confirmed)
    return show(view, token, call)
  const reader = readerOfView(view, token, call)
  if (!/^\d{6}$/.test(code)) return linkPage(decisionPage('wrong_code', view, reader), call)
  const outcome = await confirmNumber(call.database, token, code)
  switch (outcome) {
    case 'confirmed':
      return linkPage(decisionPage('accepted', { ...view, number_confirmed: true }, reader), call)
    case 'wrong_code':
    case 'too_many_tries':
      return linkPage(decisionPage(outcome, view, reader), call)
    // Confirmed by a reply, replaced or expired in the meantime.
    case 'decided':
    case 'expired':
    case 'unknown':
      return show(await readVerification(call.database, token), token, call)
  }
}

async function knownAgain(token: string, view: KnownVerification, { database }: LinkCall) {
  const now = await readVerification(database, token)
  return now.state === 'unknown' ? view : now
}

/** What keeps a page's link where its language is changed. */
function queryOf(token: string): string {
  return token === '' ? '' : `token=${encodeURIComponent(token)}&`
}

/** Who reads the page of a link: whoever agreed can change their settings. */
function readerOfView(
  view: VerificationView,
  token: string,
  call: LinkCall,
  chosen: Language | null = null,
): Reader {
  const query = queryOf(token)
  if (view.state === 'unknown') return readerOf(call, null, { query })
  const hasAgreed = view.state === 'decided' && view.decision === 'accepted'
  return readerOf(call, view.language, {
    query,
    ...(chosen && { chosen }),
    ...(hasAgreed && { settings: `../../buddy/settings/${encodeURIComponent(token)}` }),
  })
}

async function show(view: VerificationView, token: string, call: LinkCall): Promise<Response> {
  const reader = readerOfView(view, token, call)
  const wait = view.state === 'unknown' ? await countUnknownLink(call) : null
  return linkPage(wait === null ? verificationPage(view, reader) : tooManyPage(wait, reader), call)
}

function choiceIn(form: Record<string, string>): Choice {
  if (form.decision === 'confirm') return { code: form.code?.replaceAll(/\s/g, '') ?? '' }
  if (form.decision === 'decline') {
    const why = REASONS.find(({ value }) => value === form.why)
    if (!why) return { problem: { form: 'decline', reason: stated(form.reason)?.slice(0, 500) ?? '' } }
    const reason = stated(form.reason) ?? why.stored
    return {
      decision: {
        accepted: false,
        reason,
        isUnknownPerson: why.value === 'unknown_person',
        timeZone: null,
        textsAtNight: false,
        language: null,
        method: 'form',
      },
    }
  }
  const { time_zone: timeZone = '' } = form
  const language = isLanguage(form.language) ? form.language : null
  const textsAtNight = form.texts_at_night === 'yes'
  const agreed = form.agreed === 'yes'
  const missing = [
    ...(isListedZone(timeZone) ? [] : ['zone' as const]),
    ...(agreed ? [] : ['agreement' as const]),
  ]
  if (missing.length > 0) {
    return { problem: { form: 'accept', missing, timeZone, textsAtNight, agreed, language } }
  }
  return {
    decision: {
      accepted: true,
      reason: null,
      isUnknownPerson: false,
      timeZone,
      textsAtNight,
      language,
      method: 'form',
    },
  }
}

/** What somebody wrote, without what a page does not show; null where that is nothing. */
function stated(text: string | undefined): string | null {
  return text?.replaceAll(/\p{Cc}/gu, ' ').trim() || null
}
