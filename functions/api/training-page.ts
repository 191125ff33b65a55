import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import { validated } from '../_shared/http/body.ts'
import type { Html } from '../_shared/http/page.ts'
import { type Call, endpoint } from '../_shared/http/serve.ts'
import {
  backToPage,
  type PageCall,
  type PageKind,
  showPage,
  showSignedIn,
  withoutTrailingSlash,
} from '../_shared/http/signed-in-page.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import {
  makeProgress,
  progressChange,
  readModule,
  readOwnTraining,
  readPastAttempt,
} from '../_shared/training/learning.ts'
import { moduleId } from '../_shared/training/module.ts'
import { respondToForm, SIGN_IN_FORMS } from './page-sign-in.ts'

/** An attempt has at most 100 questions of 8 options. */
const MAX_FORM_BYTES = 50_000

/** Query of the page. A mistyped part of it counts as absent. */
const pageQuery = z.object({
  module: moduleId.optional().catch(undefined).describe('A module to show; what is due by default.'),
  section: z.string().max(20).optional().catch(undefined).describe('A section of it to read.'),
  attempt: z
    .string()
    .max(60)
    .optional()
    .catch(undefined)
    .describe('An attempt at it, to show what came of it.'),
})

const common = {
  path: '/api/training/learn.html',
  tag: 'Training',
  security: 'none',
  query: pageQuery,
  response: z.string().describe('HTML'),
  produces: 'text/html',
} as const

const showTraining = endpoint(
  {
    ...common,
    id: 'showTraining',
    method: 'get',
    summary:
      'What a member of staff has to learn as a page, or a form to sign in with if nobody is signed in',
    description:
      'Takes a bearer token, or the cookie that the form sets. Needs no JavaScript and loads nothing.',
    otherwise: {
      401: 'The form again: the session has ended.',
      403: 'A page that says that training is for staff, or the form for the second factor.',
      404: 'A page that says that there is no such module or section.',
      308: 'The path ended with a slash: redirects to the page without it.',
      429: 'A page that says how long to wait.',
    },
    example: { query: { module: 'trn_hipaa_fundamentals' } },
  },
  async ({ query }, call) => {
    const elsewhere = withoutTrailingSlash(call)
    if (elsewhere) return elsewhere
    const kind = await pageKind()
    return showSignedIn(call, kind, (signedIn) => shownTo(signedIn, kind, query))
  },
)

const learnOnPage = endpoint(
  {
    ...common,
    id: 'learnOnTrainingPage',
    method: 'post',
    summary: "The page's forms: signs in or out, marks a section as read, starts or submits an attempt",
    description:
      'Takes forms of the page itself only. The access token is kept in an HttpOnly cookie of the page. The form of an attempt has a field for each question, with the options that were chosen.',
    body: z.union([
      ...SIGN_IN_FORMS,
      z.object({
        module: moduleId,
        read: z.string().describe('The section to mark as read.'),
        next: z.string().describe('The section to go on with; empty after the last one.'),
      }),
      z.object({ start: moduleId }),
      z.object({ attempt: z.string().describe('The attempt to submit.') }),
    ]),
    consumes: 'application/x-www-form-urlencoded',
    otherwise: {
      303: 'Done: redirects to the page, or to the section that follows.',
      308: 'The path ended with a slash: redirects to the page without it.',
      401: 'The form to sign in with again.',
      403: 'The form was sent by a page of another host, or by somebody who is not staff; or the form for the second factor again.',
      404: 'A page that says that there is no such module, section or attempt.',
      409: 'A page that says that the attempt is closed, or the module not read yet.',
      422: 'A page that says that the form is not one of the page, or not complete.',
      429: 'A page that says how long to wait.',
    },
    example: { body: { email: 'counselor@northfield.example.edu', password: 'invented-password-1' } },
  },
  async (_, call: PageCall) => {
    const kind = await pageKind()
    return respondToForm(call, kind, {
      maxBytes: MAX_FORM_BYTES,
      fields: ['read', 'start', 'attempt'],
      respond: (signedIn, form) => learned(signedIn, kind, form),
    })
  },
)

/** `/api/training/learn.html`. */
export const TRAINING_PAGE = [showTraining, learnOnPage] as const

/** What draws the page is loaded when it is first requested. */
async function pageKind(): Promise<PageKind> {
  const { STYLE } = await import('../_shared/training/page/style.ts')
  const headings = { 409: 'Not now', 429: 'Too many attempts' }
  return { style: STYLE, audience: 'For counselors and administrators.', headings }
}

async function shownTo(call: Call, kind: PageKind, query: z.output<typeof pageQuery>): Promise<Response> {
  const { listBody, moduleBody, sectionBody } = await import('../_shared/training/page/views.ts')
  const client = callerClient(call)
  const show = (title: string, body: Html) => showPage(call, kind, { title, body, signedIn: true })
  const trainings = await readOwnTraining(client)
  if (query.module === undefined) {
    if (trainings.length > 0 || (await isStaff(call))) return show('Your training', listBody(trainings))
    throw new ServiceError('forbidden', 'Training is for counselors and administrators.')
  }
  const module = await readModule(client, query.module)
  if (query.section !== undefined) {
    const body = sectionBody(module, query.section)
    if (body === null) throw new ServiceError('training_not_found', 'The module has no such section.')
    return show(module.title, body)
  }
  const training = trainings.find(({ module_id }) => module_id === module.id)
  const past = query.attempt === undefined ? null : await readPastAttempt(client, query.attempt)
  return show(module.title, moduleBody(module, training, past?.module_id === module.id ? past : null))
}

async function isStaff({ database, caller }: Call): Promise<boolean> {
  const [{ staff }] = await database<[{ staff: boolean }]>`select private.is_staff(${caller.userId}) as staff`
  return staff
}

/** Does what a form of the page asks for. */
async function learned(call: Call, kind: PageKind, form: URLSearchParams): Promise<Response> {
  const client = callerClient(call)
  const made = await makeProgress(client, validated(progressChange, changeIn(form)))
  switch (made.action) {
    case 'read': {
      const next = made.sections.find((id) => id === form.get('next'))
      const query = `?module=${made.module_id}${next === undefined ? '' : `&section=${next}`}`
      return backToPage(call, { query })
    }
    case 'start': {
      const { attemptBody } = await import('../_shared/training/page/views.ts')
      return showPage(call, kind, { title: 'Questions', body: attemptBody(made), signedIn: true })
    }
    case 'submit':
      return backToPage(call, { query: `?module=${made.module_id}&attempt=${made.attempt_id}` })
  }
}

function changeIn(form: URLSearchParams): unknown {
  if (form.has('read'))
    return { action: 'read', module_id: form.get('module'), sections: form.getAll('read') }
  if (form.has('start')) return { action: 'start', module_id: form.get('start') }
  const questions = [...new Set(form.keys())].filter((name) => name !== 'attempt')
  const answers = Object.fromEntries(questions.map((name) => [name, form.getAll(name)]))
  return { action: 'submit', attempt_id: form.get('attempt'), answers }
}
