/** What a template is filled with; a name with a dot inside is a member of the one before it. */
export type TemplateValues = { [name: string]: unknown }

/** A template that was read. Renders to HTML, escaped as Go's `html/template` does where a value stands. */
export type Template = (values: TemplateValues) => string

type Operand =
  | { kind: 'field'; path: string[] }
  | { kind: 'text'; text: string }
  | { kind: 'printed'; of: Operand }
type Condition = { kind: 'set'; of: Operand } | { kind: 'eq'; left: Operand; right: Operand }
type Escape = (value: string) => string
type Node =
  | { kind: 'literal'; text: string }
  | { kind: 'value'; of: Operand; escape: Escape }
  | { kind: 'if'; branches: { condition: Condition | null; nodes: Node[] }[] }

/**
 * Reads a template of Go's `html/template`, as far as mails need it: `{{ .Name }}`, `{{ .Data.name }}`, comments, `{{ if }}`,
 * `{{ else if }}`, `{{ else }}` and `{{ end }}` over a value or `eq`, `printf "%v"` of one, and `{{-` with `-}}`. A value may stand
 * in the text and in a quoted attribute; in `href` it is escaped as a part of an address.
 *
 * @param name names the template in errors
 * @throws Error naming what it cannot do, so that nothing is rendered in another way than by Auth
 */
export function parseTemplate(source: string, name: string): Template {
  const fail = (problem: string): never => {
    throw new Error(`${name}: ${problem}. Auth's own templates may hold it, the local stack's may not.`)
  }
  const root: Node[] = []
  const open: { branches: { condition: Condition | null; nodes: Node[] }[] }[] = []
  const here = () => open.at(-1)?.branches.at(-1)?.nodes ?? root
  let written = ''
  let rest = source
  while (rest !== '') {
    const start = rest.indexOf('{{')
    const end = start < 0 ? -1 : actionEnd(rest, start)
    if (start >= 0 && end < 0) fail('an action does not end')
    const raw = start < 0 ? '' : rest.slice(start + 2, end)
    const text = start < 0 ? rest : rest.slice(0, start)
    const literal = /^-\s/.test(raw) ? text.trimEnd() : text
    if (literal !== '') here().push({ kind: 'literal', text: literal })
    written += literal
    if (start < 0) break
    rest = rest.slice(end + 2)
    if (/\s-$/.test(raw)) rest = rest.trimStart()
    const action = raw.replace(/^-\s/, '').replace(/\s-$/, '').trim()
    if (action.startsWith('/*')) continue
    const [, keyword, about = ''] = /^(if|else if|else|end)\b\s*(.*)$/s.exec(action) ?? []
    const current = open.at(-1)
    if (keyword === 'if') {
      const branches = [{ condition: conditionOf(about), nodes: [] }]
      here().push({ kind: 'if', branches })
      open.push({ branches })
    } else if (keyword) {
      if (!current) fail(`{{ ${keyword} }} without an {{ if }}`)
      else if (keyword === 'end') open.pop()
      else current.branches.push({ condition: keyword === 'else' ? null : conditionOf(about), nodes: [] })
    } else {
      here().push({ kind: 'value', of: operandOf(action), escape: escapeAt(written) })
      // Stands for the value where the next one's place is looked for.
      written += 'x'
    }
  }
  if (open.length > 0) fail('an {{ if }} does not end')
  return (values) => render(root, values)

  function conditionOf(text: string): Condition {
    const [left, right] = /^eq\s/.test(text) ? operandsOf(text.slice(2)) : []
    if (left && right) return { kind: 'eq', left, right }
    return { kind: 'set', of: operandOf(text) }
  }

  function operandOf(text: string): Operand {
    const [first, ...more] = operandsOf(text)
    return !first || more.length > 0 ? fail(`{{ ${text} }} is not supported`) : first
  }

  function operandsOf(text: string): Operand[] {
    const found: Operand[] = []
    let left = text.trim()
    while (left !== '') {
      const [all = '', path, quoted, printed] =
        /^(?:((?:\.\w+)+)|"([^"\\]*)"|\(printf "%v" ((?:\.\w+)+)\))(?:\s+|$)/.exec(left) ?? []
      if (all === '') fail(`{{ ${text} }} is not supported`)
      if (path) found.push({ kind: 'field', path: path.slice(1).split('.') })
      else if (printed) {
        found.push({ kind: 'printed', of: { kind: 'field', path: printed.slice(1).split('.') } })
      } else found.push({ kind: 'text', text: quoted ?? '' })
      left = left.slice(all.length)
    }
    return found
  }

  /** How a value is escaped after this much of the template, by where it stands. */
  function escapeAt(before: string): Escape {
    const openTag = before.lastIndexOf('<')
    if (/<(?:style|script|title|textarea)\b(?:(?!<\/).)*$/is.test(before) && !/<title>[^<]*$/i.test(before)) {
      return fail('a value stands in a style sheet or a script')
    }
    if (openTag < 0 || before.lastIndexOf('>') > openTag || !/^<[a-z]/i.test(before.slice(openTag)))
      return escapeHtml
    const attribute = /\s([a-z-]+)="([^"]*)$/i.exec(before.slice(openTag))
    if (!attribute) return fail('a value stands in a tag outside of a quoted attribute')
    const [, attributeName = '', soFar = ''] = attribute
    if (/^(?:style|on.*|src|srcset|action)$/i.test(attributeName)) {
      return fail(`a value stands in the attribute ${attributeName}`)
    }
    if (attributeName.toLowerCase() !== 'href') return escapeHtml
    if (/[?#]/.test(soFar)) return (value) => escapeHtml(escapeUrl(value, false))
    return (value) => {
      const scheme = /^([a-z][^/?#]*?):/i.exec(value)?.[1]
      const isSafe = soFar !== '' || scheme === undefined || /^(?:https?|mailto)$/i.test(scheme)
      return escapeHtml(isSafe ? escapeUrl(value, true) : '#ZgotmplZ')
    }
  }
}

function render(nodes: Node[], values: TemplateValues): string {
  return nodes
    .map((node) => {
      if (node.kind === 'literal') return node.text
      if (node.kind === 'value') return node.escape(printed(operandValue(node.of, values)))
      const taken = node.branches.find(({ condition }) => condition === null || holds(condition, values))
      return taken ? render(taken.nodes, values) : ''
    })
    .join('')
}

function holds(condition: Condition, values: TemplateValues): boolean {
  if (condition.kind === 'eq')
    return operandValue(condition.left, values) === operandValue(condition.right, values)
  const value = operandValue(condition.of, values)
  return Array.isArray(value) ? value.length > 0 : Boolean(value)
}

function operandValue(operand: Operand, values: TemplateValues): unknown {
  if (operand.kind === 'text') return operand.text
  if (operand.kind === 'printed') return printed(operandValue(operand.of, values))
  return operand.path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? Object.getOwnPropertyDescriptor(value, name)?.value
        : undefined,
    values,
  )
}

/** A value that nobody gave is empty, as in `html/template`. */
function printed(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}

const ENTITIES: Record<string, string> = {
  '\0': '\uFFFD',
  '"': '&#34;',
  '&': '&amp;',
  "'": '&#39;',
  '+': '&#43;',
  '<': '&lt;',
  '>': '&gt;',
}

function escapeHtml(value: string): string {
  return value.replace(/[\0"&'+<>]/g, (character) => ENTITIES[character] ?? character)
}

/** Percent-encodes what an address may not hold; `isWhole` keeps what gives it its structure. */
function escapeUrl(value: string, isWhole: boolean): string {
  const kept = isWhole ? /[^A-Za-z0-9\-._~!#$&*+,/:;=?@[\]]/g : /[^A-Za-z0-9\-._~]/g
  const text = isWhole ? value.replace(/%(?![0-9a-f]{2})/gi, '%25') : value
  return text.replace(kept, (character) =>
    isWhole && character === '%'
      ? '%'
      : [...new TextEncoder().encode(character)]
          .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
          .join(''),
  )
}

/** Where an action that begins at `start` ends: a comment may hold braces. */
function actionEnd(text: string, start: number): number {
  const comment = /^\{\{-?\s*\/\*/.test(text.slice(start)) ? text.indexOf('*/', start) : start
  return comment < 0 ? -1 : text.indexOf('}}', comment)
}

/** What a mail says to who reads it as plain text: links with their address, a line for each block. */
export function textOf(html: string): string {
  return html
    .replace(/<(style|title|head)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/\s+/g, ' ')
    .replace(/<a\b[^>]*\shref="([^"]*)"[^>]*>(.*?)<\/a>/gi, (_, href: string, label: string) =>
      label.trim() === href.trim() ? href : `${label.trim()}: ${href}`,
    )
    .replace(/<br\s*\/?>/gi, '\n')
    .replace(/<\/(?:p|h\d|div|li|tr)>/gi, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|amp|lt|gt|quot|nbsp|zwnj);/g, (entity, code?: string) =>
      code ? String.fromCodePoint(Number(code)) : (TEXT_ENTITIES[entity] ?? entity),
    )
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const TEXT_ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&zwnj;': '',
}
