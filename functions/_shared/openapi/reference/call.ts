import { html } from 'hono/html'
import type { Html } from '../../http/page.ts'
import type { Content, OperationObject, ParameterObject, ResponseObject } from '../openapi.ts'
import { curlExample, type ShownCall, supabaseExample } from './example.ts'
import { fieldTable, OPTIONAL, typeOf } from './schema.ts'
import { inline, paragraphs } from './text.ts'

/** One call: what it takes, what it answers, how it is refused, and how it is made. */
export function callSection(server: string, call: ShownCall): Html {
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
  .map(([status, response]) => html`<h4>Answer ${status}</h4>${answerOf(response)}`)}
<h4>Refusals</h4>
${refusalTable(responses)}
<h4>With curl</h4>
<pre tabindex="0"><code>${curlExample(server, call)}</code></pre>
${supabase === null ? '' : html`<h4>With supabase-js</h4><pre tabindex="0"><code>${supabase}</code></pre>`}
</section>`
}

function whoMayCall({ security }: OperationObject): string {
  const schemes = security.flatMap(Object.keys)
  if (schemes.length === 0) return 'Open to everybody.'
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
  return value === undefined ? '' : html`; <code>${JSON.stringify(value)}</code> where unsaid`
}

function contentOf(content: Content): Html {
  return html`${Object.entries(content).map(
    ([type, { schema, example }]) => html`
${type === 'application/json' ? '' : html`<p><code>${type}</code></p>`}
${fieldTable(schema)}
${example === undefined ? '' : html`<pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre>`}`,
  )}`
}

function answerOf({ description, content }: ResponseObject): Html {
  return content ? contentOf(content) : html`<p>${inline(description)}</p>`
}

function refusalTable(responses: Record<string, ResponseObject>): Html {
  const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  return html`<table>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${refusals.map(([status, { description }]) => html`<tr><td>${status}</td><td>${inline(description)}</td></tr>`)}
</tbody></table>`
}
