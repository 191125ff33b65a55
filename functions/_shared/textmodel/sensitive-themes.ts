import { pattern } from '../pattern.ts'
import { entries, lexicon, matchAt } from '../text/lexicon.ts'
import { SENSITIVE_THEMES, THEMES } from '../text/lexicons/themes.ts'

/** A subject that is studied. */
const STUDIES = pattern`
  (?= (?:(?:science|studies) )?(?:
    course|degree|exam|school|lecture|module|class|classes|courses|degrees|exams|schools|lectures
    |modules
  )(?![\p{L}'-])
  )
`

const WORDS = [...SENSITIVE_THEMES].map((theme) => ({ theme, words: lexicon(THEMES[theme] ?? []) }))

/**
 * Beginnings of further words by which a model's theme is of a special category; under `other` those of categories that the built-in
 * analysis never names.
 */
const BEGINNINGS = Object.entries({
  health:
    'cancer, chronic, diabet, disab, diseas, disorder, epilep, healthcare, medic, physical health, pregnan, surgery',
  'mental health':
    'adhd, anorexi, anxi, autis, bipolar, bulimi, depress, eating disorder, mental, ocd, panic, psych, ptsd, schizo, self harm, self-harm, suicid, therap, trauma',
  'alcohol and drugs': 'addict, alcohol, cannabis, drink, drug, sobriety, substance',
  faith:
    'belief, bible, buddhis, catholic, christian, god, hindu, islam, jewish, judaism, mosque, muslim, pray, quran, ramadan, religio, sikh, spiritual, worship',
  discrimination: 'antisemit, harass, homophob, islamophob, prejudice, racis, sexis, transphob',
  other:
    'asexual, bisexual, coming out, ethnic, gay, gender, genetic, homosexual, immigra, lesbian, lgbt, nationalit, political, politics, queer, racial, sexual, trade union, transgender',
}).map(([theme, list]) => ({ theme, beginnings: entries(list) }))

/** "Psychology course", "medical school": what one studies. */
const SUBJECT = new RegExp(
  pattern`
    (?<![\p{L}'-])(?:
      genetics|medical|medicine|politics|political|psychology|psychiatry|religious|religion|theology
    )${STUDIES}
  `,
  'gu',
)

/** The themes of a special category that a model's words name; `other` for those that the built-in analysis never names. */
export function sensitiveThemesIn(name: string): string[] {
  const forms =
    name
      .toLowerCase()
      .replace(SUBJECT, '')
      .match(/[\p{L}\p{M}'-]+/gu) ?? []
  const words = forms.map((form) => ({ form }))
  const text = ` ${forms.join(' ')}`
  const listed = WORDS.filter((list) => words.some((_, at) => matchAt(list.words, words, at) > 0))
  const begun = BEGINNINGS.filter(({ beginnings }) => beginnings.some((each) => text.includes(` ${each}`)))
  return [...new Set([...listed, ...begun].map(({ theme }) => theme))]
}
