import * as z from 'zod'
import { MOST_CHARACTERS } from '../text/clean.ts'

export const startRequest = z.strictObject({
  type: z.enum(['daily', 'weekly', 'baseline', 'on_demand']),
})

/** Text as Postgres can hold it: no NUL, no half of a surrogate pair; `undefined` when nothing is left. */
const transcript = z
  .string()
  .max(MOST_CHARACTERS, `at most ${MOST_CHARACTERS} characters`)
  .transform((text) => text.toWellFormed().replaceAll('\0', '').trim() || undefined)

export const completeRequest = z.strictObject({
  transcript: transcript.nullish(),
  mood_score: z.number().min(1).max(10).nullish(),
  conversation_duration: z.number().min(0).max(86_400).nullish(),
})

/** Ids are compared and used in paths as Postgres writes them, in lower case. */
export const checkInId = z.guid().transform((id) => id.toLowerCase())

export type StartRequest = z.infer<typeof startRequest>
export type CompleteRequest = z.infer<typeof completeRequest>
