import { html } from 'hono/html'
import { MARK } from '../../brand.ts'
import type { Language } from '../../languages.ts'
import type { LinkType, University } from '../mail-links.ts'
import { WORDS } from './words.ts'

type Piece = ReturnType<typeof html> | ''

/** A page of sign-in: in a language and in the colour of a university, where one is known. */
export type AuthPage = {
  title: string
  style: string
  body: ReturnType<typeof html>
  language: Language
  status: number
}

/** How a page looks: `null` for the product's own colour. */
export type Look = { language: Language; university: University | null }

/** What the form of a new password is shown again with. */
export type PasswordProblem = { problem?: string | undefined; session?: string; needsCode?: boolean }

/** The page of a link that nobody has pressed the button of. */
export function openPage(look: Look, type: LinkType, again: PasswordProblem = {}): AuthPage {
  const { heading, sentence, button } = WORDS[look.language].open[type]
  const asksPassword = type === 'recovery' || type === 'invite'
  const body = html`<form class="card sign-in" method="post"><h1>${heading}</h1><p class="note">${sentence}</p>
${asksPassword ? passwordFields(look, again) : html`<input type="hidden" name="confirm" value="yes">`}
<button type="submit">${button}</button></form>`
  return pageOf(look, heading, body, again.problem === undefined ? 200 : 422)
}

/** The form of a new password for an account that is confirmed, after a problem. */
export function passwordPage(look: Look, again: PasswordProblem): AuthPage {
  const { heading, sentence, button } = WORDS[look.language].choose
  const body = html`<form class="card sign-in" method="post"><h1>${heading}</h1><p class="note">${sentence}</p>
${passwordFields(look, again)}<button type="submit">${button}</button></form>`
  return pageOf(look, heading, body, 422)
}

/** What was done, with the way back to the app where it is known, and a new password where a session allows one. */
export function donePage(
  look: Look,
  type: LinkType,
  { app = null, session = null }: { app?: string | null; session?: string | null } = {},
): AuthPage {
  const { done, toApp, choose } = WORDS[look.language]
  const { heading, sentence } = done[type]
  const other =
    session === null || type !== 'signup'
      ? ''
      : html`<details class="card narrow"><summary>${choose.heading}</summary>
<form class="fields" method="post"><p class="note">${choose.sentence}</p>${passwordFields(look, { session })}<button type="submit" class="quiet">${choose.button}</button></form></details>`
  const body = html`<section class="card narrow first"><h1>${heading}</h1><p>${sentence}</p>
${app === null ? '' : html`<p><a class="button" href="${app}" rel="noreferrer">${toApp}</a></p>`}</section>${other}`
  return pageOf(look, heading, body, 200)
}

/** A page that says one thing. */
export function noticePage(
  look: Look,
  what: 'half' | 'gone' | 'refused' | 'tooMany' | 'ended' | 'site' | 'failed' | 'closed' | 'fault',
  status: number,
): AuthPage {
  const { heading, sentence } = WORDS[look.language][what]
  const body = html`<section class="card narrow first"><h1>${heading}</h1><p>${sentence}</p></section>`
  return pageOf(look, heading, body, status)
}

function passwordFields({ language }: Look, { problem, session, needsCode }: PasswordProblem): Piece {
  const { password, passwordRule, code } = WORDS[language]
  const describedBy = problem === undefined ? 'rule' : 'problem rule'
  return html`${problem === undefined ? '' : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
${session === undefined ? '' : html`<input type="hidden" name="session" value="${session}">`}
<label for="password">${password}</label>
<input id="password" name="password" type="password" autocomplete="new-password" maxlength="1000" required aria-describedby="${describedBy}">
<p class="note" id="rule">${passwordRule}</p>
${needsCode ? html`<label for="code">${code}</label><input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="10" required>` : ''}`
}

function pageOf({ language, university }: Look, title: string, body: Piece, status: number): AuthPage {
  const brand = university === null ? 'Student wellbeing' : `${university.name} · Student wellbeing`
  return {
    title: `${title} · Student wellbeing`,
    style: STYLE + (university === null ? '' : inColor(university.color)),
    language,
    status,
    body: html`<header><p class="brand">${MARK}<span>${brand}</span></p></header>
<main id="content">${body}</main>`,
  }
}

const STYLE = `
:root { --width: 520px; --brand: var(--accent); --brand-ink: var(--accent-ink); }
body { border-top: 6px solid var(--brand); }
.brand svg { flex: none; }
.sign-in, .narrow { max-width: none; padding: 24px; }
.sign-in, .first { margin-top: 16px; }
.fields { display: grid; gap: 6px; margin-top: 12px; }
.fields label { font-size: .9375rem; font-weight: 500; }
.fields button { margin-top: 14px; }
.sign-in p, .fields p { margin: 0 0 6px; }
input:not([type="hidden"]) {
  font: inherit; width: 100%; min-height: 46px; padding: 8px 12px; color: var(--ink); background: var(--card);
  border: 1px solid var(--soft); border-radius: 8px;
}
summary { cursor: pointer; font-weight: 600; color: var(--accent); }
button:not(.quiet), .button {
  display: inline-block; min-height: 48px; padding: 11px 22px; border: 1px solid var(--edge); border-radius: 10px; font-weight: 600;
  background: var(--brand); color: var(--brand-ink); text-decoration: none;
}
.fields .quiet { border-color: var(--accent); }
`

/** The colour of a university, `#rrggbb`, with letters on it that can be read. */
function inColor(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color)
    ? `:root { --brand: ${color}; --brand-ink: ${luminance(color) < 0.179 ? '#fff' : '#10151b'}; }\n`
    : ''
}

/** Relative luminance of a colour, 0 to 1 (WCAG 2.2); on 0.179 black and white are read equally well. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
