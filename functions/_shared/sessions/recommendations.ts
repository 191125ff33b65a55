import type { RiskLevel } from '../risk-level.ts'

/** First what the risk calls for, gravest first. */
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

/** Then one small step for what was talked about; only where nothing graver is at hand. */
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

const MOST_STEPS = 2

/** From here on a score is too uncertain to say anything reassuring about it. */
const UNCERTAIN = 0.6

/** What a student may do next, in plain words, what matters most first. */
export function recommendationsFor(
  risk: RiskLevel,
  { uncertainty, themes }: { uncertainty: number; themes: readonly string[] },
): string[] {
  if (risk === 'high') return [...BY_RISK.high]
  const steps = themes
    .map((theme) => BY_THEME[theme])
    .filter((step) => step !== undefined)
    .slice(0, MOST_STEPS)
  const isDoubtful = uncertainty >= UNCERTAIN
  return [
    ...(risk === 'none' && isDoubtful ? [] : BY_RISK[risk]),
    ...(isDoubtful
      ? [
          'Too little could be read to say how you are: take the score as a rough guess, and trust your own sense first.',
        ]
      : []),
    ...steps,
  ]
}
