import { isbot } from 'isbot'
import type { ErrorPage } from '../_shared/http/handle.ts'
import { countUnknownLink, type LinkCall, linkPage, readLinkForm } from '../_shared/http/link-page.ts'
import type { Services } from '../_shared/http/serve.ts'
import { isLanguage } from '../_shared/languages.ts'
import { errorPage } from '../_shared/support/pages/error-page.ts'
import { type Reader, type SupportPage, supportPage, tooManyPage } from '../_shared/support/pages/layout.ts'
import { type RequestProblem, requestPage, stoppedPage } from '../_shared/support/pages/request-pages.ts'
import { type SettingsProblem, settingsPage } from '../_shared/support/pages/settings-page.ts'
import { isListedZone } from '../_shared/support/pages/time-zones.ts'
import { changePreferences, languageOfLink, readPreferences } from '../_shared/support/preferences.ts'
import { readerOf } from '../_shared/support/reader.ts'
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
  if (call.request.method === 'HEAD') return linkPage(supportPage('request', [], readerOf(call, null)), call)
  const view = await readRequest(call.database, token)
  if (view.state === 'open' && isPersonsVisit(call.request)) await countClick(call.database, token)
  return showView(view, token, call)
}

/** Takes the forms of that page. Neither does anything unless the person chose it: a machine may press every button. */
export async function takeForm({ params: { token } }: Input, call: LinkCall): Promise<Response> {
  const form = await readLinkForm(call)
  return form.form === 'stop'
    ? takeStop(token, form.stop === 'yes', call)
    : takeResponse(token, form.response, call)
}

/** Shows the page on which a contact chooses time zone and language. */
export async function showSettings({ params: { token } }: Input, call: LinkCall): Promise<Response> {
  if (call.request.method === 'HEAD') return linkPage(supportPage('settings', [], readerOf(call, null)), call)
  const view = await readPreferences(call.database, token)
  const reader = readerOf(call, view.state === 'open' ? view.language : null)
  return show(view, settingsPage(view, reader), reader, call)
}

/** Takes the form of that page. */
export async function takeSettings({ params: { token } }: Input, call: LinkCall): Promise<Response> {
  const form = await readLinkForm(call)
  const before = await readPreferences(call.database, token)
  const reader = readerOf(call, before.state === 'open' ? before.language : null)
  const { time_zone: timeZone = '', language } = form
  const textsAtNight = form.texts_at_night === 'yes'
  if (!isListedZone(timeZone) || !isLanguage(language)) {
    const missing: SettingsProblem['missing'] = [
      ...(isListedZone(timeZone) ? [] : ['zone' as const]),
      ...(isLanguage(language) ? [] : ['language' as const]),
    ]
    const problem = { missing, timeZone, textsAtNight, language: isLanguage(language) ? language : null }
    return show(before, settingsPage(before, reader, { problem }), reader, call)
  }
  const saved = await changePreferences(call.database, token, { timeZone, textsAtNight, language })
  const view = await readPreferences(call.database, token)
  const inLanguage = readerOf(call, language, { chosen: language })
  return show(view, settingsPage(view, inLanguage, { saved }), inLanguage, call)
}

/** What a browser is shown where something is wrong: a page in the language of whoever the link was sent to, or of the browser. */
export function errorPageOf({ environment, database }: Services): ErrorPage {
  return async (error, { request, context }) => {
    const call = { request, context, environment, database }
    const token = new URL(request.url).pathname.split('/')[3] ?? ''
    const language = await languageOfLink(database, token).catch(() => null)
    return linkPage(errorPage(error, readerOf(call, language)), call)
  }
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
  return showView(await readRequest(call.database, token), token, call, given.success ? null : 'answer')
}

async function takeStop(token: string, isChosen: boolean, call: LinkCall): Promise<Response> {
  const view = await readRequest(call.database, token)
  if (isChosen && view.state !== 'unknown' && (await stopByLink(call.database, token))) {
    return linkPage(stoppedPage(view, readerOf(call, view.language)), call)
  }
  return showView(view, token, call, isChosen ? null : 'stop')
}

function showView(
  view: RequestView,
  token: string,
  call: LinkCall,
  problem: RequestProblem | null = null,
): Promise<Response> {
  const settings = `../settings/${encodeURIComponent(token)}`
  const reader = view.state === 'unknown' ? readerOf(call, null) : readerOf(call, view.language, { settings })
  return show(view, requestPage(view, reader, problem), reader, call)
}

async function show(
  { state }: { state: string },
  content: SupportPage,
  reader: Reader,
  call: LinkCall,
): Promise<Response> {
  const wait = state === 'unknown' ? await countUnknownLink(call) : null
  return linkPage(wait === null ? content : tooManyPage(wait, reader), call)
}
