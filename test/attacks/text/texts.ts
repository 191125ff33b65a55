import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As long as the longest transcript. */
export const LENGTH = 100_000

const FUNCTIONS = join(import.meta.dirname, '../../../functions')

/** A regular expression of the code, with the file that it stands in. */
export interface Expression {
  file: string
  regex: RegExp
}

const LITERAL =
  /(?:[(,=:[!&|?{;]|=>|return|\n)\s*\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/([dgimsuv]*)(?![\w/])/g

/** Every literal of a regular expression in the functions. Those that are built when a module loads are recorded by the test. */
export function expressionsOfTheCode(): Expression[] {
  const files = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .sort()
  return files.flatMap((file) => {
    const source = readFileSync(join(FUNCTIONS, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    return [...source.matchAll(LITERAL)].flatMap(([, pattern = '', flags = '']) => {
      try {
        return [{ file, regex: new RegExp(pattern, flags) }]
      } catch {
        return []
      }
    })
  })
}

/** Pseudo-random integers from 0 to below `most`; the same seed gives the same ones. */
export function integers(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** Letters of many scripts, marks of many classes, separators, invisible and control characters, halves of pairs. */
const CHARACTERS = [
  ...[
    'a',
    'i',
    'K',
    'ß',
    'ı',
    'ж',
    'λ',
    'א',
    'ش',
    'ह',
    'ก',
    '가',
    '中',
    'ﷺ',
    '\u{1d504}',
    '😀',
    '👩‍👩‍👧',
    '🇩🇪',
  ],
  ...[
    '\u0300',
    '\u0345',
    '\u0334',
    '\u0323',
    '\u093c',
    '\u094d',
    '\u3099',
    '\uff9e',
    '\u0f71',
    '\u0591',
    '\u20dd',
  ],
  ...['\u1ab0', '\u0344', '\u034f', '\u{1d165}', '\ufe0f', '\u{e0061}', '\u{e0100}', '\u0ccb', '\u0f77'],
  ...[
    ' ',
    '\n',
    '\r',
    '\t',
    '\u00a0',
    '\u2028',
    '\u3000',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u00ad',
    '\0',
    '\u001b',
  ],
  ...[
    '.',
    '...',
    '…',
    '!',
    '?',
    ',',
    ';',
    ':',
    '-',
    '—',
    '_',
    '*',
    '#',
    '@',
    '$',
    '|',
    '/',
    '\\',
    '&',
    '%',
    '€',
  ],
  ...[
    '"',
    "'",
    '’',
    '“',
    '`',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '<',
    '>',
    '=',
    '+',
    '^',
    '~',
    '0',
    '1',
    '9',
    '٣',
    '½',
  ],
  ...['\ud800', '\udc00', '\ufffe', '\u{10ffff}'],
]

const WORDS =
  'i im want wanna going to die kill myself my self end it all not dont never no so pills rope on a the mood is about 7 out of ten feel like he she hits me joke exam today'.split(
    ' ',
  )

/** A text of up to 100,000 characters in which something is repeated that costs a backtracking or sorting reader time. */
export function hostileText(expressions: readonly Expression[], random: (most: number) => number): string {
  const piece = () => {
    const kind = random(4)
    const { source = 'a' } = expressions[random(expressions.length)]?.regex ?? {}
    if (kind === 0) return CHARACTERS[random(CHARACTERS.length)] ?? 'a'
    if (kind === 1) return WORDS[random(WORDS.length)] ?? 'i'
    const matching = sampleOf(source, random)
    return kind === 2 ? matching : matching.slice(0, random(matching.length + 1))
  }
  const unit = Array.from({ length: 1 + random(4) }, piece).join(['', ' ', '', '\n', '. '][random(5)])
  if (random(8) === 0) {
    const pieces = Array.from({ length: 60 }, piece)
    let text = ''
    while (text.length < LENGTH) text += pieces[random(pieces.length)]
    return text.slice(0, LENGTH)
  }
  const repeated = unit === '' ? ' ' : unit
  const around = piece()
  return (
    `${around}${repeated.repeat(Math.ceil(LENGTH / repeated.length))}`.slice(0, LENGTH - 8) +
    piece().slice(0, 8)
  )
}

/** A string that a regular expression matches, or nearly: look-arounds, anchors and references are left out. */
function sampleOf(source: string, random: (most: number) => number): string {
  let at = 0
  const choices = (): string => {
    const options = [sequence()]
    while (source[at] === '|') {
      at++
      options.push(sequence())
    }
    return options[random(options.length)] ?? ''
  }
  const sequence = (): string => {
    let text = ''
    while (at < source.length && source[at] !== '|' && source[at] !== ')') text += times(atom())
    return text
  }
  const times = (text: string): string => {
    const [quantifier, least, , most] = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(source.slice(at)) ?? []
    if (quantifier === undefined) return text
    at += quantifier.length
    if (quantifier.startsWith('?')) return text.repeat(random(2))
    const from = Number(least ?? (quantifier.startsWith('+') ? 1 : 0))
    return text.repeat(Math.min(from + random(3), Number(most || 99), 99))
  }
  const atom = (): string => {
    const character = source[at++] ?? ''
    if (character === '(') {
      const isAround = /^\?<?[=!]/.test(source.slice(at))
      at += /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(source.slice(at))?.[0].length ?? 0
      const text = choices()
      at++
      return isAround ? '' : text
    }
    if (character === '[') return classMember()
    if (character === '\\') return escaped()
    if (character === '.') return 'x'
    return character === '^' || character === '$' ? '' : character
  }
  const escaped = (): string => {
    const rest = source.slice(at)
    const [code] = /^(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|k<\w+>|.)/i.exec(rest) ?? ['']
    at += code.length
    const hex = /^[ux]\{?([\da-f]+)/i.exec(code)?.[1]
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16))
    if (/^p\{(?:M|Mn|Mc)/.test(code)) return '\u0301'
    if (/^p\{(?:N|Nd)\}/.test(code)) return '7'
    if (/^[pP]/.test(code)) return 'e'
    return (
      { d: '5', D: 'a', w: 'w', W: ' ', s: ' ', S: 's', b: '', B: '', n: '\n', t: '\t', r: '\r' }[code] ??
      code
    )
  }
  const classMember = (): string => {
    const negated = source[at] === '^'
    const members: string[] = []
    while (at < source.length && (source[at] !== ']' || members.length === 0)) {
      const escapes = source[at] === '\\'
      at++
      members.push(escapes ? escaped() : (source[at - 1] ?? ''))
      if (source[at] === ']') break
    }
    at++
    return negated ? 'z' : (members[random(members.length)] ?? '')
  }
  return choices()
}
