import { html } from 'hono/html'
import type { Html } from '../../http/page.ts'

/** A sentence with code in backticks. */
export function inline(text: string): Html {
  return html`${text.split(/(`[^`]+`)/).map((part) => (part.startsWith('`') && part.length > 2 ? html`<code>${part.slice(1, -1)}</code>` : part))}`
}

/** Paragraphs, divided by empty lines. */
export function paragraphs(text: string): Html {
  return html`${text.split(/\n{2,}/).map((part) => html`<p>${inline(part)}</p>`)}`
}
