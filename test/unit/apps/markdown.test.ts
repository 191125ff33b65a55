import fc from 'fast-check'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Markdown } from '../../../apps/staff/src/checks/markdown.tsx'

const html = (text: string, level?: number) =>
  renderToStaticMarkup(createElement(Markdown, { text, ...(level !== undefined && { level }) }))

describe('the Markdown of a section', () => {
  test('becomes paragraphs, lists, quotations and headings below that of the section', () => {
    expect(html('# A\n\nOne **two**.\n\n- three\n\n> four')).toBe(
      '<div class="markdown" dir="auto"><h2>A</h2><p>One <strong>two</strong>.</p><ul><li>three</li></ul><blockquote><p>four</p></blockquote></div>',
    )
  })

  test('has headings that go down by one level, wherever its author began', () => {
    expect(html('### A\n\n#### B', 4)).toContain('<h4>A</h4><h5>B</h5>')
    expect(html('One.\n\n## A')).toContain('<h2>A</h2>')
  })

  test('leads to pages, mailboxes and telephones', () => {
    expect(html('[a](https://a.example.edu) [b](mailto:b@example.edu) [c](ftp://c.example.edu)')).toContain(
      '<a href="https://a.example.edu" target="_blank" rel="noreferrer">a</a> <a href="mailto:b@example.edu" target="_blank" rel="noreferrer">b</a> c',
    )
  })

  test.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '![x](https://elsewhere.example/x.png)',
    '![x"><script>](x)',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '<javascript:alert(1)>',
    '[x](https://a.example/"onmouseover="alert(1))',
    '[x][y]\n\n[y]: javascript:alert(1)',
    '- [x] <iframe src=x>',
    '`<script>`\n\n```"><script>\n<script>\n```',
    '<!-- --><form action=https://elsewhere.example><button>',
    '&lt;script&gt; &#60;script&#62;',
  ])('runs and loads nothing of %j', (text) => {
    const tags = [...html(text).matchAll(/<\/?([a-z0-9]+)([^>]*)>/gi)]
    for (const [, name = '', attributes = ''] of tags) {
      expect(name).toMatch(/^(?:div|p|a|ul|li|code|pre|em|strong|br|hr)$/)
      expect(attributes).toMatch(
        /^(?: class="markdown" dir="auto"| dir="ltr"| href="(?:https?:\/\/|mailto:|tel:)[^"]*" target="_blank" rel="noreferrer")?$/,
      )
    }
  })

  test('of whatever text has no tag that loads or runs', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '"',
      '!',
      '[',
      ']',
      '(',
      ')',
      '`',
      '\n',
      'script',
      'img',
      ' src=x',
      'javascript:',
      '&',
      '#',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        expect(html(parts.join(''))).not.toMatch(/<(?:script|img|iframe|object|form)|href="javascript/i)
      }),
    )
  })
})
