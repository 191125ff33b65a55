import type { RiskLevel } from '../risk-level.ts'
import { UNCERTAIN } from '../scoring/summary.ts'
import { LASTING_DESPAIR } from './lasting-despair.ts'

/** What a rule of the crisis check found, by the domain of its id. */
const FOUND: Readonly<Record<string, string>> = {
  intent: 'words about ending one’s life',
  means: 'words about a way to end one’s life',
  prepare: 'words about a plan to end one’s life',
  goodbye: 'words of farewell',
  self_harm: 'words about hurting oneself',
  hurt: 'words about hurting oneself',
  harmed: 'words about being harmed by somebody',
  abuse: 'words about being harmed by somebody',
  passive: 'words about not wanting to live',
  wish: 'words about not wanting to live',
  burden: 'words about being better gone',
  distress: 'words of despair',
  other: 'worry about somebody else’s life',
  'similar-to-crisis-language': 'words much like those of people in a crisis',
  reply: 'a yes to a question about a crisis',
  'language-model': 'signs of a crisis between the lines',
}

/** What the crisis check found, in plain words and never in the student's own; `null` when it found nothing. */
export function crisisIndicator(level: RiskLevel, rule: string | null): string | null {
  if (level === 'none') return null
  if (rule === LASTING_DESPAIR) return 'words of despair that last'
  const found = FOUND[rule?.split('.')[0] ?? ''] ?? 'crisis language'
  const isCrisisItself =
    rule !== null && !/^(?:distress|other|reply|similar-to-crisis-language|language-model)\b/.test(rule)
  return level === 'mild' && isCrisisItself
    ? `${found}, read as denied, long ago, or said of somebody else`
    : found
}

/** First what the risk calls for, most urgent first. */
const BY_RISK: Readonly<Record<RiskLevel, readonly string[]>> = {
  high: [
    'Please reach out now to one of the people or lines shown with this result; if you are in danger, call the emergency services.',
    'Stay with somebody you trust until you have talked to one of them.',
  ],
  moderate: [
    'Please talk to someone about how you are: your university’s counseling service, a doctor, or one of the lines shown with this result.',
    'Tell one person you trust how things are for you.',
  ],
  mild: ['It may help to talk to someone you trust, or to your university’s counseling service.'],
  none: ['Keep up what does you good, and check in again in a few days.'],
}

/** Then small steps for the themes, unless something more urgent is at hand. */
const BY_THEME: Readonly<Record<string, string>> = {
  sleep: 'Try to get up at the same time each day, and put the phone away for the last hour of the evening.',
  exams: 'Split what is left to learn into small pieces, and plan breaks as well as work.',
  studies: 'Ask a tutor or your study advisers early when work piles up.',
  loneliness: 'Plan one thing this week with somebody you like, however small.',
  money: 'Ask your university about hardship funds and advice on money.',
  'alcohol and drugs': 'Your university’s health service can talk about alcohol and drugs in confidence.',
  loss: 'Give grief time, and let somebody share it with you.',
  discrimination: 'You can report discrimination to your university, and have somebody with you when you do.',
}

const MAX_STEPS = 2

type SessionFacts = {
  uncertainty: number
  themes: readonly string[]
  /** The student reports a low mood, or said words of despair. */
  isUnwell: boolean
  /** What the student said was read. */
  isRead: boolean
}

/** What a student may do next, in plain words, what matters most first. */
export function recommendationsFor(
  risk: RiskLevel,
  { uncertainty, themes, isUnwell, isRead }: SessionFacts,
): string[] {
  if (risk === 'high') return [...BY_RISK.high]
  const steps = themes
    .map((theme) => BY_THEME[theme])
    .filter((step) => step !== undefined)
    .slice(0, MAX_STEPS)
  const isUncertain = uncertainty >= UNCERTAIN || !isRead
  return [
    ...(risk === 'none' && isUnwell ? BY_RISK.mild : risk === 'none' && isUncertain ? [] : BY_RISK[risk]),
    ...(isUncertain
      ? [
          'What could be read does not tell how you are: take the score as a rough guess, and trust your own sense first.',
        ]
      : []),
    ...steps,
  ]
}
