import { describe, expect, it } from 'vitest'
import { parseTemplate, textOf } from '../../src/auth/go-template.ts'

const render = (source: string, values = {}) => parseTemplate(source, 'a mail')(values)

describe('a template of a mail', () => {
  it('chooses, comments and trims as html/template does', () => {
    const source = `{{/* {{ no }} */}}<p>{{ if eq (printf "%v" .Data.language) "de" }}Hallo{{ else if .Name }}Hello{{ else }}Hey{{ end }} {{- " you" -}} </p>`
    expect(() => render(source, {})).not.toThrow()
    expect(render(source, { Data: { language: 'de' } })).toBe('<p>Hallo you</p>')
    expect(render(source, { Name: 'Sam', Data: { language: ['de'] } })).toBe('<p>Hello you</p>')
    expect(render(source, {})).toBe('<p>Hey you</p>')
  })

  it('escapes a value by where it stands', () => {
    const values = { Name: `<b>'"+&`, Url: 'javascript:alert(1)', Next: 'a&b=c d#e' }
    expect(render('<p title="{{ .Name }}">{{ .Name }}</p>', values)).toBe(
      '<p title="&lt;b&gt;&#39;&#34;&#43;&amp;">&lt;b&gt;&#39;&#34;&#43;&amp;</p>',
    )
    expect(render('<a href="{{ .Url }}">x</a>', values)).toBe('<a href="#ZgotmplZ">x</a>')
    expect(render('<a href="/x?next={{ .Next }}">x</a>', values)).toBe(
      '<a href="/x?next=a%26b%3dc%20d%23e">x</a>',
    )
  })

  it.each([
    ['{{ range .Items }}x{{ end }}', 'range .Items'],
    ['{{ .Name | urlquery }}', 'urlquery'],
    ['{{ $x := .Name }}', '$x'],
    ['{{ template "other" }}', 'template'],
    ['<style>p { color: {{ .Color }} }</style>', 'style sheet'],
    ['<p style="color:{{ .Color }}">', 'attribute style'],
    ['<p {{ .Name }}>', 'quoted attribute'],
    ['{{ if .Name }}x', 'does not end'],
    ['{{ end }}', 'without an {{ if }}'],
    ['{{ .Name', 'does not end'],
  ])('is refused where it holds what the stack cannot do: %s', (source, problem) => {
    expect(() => parseTemplate(source, 'a mail')).toThrow(problem)
    expect(() => parseTemplate(source, 'a mail')).toThrow('a mail')
  })

  it('is read as plain text with its addresses', () => {
    expect(
      textOf(
        '<head><title>T</title><style>p{}</style></head><h1>One &amp; two</h1>\n<p>a<br>b</p><p><a class="x" href="https://x.example/?a=1&amp;b=2">Go</a></p>',
      ),
    ).toBe('One & two\n\na\nb\n\nGo: https://x.example/?a=1&b=2')
  })
})
