import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { RiskLevel } from '../../../functions/_shared/risk-level.ts'
import { detectCrisis } from '../../../functions/_shared/text/crisis/detect.ts'
import type { CrisisSentence } from '../sentence.ts'
import { HELD_OUT } from './held-out.ts'
import { HELD_OUT_CHECK_INS, unpunctuated } from './lists.ts'
import { OUTRIGHT } from './outright.ts'

/** Counts for a list, without its sentences: `missed` is a `high` detected lower, `raised` a `none` detected moderate or higher. */
export type Measure = {
  high: { sentences: number; missed: number }
  none: { sentences: number; raised: number }
}

export function measure(list: readonly CrisisSentence[]): Measure {
  const crisis = textsOf(list, 'high')
  const calm = textsOf(list, 'none')
  return {
    high: { sentences: crisis.length, missed: crisis.length - crisis.filter(isHigh).length },
    none: { sentences: calm.length, raised: calm.filter(isRaised).length },
  }
}

export const isHigh = (text: string): boolean => detectCrisis(text).level === 'high'
/** `moderate` opens a review too. */
export const isRaised = (text: string): boolean => ['moderate', 'high'].includes(detectCrisis(text).level)

/** "139 of 150 = 93% (87 to 96)": with Wilson's 95% interval. */
export function share(texts: readonly string[], holds: (text: string) => boolean): string {
  const n = texts.length
  if (n === 0) return 'none in the list'
  const times = texts.filter(holds).length
  const z = 1.96
  const p = times / n
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  const percent = (value: number) => Math.round(100 * value)
  return `${times} of ${n} = ${percent(p)}% (${percent(centre - half)} to ${percent(centre + half)})`
}

/** A sealed list, as `accuracy:crisis` reads it from a file. */
const sealed = z.object({
  sentences: z.array(z.object({ expected: z.string(), category: z.string(), text: z.string() })),
  check_ins: z.array(
    z.object({
      expected: z.string(),
      kind: z.string(),
      punctuated: z.boolean().nullish(),
      text: z.string(),
    }),
  ),
})

if (import.meta.main) {
  const [file] = process.argv.slice(2)
  if (file === undefined) printHeldOut()
  else printSealed(sealed.parse(JSON.parse(readFileSync(file, 'utf8'))))
}

function printHeldOut(): void {
  const crisis = textsOf(HELD_OUT, 'high')
  console.log(`crisis sentences at high: ${share(crisis, isHigh)}; reached ${share(crisis, isRaised)}`)
  console.log(`harmless sentences raised: ${share(textsOf(HELD_OUT, 'none'), isRaised)}`)
  console.log(`ordinary check-ins raised: ${share(HELD_OUT_CHECK_INS, isRaised)}`)
  console.log(`  unpunctuated: ${share(HELD_OUT_CHECK_INS.map(unpunctuated), isRaised)}`)
  for (const words of [35, 140, 600]) {
    const texts = crisis.map((sentence, at) => inTalk(sentence, words, at))
    console.log(`in ${words} words of talk: high ${share(texts, isHigh)}; reached ${share(texts, isRaised)}`)
    const outright = outrightIn(words)
    console.log(
      `said outright in them: high ${share(outright, isHigh)}; reached ${share(outright, isRaised)}`,
    )
  }
}

function printSealed({ sentences, check_ins }: z.infer<typeof sealed>): void {
  const texts = (list: readonly { text: string }[]) => list.map(({ text }) => text)
  const crisis = texts(sentences.filter(({ expected }) => expected === 'high'))
  console.log(`crisis sentences at high: ${share(crisis, isHigh)}; reached ${share(crisis, isRaised)}`)
  for (const expected of ['high', 'none']) {
    const some = sentences.filter((each) => each.expected === expected)
    if (expected === 'none') console.log(`harmless sentences raised: ${share(texts(some), isRaised)}`)
    for (const [category, list = []] of Object.entries(Object.groupBy(some, (each) => each.category)))
      console.log(`  ${category}: ${share(texts(list), expected === 'high' ? isHigh : isRaised)}`)
  }
  const told = check_ins.filter(({ expected }) => expected === 'high')
  for (const punctuated of [true, false]) {
    const some = texts(told.filter((each) => each.punctuated === punctuated))
    console.log(
      `disclosures, ${punctuated ? '' : 'un'}punctuated: reached ${share(some, isRaised)}; high ${share(some, isHigh)}`,
    )
  }
  console.log(
    `disclosures, punctuation taken away: reached ${share(texts(told).map(unpunctuated), isRaised)}`,
  )
  const ordinary = check_ins.filter(({ expected }) => expected !== 'high')
  for (const [kind, list = []] of Object.entries(Object.groupBy(ordinary, (each) => each.kind)))
    console.log(`ordinary check-ins raised, ${kind}: ${share(texts(list), isRaised)}`)
}

function textsOf(list: readonly CrisisSentence[], wanted: RiskLevel): string[] {
  return list.filter(({ level }) => level === wanted).map(({ text }) => text)
}

/** Every sentence said outright, in the middle of words of ten different talks each. */
export function outrightIn(words: number): string[] {
  return OUTRIGHT.flatMap((sentence, at) =>
    Array.from({ length: 10 }, (_, talk) => inTalk(sentence, words, at + 10 * talk)),
  )
}

/** A sentence in the middle of words of ordinary talk without punctuation; `at` chooses which talk. */
function inTalk(sentence: string, words: number, at: number): string {
  const talk: string[] = []
  for (let next = at; talk.length < words; next++)
    talk.push(...unpunctuated(HELD_OUT_CHECK_INS[next % HELD_OUT_CHECK_INS.length] ?? 'and').split(/\s+/))
  const middle = Math.floor(words / 2)
  return [...talk.slice(0, middle), unpunctuated(sentence), ...talk.slice(middle, words)].join(' ')
}
