import * as z from 'zod'
import { serviceErrorOf } from '../data-api/postgrest-errors.ts'
import { ServiceError } from '../errors.ts'
import { ofPlainJson } from '../fields.ts'
import type { ProjectClient } from '../platform/clients.ts'
import {
  CATEGORIES,
  DIFFICULTIES,
  moduleId,
  READABLE_COLUMNS,
  type ReadableModule,
  readableModule,
  trainingNotFound,
} from './module.ts'

/** What the database raises for callers who are not staff. */
const NOT_STAFF = '42501'

const time = z.iso.datetime({ offset: true })
const version = z.int().describe('Version of the module.')
const sectionIds = z.array(z.string().max(20))
const attemptId = z
  .string()
  .regex(/^att_[0-9a-f]{32}$/, 'is the id of an attempt')
  .describe('The attempt.')

/** What somebody can do with a module at the moment. */
const STATUSES = ['assigned', 'in_progress', 'completed', 'overdue', 'optional'] as const

/** A module as its learner stands with it. */
export const ownTraining = z.object({
  module_id: moduleId,
  title: z.string().describe('Title.'),
  category: z.enum(CATEGORIES).describe('What it is about.'),
  difficulty: z.enum(DIFFICULTIES).describe('How much it presupposes.'),
  estimated_duration: z.int().describe('Minutes that reading it takes.'),
  version,
  status: z.enum(STATUSES).describe('completed until the certificate expires; optional when not assigned.'),
  due_at: time.nullable().describe('Until when it has to be passed; null when it is not assigned.'),
  certificate_id: z.string().nullable().describe('The last certificate.'),
  certificate_expires_at: time.nullable().describe('Until when it counts.'),
  sections: z.int().describe('Number of sections.'),
  sections_read: sectionIds.describe('Sections that were marked as read since the last certificate.'),
})

export type OwnTraining = z.output<typeof ownTraining>

/** What a learner does. */
export const progressChange = ofPlainJson(
  z.discriminatedUnion('action', [
    z.strictObject({
      action: z.literal('read').describe('Marks sections as read.'),
      module_id: moduleId,
      sections: sectionIds.min(1).max(50).describe('Ids of the sections.'),
    }),
    z.strictObject({
      action: z
        .literal('start')
        .describe('Draws the questions of an attempt; while one is open, the same again.'),
      module_id: moduleId,
    }),
    z.strictObject({
      action: z.literal('submit').describe('Submits an attempt, once, which grades it.'),
      attempt_id: attemptId,
      answers: z
        .record(z.string().max(20), z.array(z.string().max(20)).max(8))
        .refine((answers) => Object.keys(answers).length <= 100, 'has at most 100 questions')
        .describe('Ids of the options that were chosen, by id of the question; what is left out is wrong.'),
    }),
  ]),
)

export const readingProgress = z.object({
  action: z.literal('read').describe('What was done.'),
  module_id: moduleId,
  version,
  sections_read: sectionIds.describe('Sections that are marked as read.'),
  sections: sectionIds.describe('All sections.'),
})

/** Questions to answer. */
export const openAttempt = z.object({
  action: z.literal('start').describe('What was done.'),
  attempt_id: attemptId,
  module_id: moduleId,
  version,
  title: z.string().describe('Title of the module.'),
  pass_score: z.int().describe('Percent that have to be right.'),
  started_at: time.describe('When the questions were drawn.'),
  expires_at: time.describe('Until when the attempt can be submitted.'),
  questions: z
    .array(
      z.object({
        id: z.string().describe('The question.'),
        prompt: z.string().describe('What is asked.'),
        choose: z.enum(['one', 'all_that_apply']).describe('How many options to choose.'),
        options: z
          .array(
            z.object({
              id: z.string().describe('The option.'),
              text: z.string().describe('What it says.'),
            }),
          )
          .describe('What can be chosen.'),
      }),
    )
    .describe('The questions, in their order.'),
})

export type OpenAttempt = z.output<typeof openAttempt>

const certificate = z.object({
  id: z.string().describe('The certificate.'),
  issued_at: time.describe('When the attempt passed.'),
  expires_at: time.describe('365 days later.'),
})

export const gradedAttempt = z.object({
  action: z.literal('submit').describe('What was done.'),
  attempt_id: attemptId,
  module_id: moduleId,
  version,
  questions: z.int().describe('Questions that were asked.'),
  correct: z.int().describe('Questions that were answered right.'),
  score: z.number().describe('The same in percent.'),
  pass_score: z.int().describe('Percent that have to be right.'),
  passed: z.boolean().describe('Whether they were.'),
  certificate: certificate.nullable().describe('Null when the attempt did not pass.'),
})

/** What came of it. */
export const progressMade = z.discriminatedUnion('action', [readingProgress, openAttempt, gradedAttempt])

/** What the caller may learn, what is due first; nothing for those who are not staff. */
export async function readOwnTraining(client: ProjectClient): Promise<OwnTraining[]> {
  const { data, error } = await client.rpc('my_training')
  if (error) throw serviceErrorOf(error)
  return z.array(ownTraining).parse(data)
}

/** A module that the caller may read. Throws `training_not_found`. */
export async function readModule(client: ProjectClient, id: string): Promise<ReadableModule> {
  const { data, error } = await client
    .from('training_modules')
    .select(READABLE_COLUMNS)
    .eq('id', id)
    .maybeSingle()
  if (error) throw serviceErrorOf(error)
  if (!data) throw trainingNotFound()
  return readableModule.parse(data)
}

/**
 * Stores what a learner does. The database decides all of it, and the answers never leave it.
 *
 * Throws `forbidden`, `training_not_found`, `training_unread`, `attempt_closed`, `invalid_value` and `rate_limited`.
 */
export async function makeProgress(
  client: ProjectClient,
  change: z.output<typeof progressChange>,
): Promise<z.output<typeof progressMade>> {
  const { data, error } = await changed(client, change)
  if (error?.code === NOT_STAFF) throw new ServiceError('forbidden', 'Training is for staff.')
  if (error) throw serviceErrorOf(error)
  return progressMade.parse({ action: change.action, ...Object(data) })
}

function changed(client: ProjectClient, change: z.output<typeof progressChange>) {
  switch (change.action) {
    case 'read':
      return client.rpc('read_training_sections', { module_id: change.module_id, sections: change.sections })
    case 'start':
      return client.rpc('start_training_attempt', { module_id: change.module_id })
    case 'submit':
      return client.rpc('submit_training_attempt', {
        attempt_id: change.attempt_id,
        answers: change.answers,
      })
  }
}
