import type { Enums } from '../../../../types/database.ts'
import type { Shapes } from '../../../../types/shapes.ts'
import type { Id } from '../../../ui/language.tsx'

type Section = { key: number; title: string; text: string }
type Option = { key: number; text: string; correct: boolean }
export type Question = { key: number; prompt: string; options: Option[] }
type KeptQuestion = { id: string; prompt: string }

/** A module as its author writes it, before it is stored. */
export type Draft = {
  title: string
  category: Enums<'training_category'>
  difficulty: Enums<'training_difficulty'>
  minutes: number
  passScore: number
  perAttempt: number
  mandatory: boolean
  published: boolean
  sections: Section[]
  /** Questions of the version before that stay: their answers nobody is told. */
  kept: KeptQuestion[]
  questions: Question[]
}

/** The bounds of the database. */
export const MOST = { minutes: 600, percent: 100, sections: 50, questions: 500, options: 8 }

let last = 0
/** A number that no part of a draft has yet. */
export const nextKey = () => ++last

export const newSection = (): Section => ({ key: nextKey(), title: '', text: '' })

const newOption = (correct: boolean): Option => ({ key: nextKey(), text: '', correct })

export const newQuestion = (): Question => ({
  key: nextKey(),
  prompt: '',
  options: [newOption(true), newOption(false)],
})

/** What a module is before anything is written. */
export function emptyDraft(): Draft {
  return {
    title: '',
    category: 'data_protection',
    difficulty: 'beginner',
    minutes: 10,
    passScore: 80,
    perAttempt: 5,
    mandatory: false,
    published: false,
    sections: [newSection()],
    kept: [],
    questions: [],
  }
}

/** What keeps a draft from being stored, for who writes it. The database decides. */
export function missingIn(draft: Draft): Id[] {
  const { title, sections, kept, questions, perAttempt } = draft
  const isAmount = (value: number, most: number) => Number.isInteger(value) && value >= 1 && value <= most
  const isBlank = (text: string) => text.trim() === ''
  const isWhole = ({ prompt, options }: Question) =>
    !isBlank(prompt) &&
    !options.some(({ text }) => isBlank(text)) &&
    new Set(options.map(({ correct }) => correct)).size === 2
  return [
    ...(isBlank(title) ? ['checks.lacks-title' as const] : []),
    ...(sections.some((section) => isBlank(section.title) || isBlank(section.text))
      ? ['checks.lacks-section' as const]
      : []),
    ...(questions.every(isWhole) ? [] : ['checks.lacks-answer' as const]),
    ...(isAmount(draft.minutes, MOST.minutes) &&
    isAmount(draft.passScore, MOST.percent) &&
    isAmount(perAttempt, MOST.percent)
      ? []
      : ['checks.lacks-amount' as const]),
    ...(kept.length + questions.length < perAttempt ? ['checks.lacks-questions' as const] : []),
  ]
}

/** A draft as `public.create_training_module` takes it. */
export function moduleOf(draft: Draft, id: string | null): Shapes['public.create_training_module().module'] {
  return {
    ...(id !== null && { id }),
    title: draft.title.trim(),
    category: draft.category,
    difficulty: draft.difficulty,
    estimated_duration: draft.minutes,
    mandatory: draft.mandatory,
    published: draft.published,
    content: { sections: draft.sections.map(({ title, text }) => ({ title: title.trim(), text })) },
    assessments: {
      pass_score: draft.passScore,
      questions_per_attempt: draft.perAttempt,
      questions: [
        ...draft.kept.map((question) => ({ id: question.id })),
        ...draft.questions.map(({ prompt, options }) => ({
          prompt: prompt.trim(),
          options: options.map(({ text, correct }) => ({ text: text.trim(), correct })),
        })),
      ],
    },
  }
}
