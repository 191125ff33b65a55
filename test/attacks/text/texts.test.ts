import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fileKey } from '../../../functions/_shared/files/keys.ts'
import { read } from '../../../functions/_shared/text/document.ts'
import { readTranscript } from '../../../functions/_shared/textmodel/built-in.ts'
import { visibleText } from '../../../functions/_shared/textmodel/prompt.ts'
import { acceptableSummary } from '../../../functions/_shared/textmodel/sanitise.ts'
import { normalForm } from '../../../functions/_shared/unicode.ts'
import { dose, SEED } from '../../depth.ts'
import { expressionsOfTheCode, hostileText, integers, LENGTH } from './texts.ts'

/** Seconds of CPU that a text may take in one of its readers; a hosted function has 2 in all. */
const MOST_CPU_S = 1

const FUNCTIONS = join(import.meta.dirname, '../../../functions')

function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/**
 * The CPU of a work that takes more than it may: the least of three times. Beside other work, threads that wait for one another, as
 * those that collect garbage, take several times what they need; what a text itself costs, it costs each time.
 */
function boundedCpuSeconds(work: () => unknown): number {
  const first = cpuSeconds(work)
  return first > MOST_CPU_S ? Math.min(first, cpuSeconds(work), cpuSeconds(work)) : first
}

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  readTranscript,
  visibleText,
  acceptableSummary: (text) => acceptableSummary(`You ${text}`),
  fileKey: (name) => fileKey({ university: 'u', student: null, folder: [], id: 'i', name, extension: 'pdf' }),
}

test('a letter with 50,000 marks of two classes is read in linear time, also where other characters divide them', () => {
  const marks = [
    '\u0345\u0334'.repeat(25_000),
    '\u0345'.repeat(25_000) + '\u0334'.repeat(25_000),
    '\uff9e\u0345'.repeat(25_000),
    `${'\u0345\u0334'.repeat(15)}\u200b`.repeat(1600),
    `${'\u0345\u0334'.repeat(15)}\u00ad`.repeat(1600),
  ]
  const slow = marks.flatMap((run) =>
    Object.entries(READERS).filter(([, read]) => cpuSeconds(() => read(`a${run}`)) > 0.5),
  )
  expect(slow.map(([name]) => name)).toEqual([])
})

test('50,000 lines of one character are read in a second, as few sentences; 2,000 lines are that many', () => {
  const lines = 'a\n'.repeat(50_000)
  expect(read(lines).words).toHaveLength(50_000)
  expect(read(lines).sentences.length).toBeLessThan(5000)
  expect(cpuSeconds(() => readTranscript(lines))).toBeLessThan(MOST_CPU_S)
  expect(read('I slept\n'.repeat(2000)).sentences).toHaveLength(2000)
})

test('up to 30 marks in a row stay, as every language needs them', () => {
  const zalgo = `a${'\u0316\u0301'.repeat(15)}`
  expect(normalForm(zalgo, 'NFD')).toBe(zalgo.normalize('NFD'))
  expect(normalForm(`${zalgo}\u0301\u0301 b`, 'NFD')).toBe(normalForm(`${zalgo} b`, 'NFD'))
  for (const text of ['Tiếng Việt', 'שָׁלוֹם', 'ปิ้งน้ำ', 'བསྒྲུབས', 'ﾊﾟﾋﾞ', 'नमस्ते']) {
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
      expect(normalForm(text, form)).toBe(text.normalize(form))
    }
  }
})

test('text is normalised in one place', () => {
  const files = readdirSync(FUNCTIONS, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && /\.normalize\(/.test(readFileSync(join(FUNCTIONS, file), 'utf8')),
  )
  expect(files).toEqual(['_shared/unicode.ts'])
})

const expressions = expressionsOfTheCode()

test(`each regular expression of the code reads ${LENGTH} characters in time`, () => {
  expect(expressions.length).toBeGreaterThan(150)
  const random = integers(Number(SEED))
  const slow = new Set<string>()
  for (const expression of expressions) {
    const regex = new RegExp(expression.regex.source, `${expression.regex.flags.replace('g', '')}g`)
    for (let number = 0; number < dose(3, 20); number++) {
      const text = hostileText([expression], random)
      const seconds = boundedCpuSeconds(() => text.replace(regex, ''))
      if (seconds > MOST_CPU_S) slow.add(`${expression.file}: ${regex} took ${seconds} s`)
    }
  }
  expect([...slow]).toEqual([])
}, 600_000)

test(`texts of ${LENGTH} characters from every script, mark, separator and expression are read in time`, () => {
  const random = integers(Number(SEED))
  const slow: string[] = []
  for (let number = 0; number < dose(15, 5000); number++) {
    const text = hostileText(expressions, random)
    for (const [name, read] of Object.entries(READERS)) {
      const seconds = boundedCpuSeconds(() => read(text))
      if (seconds > MOST_CPU_S) slow.push(`${name} took ${seconds} s: ${JSON.stringify(text.slice(0, 80))}`)
    }
  }
  expect(slow).toEqual([])
}, 6_000_000)
