import { html } from 'hono/html'
import type { Html } from '../../http/page.ts'
import type {
  ChannelObject,
  Content,
  JsonSchema,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from '../openapi.ts'
import { curlExample, type ShownCall, supabaseExample } from './examples.ts'
import { fieldTable, inline, OPTIONAL, paragraphs, schemaAddress, typeOf } from './schema.ts'

/** One call: its request, its responses, its errors, and how to make it. */
export function callSection(server: string, call: ShownCall): Html {
  const { method, path, route } = call
  const { operationId, summary, description, parameters = [], requestBody, responses } = route
  const supabase = supabaseExample(call)
  return html`
<section aria-labelledby="${operationId}">
<h2 id="${operationId}">${summary}</h2>
<p class="address"><span class="method">${method.toUpperCase()}</span> ${path}</p>
${description ? paragraphs(description) : ''}
<p class="quiet">${whoMayCall(route)}</p>
${parameters.length > 0 ? html`<h3>Parameters</h3>${parameterTable(parameters)}` : ''}
${requestBody ? html`<h3>Body${requestBody.required ? '' : ' (optional)'}</h3>${contentOf(requestBody.content)}` : ''}
${Object.entries(responses)
  .filter(([status]) => Number(status) < 400)
  .map(([status, response]) => html`<h3>Response ${status}</h3>${responseContent(response)}`)}
<h3>Errors</h3>
${errorTable(responses)}
<h3>With curl</h3>
<pre tabindex="0"><code>${curlExample(server, call)}</code></pre>
${supabase === null ? '' : html`<h3>With supabase-js</h3><pre tabindex="0"><code>${supabase}</code></pre>`}
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
  return html`<table class="errors">
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${errors.map(([status, { description }]) => html`<tr><td>${status}</td><td>${inline(description)}</td></tr>`)}
</tbody></table>`
}

/** A channel: its events, and what devices send each other. */
export function channelSection(
  anchor: string,
  topic: string,
  { description, receive, send = [] }: ChannelObject,
): Html {
  return html`
<section>
<h2 id="${anchor}">${topic}</h2>
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
<tr><td><code>${event}</code></td><td>${inline(description)} <a href="${schemaAddress(nameIn($ref))}">${nameIn($ref)}</a></td></tr>`,
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

/** A schema that calls share. */
export function schemaSection(name: string, { description = '', ...schema }: JsonSchema): Html {
  const { items } = schema
  const entries = typeof items === 'object' && !Array.isArray(items) ? items : null
  return html`
<section aria-labelledby="schema-${name}">
<h2 id="schema-${name}">${name}</h2>
<p>${inline(description)}${entries ? '. An array; each entry has:' : ''}</p>
${fieldTable(entries ?? schema)}
</section>`
}
