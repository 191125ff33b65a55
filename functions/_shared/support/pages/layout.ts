import { html, raw } from 'hono/html'
import { MARK } from '../../brand.ts'
import type { CrisisResources } from '../../crisis-resources.ts'
import { LANGUAGES, type Language } from '../../languages.ts'
import type { Words } from '../words/en.ts'
import { WORDS } from '../words/words.ts'
import { STYLE } from './style.ts'

/** A piece of a page. */
export type Piece = ReturnType<typeof html> | ''

/** Who reads a page. */
export type Reader = {
  language: Language
  words: Words
  /** What stays in the page's address when the language is changed: `token=…&`, or nothing. */
  query: string
  /** Where time zone and language are chosen, relative to the page; null where the link leads to nobody's. */
  settings: string | null
}

/** A page and the status that it is sent with. */
export type SupportPage = {
  title: string
  language: Language
  style: string
  body: ReturnType<typeof html>
  status: number
}

/**
 * Everything that a page shows. Its title names nobody, because previews, tabs and the history of a shared phone show it.
 */
export function supportPage(
  title: keyof Words['titles'],
  content: readonly Piece[],
  reader: Reader,
  status = 200,
): SupportPage {
  const { words, language } = reader
  return {
    title: `${words.titles[title]} · ${words.service}`,
    language,
    style: STYLE,
    status,
    body: html`<header><p class="brand">${MARK}<bdi>${words.service}</bdi></p>
${languageLinks(reader)}</header>
<main>${content}</main>`,
  }
}

/** A page that says one thing, with where to find help below. */
export function noticePage(
  title: keyof Words['titles'],
  { heading, sentences, resources, status, more = [] }: Notice,
  reader: Reader,
): SupportPage {
  const said = html`<section><h1>${heading}</h1>${sentences.map((sentence) => html`<p>${sentence}</p>`)}</section>`
  const help = resources ? helpSection(resources, reader.words) : ''
  return supportPage(title, [said, ...more, help], reader, status)
}

type Notice = {
  heading: string
  sentences: readonly string[]
  /** Further sections, above the help. */
  more?: readonly Piece[]
  resources?: CrisisResources
  status?: number
}

/** The page of somebody who tries one unknown link after another. */
export function tooManyPage(waitS: number, reader: Reader): SupportPage {
  return noticePage('error', { ...reader.words.errors.tooManyTries(minutes(waitS)), status: 429 }, reader)
}

/** How long that is, in minutes, at least one. */
export function minutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60))
}

/** The start of a form of the page itself: where it is shown again, the browser scrolls to what is wrong. */
export const FORM = raw('<form method="post" action="#problem">')

/** Why a form is shown again: all of it at once. */
export function problemNote(problems: readonly string[], { words }: Reader): Piece {
  const [first, ...others] = problems
  if (first === undefined) return ''
  if (others.length === 0) return html`<p class="problem" id="problem" role="alert">${first}</p>`
  return html`<div class="problem" id="problem" role="alert"><p>${words.problems(problems.length)}</p><ul>${problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
}

/** The mark of a field that was filled in. */
export function when(isTrue: boolean, mark: 'checked' | 'selected' | 'open'): Piece {
  return isTrue ? html` ${raw(mark)}` : ''
}

/** Where a person in danger finds help, that of the student's university first. */
export function helpSection(resources: CrisisResources, { help }: Words): Piece {
  const nameOf = (name: string) =>
    name === 'Emergency services'
      ? help.emergencyServices
      : name === 'Find a helpline in your country'
        ? help.findHelpline
        : name
  return html`<section aria-labelledby="help">
<h2 id="help">${help.heading}</h2>
<p>${help.call}</p>
${
  resources.length === 0
    ? ''
    : html`<ul class="help">${resources.map(
        ({ name, phone, website }) => html`<li><strong><bdi>${nameOf(name)}</bdi></strong>
${phone ? html`<a href="tel:${phone.replace(/[^+\d]/g, '')}"><bdi dir="ltr">${phone}</bdi></a>` : ''}${website ? html`<a href="${website}" rel="noreferrer"><bdi dir="ltr">${withBreaks(website.replace(/^https?:\/\//, '').replace(/\/$/, ''))}</bdi></a>` : ''}</li>`,
      )}</ul>`
}
</section>`
}

/** An address that a narrow screen breaks after its slashes rather than within a word. */
function withBreaks(address: string): Piece[] {
  return address.split('/').map((part, place) => html`${place === 0 ? '' : raw('/<wbr>')}${part}`)
}

/** What to say to somebody who is struggling. */
export function whatToSaySection(student: string, { words }: Reader): Piece {
  const { heading, advice } = words.whatToSay(student)
  return html`<section aria-labelledby="words">
<h2 id="words">${heading}</h2>
<ul>${advice.map(([lead, rest]) => html`<li><strong>${lead}</strong> ${rest}</li>`)}</ul>
</section>`
}

/** The way to where time zone and language are chosen. */
export function settingsSection({ words, settings }: Reader): Piece {
  return settings === null ? '' : html`<p class="more"><a href="${settings}">${words.settings.link}</a></p>`
}

/** The choice of a language for messages and pages, of which one is chosen. */
export function languageField({ words }: Reader, chosen: Language): Piece {
  return html`<div class="field"><label class="label" for="language">${words.settings.language}</label>
<select id="language" name="language" required>${LANGUAGES.map(
    (other) =>
      html`<option value="${other}" lang="${other}"${when(other === chosen, 'selected')}>${WORDS[other].language}</option>`,
  )}</select></div>`
}

function languageLinks({ words, language, query }: Reader): Piece {
  return html`<nav class="languages" aria-label="${words.chooseLanguage}">${LANGUAGES.map((other) =>
    other === language
      ? html`<span lang="${other}" aria-current="true">${WORDS[other].language}</span>`
      : html`<a href="?${raw(query)}language=${other}" lang="${other}" hreflang="${other}">${WORDS[other].language}</a>`,
  )}</nav>`
}
