import { everyMatch, pattern } from '../pattern.ts'

/** What a day asks for. */
const DAILY_TASKS = pattern`
  (?:
    get (?:up|out of bed)|function|cope|go to (?:class|lectures|work)
    |leave (?:my|the) (?:room|house|bed)|do anything|catch up
  )
`

/** What somebody calls themselves. */
const HARSH_WORDS = pattern`
  (?:
    worthless|useless|hate myself|hating myself|(?:i'?m|am|like|such) a failure|a burden
    |let everyone down|letting everyone down|not good enough
  )
`

/** Eating less or more than usual. */
const CHANGED_APPETITE = pattern`
  (?:
    no appetite|lost my appetite|not (?:been )?eating|barely eat(?:ing)?|hardly eat(?:ing)?
    |skipping meals|overeating|can't stop eating|forget to eat
  )
`

/** A denial, or somebody else. */
const NOT_OR_OTHERS = pattern`
  (?:
    not|never|no|n't|isn't|wasn't|don't|doesn't|didn't|haven't|hasn't|without|no longer|stopped|less
    |(?:my )?(?:
      friend|roommate|flatmate|housemate|brother|sister|mum|mom|mother|dad|father|partner|tutor
    )(?:'s| is| was| has| feels| seems)?
    |she(?:'s| is| was| has)?|he(?:'s| is| was| has)?|they(?:'re| are| were| have)?
  )
`

/** A sign that somebody puts into words: its name, and how it is said. */
type Sign = { name: string; said: RegExp }

/** Topics of the PHQ-9 (Kroenke, Spitzer and Williams 2001) as students put them. */
const LOW_MOOD_SIGNS: readonly Sign[] = [
  {
    name: 'low mood',
    said: everyMatch`
      \b(?:feel|feeling|felt|been|i'?m|am)(?: (?:
        so|really|very|pretty|just|quite|kind of|a bit|always|constantly
      )
      ){0,2} (?:down|low|sad|empty|miserable|numb|depressed|hopeless|awful)\b
    `,
  },
  {
    name: 'little interest or pleasure',
    said: everyMatch`
      \b(?:no|lost|losing|lack of|zero|little) (?:all |any |my )?(?:interest|motivation|pleasure|joy)\b
      |\b(?:don't|do not|can't|cannot|stopped) (?:really )?enjoy(?:ing)?\b
      |\bnothing (?:is|feels|seems) (?:fun|enjoyable|worth it)\b|\bcan't be bothered\b
    `,
  },
  {
    name: 'trouble sleeping',
    said: everyMatch`
      \b(?:can't|cannot|couldn't|not|barely|hardly|never|trouble|struggling to|hard to)
      (?: (?:been|really|get to|fall|to|stay|able)){0,3} (?:sleep|sleeping|asleep|slept)\b
      |\binsomnia\b|\bawake (?:all|most of|half) (?:the )?night\b|\bsleeping (?:too much|all day)\b
    `,
  },
  {
    name: 'tiredness',
    said: /\b(?:exhausted|drained|worn out|burnt out|burned out|no energy)\b|\b(?:always|constantly|so) tired\b|\btired all the time\b/g,
  },
  {
    name: 'change of appetite',
    said: everyMatch`\b${CHANGED_APPETITE}\b`,
  },
  {
    name: 'harsh view of oneself',
    said: everyMatch`\b${HARSH_WORDS}\b`,
  },
  {
    name: 'trouble concentrating',
    said: everyMatch`
      \b(?:can't|cannot|couldn't|trouble|hard to|struggling to|unable to|not able to) (?:even )?(?:
        focus|focusing|concentrate|concentrating|think straight
      )\b
    `,
  },
]

/** Topics of the GAD-7 (Spitzer, Kroenke, Williams and Löwe 2006) as students put them. */
const ANXIETY_SIGNS: readonly Sign[] = [
  {
    name: 'worry',
    said: /\b(?:worry|worrying|worried|overthinking|overthink)\b/g,
  },
  {
    name: 'nervousness',
    said: /\b(?:anxious|nervous|on edge|anxiety|panicky|stressed|stressed out|overwhelmed)\b/g,
  },
  {
    name: 'panic',
    said: /\bpanic(?:king|ked)?\b|\bheart (?:is |was )?(?:racing|pounding)\b|\bcan't breathe\b/g,
  },
  {
    name: 'restlessness',
    said: /\b(?:restless|can't (?:relax|sit still|switch off|calm down)|racing thoughts|mind (?:is |keeps )?racing)\b/g,
  },
  { name: 'irritability', said: /\b(?:irritable|irritated|snapping at|short-tempered|on a short fuse)\b/g },
  {
    name: 'fear of what is to come',
    said: /\b(?:dread|dreading|terrified|scared|afraid)\b/g,
  },
]

/** How often, how long, and how much it gets in the way: what both questionnaires ask of every topic. */
const EXTENT_SIGNS: readonly Sign[] = [
  {
    name: 'nearly every day',
    said: /\b(?:every (?:single )?(?:day|night|morning)|all the time|constantly|most days|nearly every day)\b/g,
  },
  {
    name: 'for weeks or longer',
    said: everyMatch`
      \b(?:for|these(?: last| past)?|the (?:last|past)) (?:
        (?:a )?(?:few|couple of|two|three|four|several|many) )?(?:weeks|months|years)\b
      |\bfor (?:ages|a long time)\b
    `,
  },
  {
    name: 'in the way of daily life',
    said: everyMatch`
      \b(?:can't|cannot|couldn't|could not|unable to|hard to|struggling to) (?:even )?${DAILY_TASKS}\b
      |\bmiss(?:ed|ing) (?:\w+ ){0,2}(?:class|classes|lectures?|deadlines?|labs?)\b
    `,
  },
  {
    name: 'getting worse',
    said: /\b(?:getting|got|gets|become|becoming) (?:so much |much |even |a lot )?worse\b|\bworse (?:and worse|every day|than ever)\b/g,
  },
]

/** Before a sign within the same clause, these negate it or attribute it to somebody else. */
const NEGATED = new RegExp(pattern`\b${NOT_OR_OTHERS}(?: \w+){0,2} $`)

const CLAUSE_END = /[.,;!?\n]|\b(?:but|and|because|so)\b/

export type DistressSigns = { low_mood: string[]; anxiety: string[]; extent: string[] }

/**
 * Signs that the student puts into words, by the topics that the PHQ-9 and the GAD-7 ask about, each named once. English
 * only. They report what was said; they are neither responses to the questionnaires nor a finding.
 */
export function distressSigns(transcript: string): DistressSigns {
  const text = transcript
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\b(can|could|do|did|does|is|was|has|have) ?not\b/g, "$1n't")
    .replaceAll("cann't", "can't")
    .replace(/[^\S\n]+/g, ' ')
  return {
    low_mood: namesOf(LOW_MOOD_SIGNS, text),
    anxiety: namesOf(ANXIETY_SIGNS, text),
    extent: namesOf(EXTENT_SIGNS, text),
  }
}

function namesOf(signs: readonly Sign[], text: string): string[] {
  return signs.filter(({ said }) => isSaid(said, text)).map(({ name }) => name)
}

function isSaid(said: RegExp, text: string): boolean {
  for (const match of text.matchAll(said)) {
    const clause =
      text
        .slice(Math.max(0, match.index - 40), match.index)
        .split(CLAUSE_END)
        .at(-1) ?? ''
    if (!NEGATED.test(clause)) return true
  }
  return false
}
