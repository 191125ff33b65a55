import type { RiskLevel } from '../risk-level.ts'

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
  answer: 'a yes to a question about a crisis',
}

/** What the crisis check found, in plain words and never in the student's own; `null` when it found nothing. */
export function crisisIndicator(level: RiskLevel, rule: string | null): string | null {
  if (level === 'none') return null
  const found = FOUND[rule?.split('.')[0] ?? ''] ?? 'crisis language'
  const isGraveItself = rule !== null && !/^(?:distress|other|answer|similar-to-crisis-language)\b/.test(rule)
  return level === 'mild' && isGraveItself
    ? `${found}, read as denied, long ago, or said of somebody else`
    : found
}
