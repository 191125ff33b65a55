import { raw } from 'hono/html'
import { Marked, type Tokens } from 'marked'

/** Where links of a module may lead: nowhere that a browser would run. */
const LINK = /^(?:https:\/\/|mailto:|tel:)/i

/** Highest heading within a section, whose own is of the level above. */
const HIGHEST_HEADING = 3

const marked = new Marked({
  renderer: {
    // What authors write of HTML is shown as they wrote it.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    // A page loads nothing.
    image: ({ text }) => escaped(text),
    heading({ tokens, depth }) {
      const level = Math.max(depth, HIGHEST_HEADING)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return LINK.test(href) ? `<a href="${escaped(href)}" rel="noreferrer">${text}</a>` : text
    },
    // A form that does nothing.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
})

/** The HTML of a section's Markdown, with nothing in it that its author could run or load. */
export function htmlOfMarkdown(text: string) {
  return raw(marked.parse(text, { async: false }))
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
