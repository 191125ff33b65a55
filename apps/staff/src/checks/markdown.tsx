import { lexer, type MarkedToken, type Token } from 'marked'
import { createElement, type ReactNode } from 'react'

/** Where links of a module may lead: nowhere that a browser would run. */
const LINK = /^(?:https?:\/\/|mailto:|tel:)/i

type MarkdownProps = {
  text: string
  /** The level of its highest headings. */
  level?: number
}

/**
 * What an author wrote in Markdown, as elements. Nothing of it is ever read as HTML, so it can run and load nothing: HTML is shown
 * as it was written, and an image as its description.
 */
export function Markdown({ text, level = 2 }: MarkdownProps) {
  const tokens = lexer(text)
  const highest = Math.min(
    6,
    ...tokens.map((token) => (isOwn(token) && token.type === 'heading' ? token.depth : 6)),
  )
  return (
    <div className="markdown" dir="auto">
      {shown(tokens, level - highest)}
    </div>
  )
}

const OWN = new Set<string>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
])

/** Others are of extensions, of which there are none. */
const isOwn = (token: Token): token is MarkedToken => OWN.has(token.type)

/** Each token as an element; headings are moved by so many levels. */
function shown(tokens: readonly Token[], shift: number): ReactNode {
  return tokens.map(
    (token, place) => isOwn(token) && <Shown key={placeOf(place)} token={token} shift={shift} />,
  )
}

/** Of the same text, what stands where never changes. */
const placeOf = (place: number) => `at ${place}`

function Shown({ token, shift }: { token: MarkedToken; shift: number }): ReactNode {
  const inside = (tokens: readonly Token[]) => shown(tokens, shift)
  switch (token.type) {
    case 'heading':
      return createElement(`h${Math.min(6, token.depth + shift)}`, null, inside(token.tokens))
    case 'paragraph':
      return <p>{inside(token.tokens)}</p>
    case 'text':
      return token.tokens ? inside(token.tokens) : token.text
    case 'escape':
    case 'html':
    case 'image':
      return token.text
    case 'strong':
      return <strong>{inside(token.tokens)}</strong>
    case 'em':
      return <em>{inside(token.tokens)}</em>
    case 'del':
      return <del>{inside(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ '
    case 'code':
      return (
        <pre dir="ltr">
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{inside(token.tokens)}</blockquote>
    case 'link':
      return LINK.test(token.href) ? (
        <a href={token.href} target="_blank" rel="noreferrer">
          {inside(token.tokens)}
        </a>
      ) : (
        inside(token.tokens)
      )
    case 'list': {
      const items = token.items.map((item, place) => <li key={placeOf(place)}>{inside(item.tokens)}</li>)
      return token.ordered ? <ol start={token.start === '' ? 1 : token.start}>{items}</ol> : <ul>{items}</ul>
    }
    case 'list_item':
      return inside(token.tokens)
    case 'table':
      return (
        <div className="table-box">
          <table>
            <thead>
              <tr>
                {token.header.map((cell, place) => (
                  <th key={placeOf(place)} scope="col">
                    {inside(cell.tokens)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {token.rows.map((row, line) => (
                <tr key={placeOf(line)}>
                  {row.map((cell, place) => (
                    <td key={placeOf(place)}>{inside(cell.tokens)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )
    case 'def':
    case 'space':
      return null
  }
}
