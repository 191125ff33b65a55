import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { htmlOfMarkdown } from '../../../functions/_shared/training/page/markdown.ts'

const html = (text: string) => String(htmlOfMarkdown(text))

describe('the Markdown of a section', () => {
  test('becomes paragraphs, lists, quotations and headings below that of the section', () => {
    expect(html('# A\n\nOne **two**.\n\n- three\n\n> four')).toBe(
      '<h3>A</h3>\n<p>One <strong>two</strong>.</p>\n<ul>\n<li>three</li>\n</ul>\n<blockquote>\n<p>four</p>\n</blockquote>\n',
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
      expect(name).toMatch(/^(?:p|a|ul|li|code|pre|em|strong|br|hr)$/)
      expect(attributes).toMatch(
        /^(?: href="(?:https:\/\/|mailto:|tel:)[^"]*" rel="noreferrer"| class="language-[^"]*")?$/,
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
