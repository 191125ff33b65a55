import * as z from 'zod'
import { MOST_CHARACTERS } from '../text/clean.ts'

/** What a check-in can be for. */
export const CHECK_IN_TYPES = ['daily', 'weekly', 'baseline', 'on_demand'] as const

export const startRequest = z.strictObject({
  type: z.enum(CHECK_IN_TYPES).describe('What the check-in is for'),
})

/** Text as Postgres can hold it: no NUL, no half of a surrogate pair; `undefined` when nothing is left. */
const transcript = z
  .string()
  .max(MOST_CHARACTERS, `at most ${MOST_CHARACTERS} characters`)
  .transform((text) => text.toWellFormed().replaceAll('\0', '').trim() || undefined)

export const completeRequest = z.strictObject({
  transcript: transcript
    .nullish()
    .describe('What the student said; without it the words are missing from the score'),
  mood_score: z.number().min(1).max(10).nullish().describe('Mood that the student reported, 1 to 10'),
  conversation_duration: z
    .number()
    .min(0)
    .max(86_400)
    .nullish()
    .describe('Length of the conversation, seconds'),
})

/** Ids are compared and used in paths as Postgres writes them, in lower case. */
export const checkInId = z.guid().transform((id) => id.toLowerCase())

export type StartRequest = z.infer<typeof startRequest>
export type CompleteRequest = z.infer<typeof completeRequest>
