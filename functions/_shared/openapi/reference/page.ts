import { html } from 'hono/html'
import type { Html, PageContent } from '../../http/page.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { ShownCall } from './examples.ts'
import { inline, paragraphs } from './schema.ts'
import { type Found, find, partsOfCall, partsOfSchema, type Searched } from './search.ts'
import { callSection, channelSection, schemaSection } from './sections.ts'
import { STYLE } from './style.ts'

/** What is asked of the reference: the page of a heading (`of`), or what has the words (`q`); all that there is where both are empty. */
export type Asked = { of: string; q: string }

/** A line of the contents: a call, a channel or a schema. */
type Entry = Searched & { anchor: string }

/** A page of the reference: what stands under one heading. */
type Heading = {
  of: string
  name: string
  introduction: string
  entries: readonly Entry[]
  content: () => Html
}

/** The heading of the calls that are nobody's to make but the database's. */
const WORKERS = 'Workers'

/**
 * The document as pages to read and print: the contents of all, one page a heading, and a search; none has more than a heading, as a
 * browser takes seconds for all calls at once. Status 404 where there is no such heading.
 */
export function referencePage(
  document: OpenApiDocument,
  { of, q }: Asked = { of: '', q: '' },
): PageContent & { status: number } {
  const headings = headingsOf(document)
  const { title } = document.info
  const framed = (name: string, content: Html, status = 200) => ({
    title: name,
    style: STYLE,
    body: frame(title, headings, { of, q, content }),
    status,
  })
  if (q !== '') return framed(`${q}: ${title}`, resultsOf(headings, q))
  const shown = headings.find((heading) => heading.of === of)
  if (shown) return framed(`${shown.name}: ${title}`, pageOf(shown))
  if (of === '') return framed(`${title}: calls`, contentsOf(document, headings))
  return framed(
    `${title}: calls`,
    contentsOf(document, headings, 'There is no such heading. These are all.'),
    404,
  )
}

/** The headings in the order of the document; what is shared and what only the database calls comes last. */
function headingsOf(document: OpenApiDocument): Heading[] {
  const server = document.servers[0]?.url ?? ''
  const ofCalls = document.tags.map(({ name, description }): Heading => {
    const calls = callsOf(document, name)
    return {
      of: addressOf(name),
      name,
      introduction: description,
      entries: calls.map(({ method, path, route }) => ({
        anchor: route.operationId,
        title: `${method.toUpperCase()} ${path}`,
        note: route.summary,
        description: `${route.operationId} ${route.description ?? ''}`,
        parts: () => partsOfCall(route),
      })),
      content: () => html`${calls.map((call) => callSection(server, call))}`,
    }
  })
  const channels = Object.entries(document['x-channels'])
  const schemas = Object.entries(document.components.schemas)
  return [
    ...ofCalls.filter(({ name }) => name !== WORKERS),
    {
      of: 'channels',
      name: 'Channels',
      introduction: 'Private channels of Realtime, and what is broadcast there.',
      entries: channels.map(([topic, { description, receive }]) => ({
        anchor: channelAnchor(topic),
        title: topic,
        description,
        parts: () =>
          Object.entries(receive).map(([name, event]) => ({ kind: 'event', name, text: event.description })),
      })),
      content: () =>
        html`${channels.map(([topic, channel]) => channelSection(channelAnchor(topic), topic, channel))}`,
    },
    {
      of: 'schemas',
      name: 'Schemas',
      introduction: 'What several calls share.',
      entries: schemas.map(([name, schema]) => ({
        anchor: `schema-${name}`,
        title: name,
        ...(schema.description !== undefined && { description: schema.description }),
        parts: () => partsOfSchema(schema),
      })),
      content: () => html`${schemas.map(([name, schema]) => schemaSection(name, schema))}`,
    },
    ...ofCalls.filter(({ name }) => name === WORKERS),
  ]
}

function callsOf(document: OpenApiDocument, tag: string): ShownCall[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, route]) => route.tags.includes(tag))
      .map(([method, route]) => ({ method, path, route })),
  )
}

function addressOf(heading: string): string {
  return heading.toLowerCase().replace(/\W+/g, '-')
}

function channelAnchor(topic: string): string {
  return `channel-${topic.replace(/\W+/g, '-')}`
}

/** What every page has: the way to all calls, the search, and the headings, of the current one with what stands under it. */
function frame(
  title: string,
  headings: readonly Heading[],
  { of, q, content }: Asked & { content: Html },
): Html {
  return html`
<a class="skip" href="#content">Skip to the content</a>
<header>
<p class="title"><a href="?">${title}: calls</a></p>
<form role="search">
<label for="q">Search calls, fields and errors</label>
<input id="q" name="q" type="search" value="${q}" maxlength="100" autocomplete="off" required>
<button type="submit">Search</button>
</form>
</header>
<div class="columns">
<nav aria-label="Headings"${q === '' ? '' : html` class="beside"`}><ul>${headings.map((heading) =>
    heading.of === of && q === ''
      ? html`
<li class="current"><a href="?of=${heading.of}" aria-current="page">${heading.name}</a>
<ul>${heading.entries.map(({ anchor, title, note }) => html`<li><a href="#${anchor}">${note ?? title}</a></li>`)}</ul></li>`
      : html`
<li><a href="?of=${heading.of}">${heading.name}</a></li>`,
  )}
</ul></nav>
<main id="content">${content}
</main>
</div>`
}

/** Every call, channel and schema, by its heading. */
function contentsOf(
  { info, openapi, servers }: OpenApiDocument,
  headings: readonly Heading[],
  problem: string | null = null,
): Html {
  return html`
<h1>${info.title}</h1>
${problem === null ? '' : html`<p role="alert">${problem}</p>`}
<p class="quiet">Interface ${info.version}, at <code>${servers[0]?.url ?? ''}</code>. The same as
<a href="openapi.json">OpenAPI ${openapi}</a>.</p>
${paragraphs(info.description)}
${headings.map(
  (heading) => html`
<section class="${heading.name === WORKERS ? 'apart' : ''}" aria-labelledby="calls-${heading.of}">
<h2 id="calls-${heading.of}"><a href="?of=${heading.of}">${heading.name}</a></h2>
<p>${inline(heading.introduction)}</p>
<ul class="entries">${heading.entries.map(
    // An address of a time when all stood on one page names what is now a line here.
    (entry) => html`<li id="${entry.anchor}">${linkTo(heading, entry)}</li>`,
  )}</ul>
</section>`,
)}`
}

function linkTo({ of }: Heading, { anchor, title, note }: Entry): Html {
  return html`<a href="?of=${of}#${anchor}">${title}</a>${note === undefined ? '' : html`<span>${note}</span>`}`
}

function pageOf({ name, introduction, content }: Heading): Html {
  return html`
<h1>${name}</h1>
<p>${inline(introduction)}</p>
${content()}`
}

/** What was found; what only the database calls comes last, and apart. */
function resultsOf(headings: readonly Heading[], q: string): Html {
  const entries = headings.flatMap((heading) => heading.entries.map((entry) => ({ ...entry, heading })))
  const found = find(entries, q)
  const ofWorkers = found.filter(({ entry }) => entry.heading.name === WORKERS)
  const others = found.filter(({ entry }) => entry.heading.name !== WORKERS)
  return html`
<h1>${found.length === 0 ? 'Nothing' : found.length} found for “${q}”</h1>
${found.length === 0 ? html`<p>No call, channel or schema has all of these words.</p>` : ''}
${resultList(others)}
${ofWorkers.length === 0 ? '' : html`<h2>Called by the database alone</h2>${resultList(ofWorkers)}`}`
}

function resultList(found: readonly Found<Entry & { heading: Heading }>[]): Html {
  return html`<ul class="entries">${found.map(
    ({ entry, parts }) => html`
<li>${linkTo(entry.heading, { note: entry.heading.name, ...entry })}${parts.map(
      ({ kind, name, text }) =>
        html`<span class="part">${kind} <code>${name}</code>${text ? html`: ${inline(text)}` : ''}</span>`,
    )}</li>`,
  )}</ul>`
}
