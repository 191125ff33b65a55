import * as z from 'zod'
import { countUnknownLink, type LinkCall, linkPage, readLinkForm } from '../_shared/http/link-page.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { clientAddress } from '../_shared/platform/client-address.ts'
import {
  confirmNumber,
  type Decision,
  decide,
  readVerification,
  type VerificationView,
} from '../_shared/support/decision.ts'
import { type SupportPage, supportPage, tooManyPage } from '../_shared/support/pages/layout.ts'
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

const TOKEN = '5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a4c6b8d0f1e3a5c7b9d1f3e5a7c9b0d2f'

const token = z.string().catch('').describe('From the email')

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
    }),
    otherwise,
    example: { query: { token: TOKEN } },
  },
  async ({ query: { token, action, reason } }, call) => {
    // The same for every link: what asks for headers alone is a machine, and learns nothing.
    if (call.request.method === 'HEAD') return linkPage(supportPage('Being a support contact', []), call)
    if (isAmbiguous(call) || (action === undefined && asked(call).has('action'))) {
      return linkPage(unknownActionPage(), call)
    }
    if (action === undefined) return show(await readVerification(call.database, token), call)
    const decision: Decision = {
      accepted: action === 'accept',
      reason: action === 'decline' ? stated(reason) : null,
      isUnknownPerson: false,
      timeZone: null,
      textsAtNight: false,
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
    query: z.object({ token }),
    body: z.union([
      z.object({
        decision: z.literal('accept').describe('The form to agree with.'),
        time_zone: z.string().describe('IANA name, one of those on the page.'),
        texts_at_night: z.literal('yes').optional().describe('Texts may come at night.'),
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
    otherwise: { ...otherwise, 422: 'The page again: something is missing, or the code is wrong.' },
    example: { query: { token: TOKEN }, body: { decision: 'decline', why: 'not_now' } },
  },
  async ({ query: { token } }, call) =>
    isAmbiguous(call)
      ? linkPage(unknownActionPage(), call)
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

/** Decides, once, and shows what became of it. */
async function take(token: string, choice: Choice, call: LinkCall): Promise<Response> {
  const { database, request } = call
  const view = await readVerification(database, token)
  if ('code' in choice) return takeCode(token, choice.code, view, call)
  if (view.state !== 'open') return show(view, call)
  if ('problem' in choice) return linkPage(verificationPage(view, choice.problem), call)
  const { decision } = choice
  const origin = { address: clientAddress(request), userAgent: request.headers.get('user-agent') }
  const outcome = await decide(database, token, decision, wordingFor(view.student_name), origin)
  switch (outcome) {
    case 'accepted':
      // By now the number may be known to be this person's.
      return linkPage(decisionPage(outcome, await knownAgain(token, view, call)), call)
    case 'declined':
      return linkPage(decisionPage(outcome, view), call)
    // Used, replaced or expired in the meantime.
    case 'decided':
    case 'expired':
    case 'unknown':
      return show(await readVerification(database, token), call)
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
    return show(view, call)
  if (!/^\d{6}$/.test(code)) return linkPage(decisionPage('wrong_code', view), call)
  const outcome = await confirmNumber(call.database, token, code)
  switch (outcome) {
    case 'confirmed':
      return linkPage(decisionPage('accepted', { ...view, number_confirmed: true }), call)
    case 'wrong_code':
    case 'too_many_tries':
      return linkPage(decisionPage(outcome, view), call)
    // Confirmed by a reply, replaced or expired in the meantime.
    case 'decided':
    case 'expired':
    case 'unknown':
      return show(await readVerification(call.database, token), call)
  }
}

async function knownAgain(token: string, view: KnownVerification, { database }: LinkCall) {
  const now = await readVerification(database, token)
  return now.state === 'unknown' ? view : now
}

async function show(view: VerificationView, call: LinkCall): Promise<Response> {
  const content: SupportPage = verificationPage(view)
  const wait = view.state === 'unknown' ? await countUnknownLink(call) : null
  return linkPage(wait === null ? content : tooManyPage(wait), call)
}

function choiceIn(form: Record<string, string>): Choice {
  if (form.decision === 'confirm') return { code: form.code?.replaceAll(/\s/g, '') ?? '' }
  if (form.decision === 'decline') {
    const why = REASONS.find(({ value }) => value === form.why)
    if (!why) return { problem: { form: 'decline', sentence: 'Choose one of the three.' } }
    const reason = stated(form.reason) ?? why.stored
    return {
      decision: {
        accepted: false,
        reason,
        isUnknownPerson: why.value === 'unknown_person',
        timeZone: null,
        textsAtNight: false,
        method: 'form',
      },
    }
  }
  const timeZone = form.time_zone ?? ''
  const textsAtNight = form.texts_at_night === 'yes'
  if (!isListedZone(timeZone)) {
    return { problem: { form: 'accept', sentence: 'Choose your time zone.', textsAtNight } }
  }
  return {
    decision: {
      accepted: true,
      reason: null,
      isUnknownPerson: false,
      timeZone,
      textsAtNight,
      method: 'form',
    },
  }
}

/** What somebody wrote, without what a page does not show; null where that is nothing. */
function stated(text: string | undefined): string | null {
  return text?.replaceAll(/\p{Cc}/gu, ' ').trim() || null
}
