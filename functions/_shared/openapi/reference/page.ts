import { html } from 'hono/html'
import type { Html, PageContent } from '../../http/page.ts'
import type {
  ChannelObject,
  Content,
  JsonSchema,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '../openapi.ts'
import { curlExample, type ShownCall, supabaseExample } from './examples.ts'
import { fieldTable, inline, OPTIONAL, paragraphs, typeOf } from './schema.ts'
import { STYLE } from './style.ts'

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
<p class="group"><a href="#channels">Channels</a></p>
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
<section class="tag" aria-labelledby="channels">
<h2 id="channels">Channels</h2>
<p>Private channels of Realtime, and what is broadcast there.</p>
${Object.entries(document['x-channels']).map(([topic, channel]) => channelSection(topic, channel))}
</section>
<section class="tag" aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
<p>What several calls share.</p>
${Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema))}
</section>
</main>`
  return { title: `${info.title}: calls`, style: STYLE, body }
}

function channelSection(topic: string, { description, receive, send = [] }: ChannelObject): Html {
  return html`
<section>
<h3>${topic}</h3>
<p>${inline(description)}</p>
<table><thead><tr><th scope="col">Event</th><th scope="col">When, and what it holds</th></tr></thead>
<tbody>${Object.entries(receive).map(
    ([
      event,
      {
        description,
        payload: { $ref },
      },
    ]) => html`
<tr><td><code>${event}</code></td><td>${inline(description)} <a href="#schema-${nameIn($ref)}">${nameIn($ref)}</a></td></tr>`,
  )}${send.map(
    (event) => html`
<tr><td><code>${event}</code></td><td>Sent by the student’s devices to each other.</td></tr>`,
  )}
</tbody></table>
</section>`
}

function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
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

/** One call: its request, its responses, its errors, and how to make it. */
function callSection(server: string, call: ShownCall): Html {
  const { method, path, route } = call
  const { operationId, summary, description, parameters = [], requestBody, responses } = route
  const supabase = supabaseExample(call)
  return html`
<section aria-labelledby="${operationId}">
<h3 id="${operationId}">${summary}</h3>
<p class="address"><span class="method">${method.toUpperCase()}</span> ${path}</p>
${description ? paragraphs(description) : ''}
<p class="quiet">${whoMayCall(route)}</p>
${parameters.length > 0 ? html`<h4>Parameters</h4>${parameterTable(parameters)}` : ''}
${requestBody ? html`<h4>Body${requestBody.required ? '' : ' (optional)'}</h4>${contentOf(requestBody.content)}` : ''}
${Object.entries(responses)
  .filter(([status]) => Number(status) < 400)
  .map(([status, response]) => html`<h4>Response ${status}</h4>${responseContent(response)}`)}
<h4>Errors</h4>
${errorTable(responses)}
<h4>With curl</h4>
<pre tabindex="0"><code>${curlExample(server, call)}</code></pre>
${supabase === null ? '' : html`<h4>With supabase-js</h4><pre tabindex="0"><code>${supabase}</code></pre>`}
</section>`
}

function whoMayCall({ security }: OperationObject): string {
  const schemes = security.flatMap(Object.keys)
  if (schemes.length === 0) return 'Open to everyone.'
  if (schemes.includes('metricsToken')) return 'With the token that the operator has set.'
  return schemes.includes('accessToken')
    ? 'With the access token of a signed-in person.'
    : 'With the secret of the database.'
}

function parameterTable(parameters: ParameterObject[]): Html {
  return html`<div class="wide" tabindex="0"><table class="parameters">
<thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${parameters.map(
    ({ name, in: place, required, schema, description = '' }) => html`
<tr><td><code>${name}</code>${required ? '' : OPTIONAL}</td>
<td>${place}</td><td>${typeOf(schema)}${defaultOf(schema.default)}</td><td>${inline(description)}</td></tr>`,
  )}
</tbody></table></div>`
}

function defaultOf(value: unknown): Html | string {
  return value === undefined ? '' : html`; <code>${JSON.stringify(value)}</code> by default`
}

function contentOf(content: Content): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example }]) => html`
${type === 'application/json' ? '' : html`<p><code>${type}</code></p>`}
${fieldTable(schema)}
${example === undefined ? '' : html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`}`,
  )}`
}

function responseContent({ description, content }: ResponseObject): Html {
  return content ? contentOf(content) : html`<p>${inline(description)}</p>`
}

function errorTable(responses: Record<string, ResponseObject>): Html {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<table>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${errors.map(([status, { description }]) => html`<tr><td>${status}</td><td>${inline(description)}</td></tr>`)}
</tbody></table>`
}
