import { parseArgs } from 'node:util'
import { z } from 'zod'
import { isHigher, type RiskLevel } from '../../../functions/_shared/risk-level.ts'
import { decideCrisis } from '../../../functions/_shared/text/crisis/decide.ts'
import { readSentences } from '../../../functions/_shared/text/crisis/encoder.ts'
import { crisisModel } from '../model.ts'
import { isTelling, misheard, unpunctuated, withFillers } from './forms.ts'
import { everyList, listOf, type Measured } from './lists.ts'

const HELP = `npm run accuracy:crisis -- [list.jsonl …] [--form written|unpunctuated|misheard|fillers] [--rules]

Measures the crisis check on lists of texts whose authors had seen neither it nor what it was fitted to, and prints counts with Wilson's
95% intervals, never texts: by default on every list in corpora/crisis/measured, as written and in the forms in which speech arrives.
--form   one form alone
--rules  the rules without the encoder, as they stand where its weights are missing`

/** `probability` is the encoder's, null without it. */
export type Read = Measured & { high: boolean; reached: boolean; probability: number | null }

const FORMS = { written: (text: string) => text, unpunctuated, misheard, fillers: withFillers } as const

/** What the check says of a text, and how probable the encoder finds a crisis; without the encoder, what the rules say alone. */
function check(text: string, rulesAlone = false): { level: RiskLevel; probability: number | null } {
  const reading = rulesAlone ? null : readSentences(crisisModel(), text)
  return { level: decideCrisis(text, reading).level, probability: reading?.probability ?? null }
}

export const levelOf = (text: string): RiskLevel => check(text).level
/** `moderate` opens a review too. */
export const isRaised = (text: string): boolean => isHigher(levelOf(text), 'mild')

/** What the check says of each text in a form. */
export function read(
  texts: readonly Measured[],
  form: keyof typeof FORMS = 'written',
  rulesAlone = false,
): Read[] {
  return texts.map((each) => {
    const { level, probability } = check(FORMS[form](each.text, each.lang), rulesAlone)
    return { ...each, high: level === 'high', reached: isHigher(level, 'mild'), probability }
  })
}

/** "139 of 150 = 93% (87 to 96)": with Wilson's 95% interval. */
export function share(texts: readonly Read[], holds: (text: Read) => boolean): string {
  const n = texts.length
  if (n === 0) return '–'
  const times = texts.filter(holds).length
  const z = 1.96
  const p = times / n
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  const percent = (value: number) => Math.round(100 * value)
  return `${times} of ${n} = ${percent(p)}% (${percent(centre - half)} to ${percent(centre + half)})`
}

const isCrisis = ({ level }: Read) => level === 'high'
const LOADED = ['hyperbole', 'literal', 'fiction', 'third_person']
const INDIRECT = ['indirect', 'farewell', 'preparation', 'taken', 'abuse', 'self_harm']
const of =
  (...kinds: string[]) =>
  (each: Read) =>
    kinds.includes(each.kind)
const inEnglish = (each: Read) => each.lang === 'en'

/** Rows of a table: what is counted, and of which texts. */
const GROUPS: Readonly<Record<string, (each: Read) => boolean>> = {
  'disclosures in check-ins': (each) => inEnglish(each) && isCrisis(each) && each.form === 'checkin',
  '  direct': (each) => inEnglish(each) && each.form === 'checkin' && of('direct')(each),
  '  plain': (each) => inEnglish(each) && each.form === 'checkin' && of('plain')(each),
  '  indirect': (each) => inEnglish(each) && each.form === 'checkin' && of(...INDIRECT)(each),
  'short texts of a crisis': (each) => inEnglish(each) && isCrisis(each) && each.form === 'short',
  '  indirect ones': (each) => inEnglish(each) && each.form === 'short' && of(...INDIRECT)(each),
  'other languages: of a crisis': (each) => !inEnglish(each) && isCrisis(each),
  'loaded check-ins': (each) => inEnglish(each) && each.form === 'checkin' && of(...LOADED)(each),
  'plain check-ins': (each) =>
    inEnglish(each) && each.form === 'checkin' && !isCrisis(each) && !of(...LOADED, 'denial', 'past')(each),
  'loaded short texts': (each) => inEnglish(each) && each.form === 'short' && of(...LOADED)(each),
  denials: (each) => inEnglish(each) && of('denial', 'past')(each),
  'happy short texts': (each) => inEnglish(each) && each.form === 'short' && of('happy')(each),
  'sad short texts': (each) => inEnglish(each) && each.form === 'short' && of('sad', 'grief', 'stress')(each),
  'neutral short texts': (each) =>
    inEnglish(each) && each.form === 'short' && of('neutral', 'ordinary')(each),
  'other languages: harmless': (each) => !inEnglish(each) && !isCrisis(each),
}

/** Of the English texts of a crisis, and of the harmless ones. */
const CUTS: Readonly<Record<string, (each: Read) => string | null>> = {
  'variety of English': ({ variety }) => variety ?? null,
  language: ({ lang }) => lang,
  words: ({ text }) => {
    const words = text.split(/\s+/).length
    return words < 15 ? 'under 15' : words < 45 ? '15 to 44' : words < 120 ? '45 to 119' : '120 and more'
  },
  punctuation: ({ text, lang }) => (text === unpunctuated(text, lang) ? 'none' : 'some'),
  'a telling word': ({ text, disclosure }) =>
    isTelling(disclosure ?? text)
      ? 'in the disclosure'
      : isTelling(text)
        ? 'elsewhere in the text'
        : 'nowhere',
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

/** Bounds of what is told apart as a probability. */
const BOUNDS = [0, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 1]

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { form: { type: 'string' }, rules: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) console.log(HELP)
  else {
    const texts = positionals.length > 0 ? positionals.flatMap(listOf) : [...everyList().values()].flat()
    const forms = values.form === undefined ? Object.keys(FORMS) : [values.form]
    print(
      texts,
      z.array(z.enum(['written', 'unpunctuated', 'misheard', 'fillers'])).parse(forms),
      values.rules,
    )
  }
}

function print(texts: readonly Measured[], forms: Array<keyof typeof FORMS>, rulesAlone = false): void {
  const byForm = new Map(forms.map((form) => [form, read(texts, form, rulesAlone)]))
  console.log(
    table(
      ['at `high`', ...forms],
      Object.entries(GROUPS).map(([name, belongs]) => [
        name,
        ...forms.map((form) => share((byForm.get(form) ?? []).filter(belongs), ({ high }) => high)),
      ]),
    ),
  )
  const [first] = byForm.values()
  if (first === undefined) return
  console.log(
    `\n${table(
      ['at `moderate` or `high`', forms[0] ?? ''],
      Object.entries(GROUPS).map(([name, belongs]) => [
        name,
        share(first.filter(belongs), ({ reached }) => reached),
      ]),
    )}`,
  )
  for (const [name, cut] of Object.entries(CUTS)) {
    const some = first.filter((each) => name === 'language' || inEnglish(each))
    const values = [...new Set(some.map(cut).filter((value) => value !== null))].sort()
    console.log(
      `\n${table(
        [name, 'of a crisis, at `high`', 'harmless, at `high`'],
        values.map((value) => {
          const those = some.filter((each) => cut(each) === value)
          return [
            value,
            share(those.filter(isCrisis), ({ high }) => high),
            share(
              those.filter((each) => !isCrisis(each)),
              ({ high }) => high,
            ),
          ]
        }),
      )}`,
    )
  }
  console.log(`\n${reliability(first)}`)
}

/** Reliability diagram (Murphy and Winkler 1977): of texts of about one probability, the share that is of a crisis. */
function reliability(texts: readonly Read[]): string {
  const rows = BOUNDS.slice(1).map((to, at) => {
    const from = BOUNDS[at] ?? 0
    const those = texts.filter(({ probability: p }) => p !== null && p >= from && (p < to || to === 1))
    const mean = those.reduce((sum, { probability }) => sum + (probability ?? 0), 0) / those.length
    return [`${from} to ${to}`, those.length === 0 ? '–' : mean.toFixed(2), share(those, isCrisis)]
  })
  return table(['probability', 'mean', 'of a crisis'], rows)
}
