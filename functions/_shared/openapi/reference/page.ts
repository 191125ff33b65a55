import { html } from 'hono/html'
import type { Html, PageContent } from '../../http/page.ts'
import type { JsonSchema, OpenApiDocument } from '../openapi.ts'
import { callSection } from './call.ts'
import type { ShownCall } from './example.ts'
import { fieldTable } from './schema.ts'
import { STYLE } from './style.ts'
import { inline, paragraphs } from './text.ts'

/** The document as a page to read and print. */
export function referencePage(document: OpenApiDocument): PageContent {
  const { info, servers, components } = document
  const server = servers[0]?.url ?? ''
  const groups = document.tags.map((tag) => ({ ...tag, calls: callsOf(document, tag.name) }))
  const body = html`
<header>
<h1>${info.title}</h1>
<p class="quiet">Interface ${info.version}, at <code>${server}</code>. The same as
<a href="openapi.json">OpenAPI ${document.openapi}</a>.</p>
${paragraphs(info.description)}
</header>
<nav aria-label="Calls">${groups.map(
    ({ name, calls }) => html`
<p class="group"><a href="#${anchorOf(name)}">${name}</a></p>
<ul>${calls.map(
      ({ method, path, route }) => html`
<li><a href="#${route.operationId}">${method.toUpperCase()} ${path}</a><span>${route.summary}</span></li>`,
    )}
</ul>`,
  )}
<p class="group"><a href="#schemas">Schemas</a></p>
</nav>
<main>${groups.map(
    ({ name, description, calls }) => html`
<section class="tag" aria-labelledby="${anchorOf(name)}">
<h2 id="${anchorOf(name)}">${name}</h2>
<p>${inline(description)}</p>
${calls.map((call) => callSection(server, call))}
</section>`,
  )}
<section class="tag" aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
<p>What several calls share.</p>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</section>
</main>`
  return { title: `${info.title}: calls`, style: STYLE, body }
}

function schemaSection(name: string, { description = '', ...schema }: JsonSchema): Html {
  const { items } = schema
  const entries = typeof items === 'object' && !Array.isArray(items) ? items : null
  return html`
<section aria-labelledby="schema-${name}">
<h3 id="schema-${name}">${name}</h3>
<p>${inline(description)}${entries ? '. An array; each entry has:' : ''}</p>
${fieldTable(entries ?? schema)}
</section>`
}

function callsOf(document: OpenApiDocument, tag: string): ShownCall[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, route]) => route.tags.includes(tag))
      .map(([method, route]) => ({ method, path, route })),
  )
}

function anchorOf(tag: string): string {
  return `calls-${tag.toLowerCase().replace(/\W+/g, '-')}`
}
