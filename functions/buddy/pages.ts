import { isbot } from 'isbot'
import { countUnknownLink, type LinkCall, linkPage, readLinkForm } from '../_shared/http/link-page.ts'
import { type SupportPage, supportPage, tooManyPage } from '../_shared/support/pages/layout.ts'
import { requestPage, stoppedPage } from '../_shared/support/pages/request-pages.ts'
import {
  answer,
  answerRequest,
  countClick,
  type RequestView,
  readRequest,
  stopByLink,
} from '../_shared/support/requests.ts'

type Input = { params: { token: string } }

/** Shows the page of a link. */
export async function showRequest({ params: { token } }: Input, call: LinkCall): Promise<Response> {
  // The same for every link: what asks for headers alone is a machine, and learns nothing.
  if (call.request.method === 'HEAD') return linkPage(supportPage('A request from a friend', []), call)
  const view = await readRequest(call.database, token)
  if (view.state === 'open' && isPersonsVisit(call.request)) await countClick(call.database, token)
  return show(view, requestPage(view), call)
}

/** Takes the forms of that page. Neither does anything unless the person chose it: a machine may press every button. */
export async function takeForm({ params: { token } }: Input, call: LinkCall): Promise<Response> {
  const form = await readLinkForm(call)
  return form.form === 'stop'
    ? takeStop(token, form.stop === 'yes', call)
    : takeResponse(token, form.response, call)
}

/**
 * Whether a request for a page seems to be a person who follows a link: a navigation that somebody caused
 * (`Sec-Fetch-User`), no prefetch, and no machine that says so of itself. An estimate: browsers from before 2023 do not say
 * it, and a machine can say anything. https://www.w3.org/TR/fetch-metadata/
 */
function isPersonsVisit({ method, headers }: Request): boolean {
  const purpose = `${headers.get('sec-purpose')} ${headers.get('purpose')}`
  return (
    method === 'GET' &&
    headers.get('sec-fetch-user') === '?1' &&
    !/prefetch|prerender|preview/i.test(purpose) &&
    !isbot(headers.get('user-agent'))
  )
}

async function takeResponse(token: string, response: unknown, call: LinkCall): Promise<Response> {
  const given = answer.safeParse(response)
  if (given.success) await answerRequest(call.database, token, given.data)
  const view = await readRequest(call.database, token)
  const problem = given.success ? null : { form: 'answer' as const, sentence: 'Choose one of the three.' }
  return show(view, requestPage(view, problem), call)
}

async function takeStop(token: string, isChosen: boolean, call: LinkCall): Promise<Response> {
  const view = await readRequest(call.database, token)
  if (isChosen && (await stopByLink(call.database, token))) return linkPage(stoppedPage(view), call)
  const problem = { form: 'stop' as const, sentence: 'Tick the box if you want to stop.' }
  return show(view, requestPage(view, isChosen ? null : problem), call)
}

async function show(view: RequestView, content: SupportPage, call: LinkCall): Promise<Response> {
  const wait = view.state === 'unknown' ? await countUnknownLink(call) : null
  return linkPage(wait === null ? content : tooManyPage(wait), call)
}
