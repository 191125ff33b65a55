import * as z from 'zod'
import { titled } from '../enumerations.ts'
import { ServiceError } from '../errors.ts'
import { line, ofPlainJson, storable } from '../fields.ts'

/** What modules are about. */
export const CATEGORIES = [
  'hipaa_compliance',
  'gdpr_compliance',
  'password_security',
  'phishing_awareness',
  'data_protection',
  'incident_response',
  'social_engineering',
  'mobile_security',
] as const

export const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const

/** Who can be assigned a module. */
export const STAFF_ROLES = ['counselor', 'university_admin', 'security_admin'] as const

export const moduleId = z
  .string()
  .regex(/^trn_[a-z0-9_]{1,60}$/, 'is an id such as trn_hipaa_fundamentals')
  .describe('The module.')

const percent = z.int().min(1).max(100)

const shown = {
  title: line(200).min(1).describe('Title.'),
  difficulty: z.enum(DIFFICULTIES).describe('How much it presupposes.'),
  estimated_duration: z.int().min(1).max(600).describe('Minutes that reading it takes.'),
}

const passScore = percent.describe('Percent of the questions that have to be answered right.')
const questionsPerAttempt = percent.describe('Questions that an attempt asks, drawn from the bank.')

const text = (most: number) => z.string().min(1).max(most).refine(storable, 'is text that can be stored')

const question = z
  .strictObject({
    prompt: text(1000).describe('What is asked.'),
    options: z
      .array(
        z.strictObject({
          text: text(500).describe('What can be chosen.'),
          correct: z.boolean().describe('Whether it is right. Nothing gives this out again.'),
        }),
      )
      .min(2)
      .max(8)
      .describe('The options, of which at least one is right and one is wrong.'),
  })
  .refine(({ options }) => new Set(options.map(({ correct }) => correct)).size === 2, {
    path: ['options'],
    message: 'has a right and a wrong one',
  })

/** A question of the bank that stays as it is, so that an author need not know its answers. */
const keptQuestion = z.strictObject({
  id: z.string().min(1).max(20).describe('A question of the current version that stays as it is.'),
})

/** A module as an administrator sends it. */
export const newModule = ofPlainJson(
  z
    .strictObject({
      id: moduleId.optional().describe('An existing module, of which this becomes the next version.'),
      ...shown,
      category: titled(CATEGORIES).describe(
        `What it is about: ${CATEGORIES.join(', ')}; a title such as HIPAA Compliance too.`,
      ),
      mandatory: z
        .boolean()
        .default(false)
        .describe('Whether all staff have to take it: publishing assigns it to each of their roles.'),
      published: z.boolean().default(false).describe('Whether staff see and take it.'),
      content: z
        .strictObject({
          sections: z
            .array(
              z.strictObject({
                title: line(200).min(1).describe('Heading.'),
                text: text(50_000).describe('What is read, in Markdown; HTML and images are not shown.'),
              }),
            )
            .min(1)
            .max(50)
            .describe('The sections, in their order.'),
        })
        .describe('What is read.'),
      assessments: z
        .strictObject({
          pass_score: passScore,
          questions_per_attempt: questionsPerAttempt,
          questions: z
            .array(z.union([question, keptQuestion]))
            .min(1)
            .max(500)
            .describe('The bank: new questions, and those of the version before that stay.'),
        })
        .refine(({ questions, questions_per_attempt }) => questions.length >= questions_per_attempt, {
          path: ['questions'],
          message: 'has at least as many as an attempt asks',
        })
        .describe('What is asked.'),
    })
    .describe('A module of training.'),
)

/** A module as it is shown, without content. */
const described = {
  id: moduleId,
  ...shown,
  category: z.enum(CATEGORIES).describe('What it is about.'),
  version: z.int().describe('Version, from 1.'),
}

const assessments = z
  .object({
    pass_score: passScore,
    questions_per_attempt: questionsPerAttempt,
    questions: z.int().describe('Questions in the bank.'),
  })
  .describe('How it is assessed.')

/** A module that was stored. */
export const storedModule = z.object({
  ...described,
  mandatory: z.boolean().describe('Whether all staff have to take it.'),
  published: z.boolean().describe('Whether staff see and take it.'),
  assessments,
})

/** A module with what is read. */
export const readableModule = z.object({
  ...described,
  assessments,
  content: z
    .object({
      sections: z
        .array(
          z.object({
            id: z.string().describe('The section.'),
            title: z.string().describe('Heading.'),
            text: z.string().describe('What is read, in Markdown.'),
          }),
        )
        .describe('The sections, in their order.'),
    })
    .describe('What is read.'),
})

export type ReadableModule = z.output<typeof readableModule>

/** The columns of `public.training_modules` that make a `readableModule`. */
export const READABLE_COLUMNS =
  'id, title, category, difficulty, estimated_duration, version, assessments, content'

/** The error of a module or an attempt that does not exist, or is nothing for the caller. */
export function trainingNotFound(): ServiceError {
  return new ServiceError('training_not_found', 'There is no such training for you.')
}
