import { readFileSync } from 'node:fs'
import type { RiskLevel } from '../../functions/_shared/risk-level.ts'
import { BY_LEVEL } from './by-level.ts'

/** An invented sentence, or up to a few; `kind` is what it is about, in the words of README.md. */
export type Sentence = { author: string; level: RiskLevel; kind: string; text: string }

/** An invented check-in from beginning to end; `disclosure` is what in it is of a crisis, word for word. */
export type CheckIn = Sentence & { disclosure: string | null }

/** A text of any length in a language (BCP 47), as somebody says it to a phone. */
export type Spoken = CheckIn & { lang: string; form: 'short' | 'checkin' }

export const SENTENCES: readonly Sentence[] = lines('sentences.jsonl')
export const CHECK_INS: readonly CheckIn[] = lines('check-ins.jsonl')

/** Short texts, denials and other languages, many of them twins of which one is of a crisis and the other not. */
export const TWINS: readonly Spoken[] = lines('twins.jsonl')
/** Never learnt from: probabilities are set on them (`encoder/calibrate.py`). */
export const KEPT_APART: readonly Spoken[] = lines('kept-apart.jsonl')

/** Examples by level; of a few words, what they mean is a matter of the context that is missing. */
export const EXAMPLES: readonly Sentence[] = Object.entries(BY_LEVEL).flatMap(([level, texts]) =>
  texts.map((text) => ({ author: 'examples', level: level as RiskLevel, kind: 'example', text })),
)

function lines<Line>(file: string): readonly Line[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line): Line => JSON.parse(line))
}
