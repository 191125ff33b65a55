import * as z from 'zod'
import { MOST_CHARACTERS } from '../text/clean.ts'

const MAX_THEMES = 20
const MAX_NAME_CHARACTERS = 100

/** The body of `POST /api/textmodel/analyze-text`; a field of the context that is `null` counts as absent. */
export const analyzeTextRequest = z.strictObject({
  transcript: z
    .string()
    .max(MOST_CHARACTERS, `at most ${MOST_CHARACTERS} characters`)
    .refine((text) => text.trim() !== '', 'holds no words'),
  context: z
    .strictObject({
      checkinId: z
        .guid()
        .transform((id) => id.toLowerCase())
        .nullish(),
      studentFirstName: z.string().max(MAX_NAME_CHARACTERS).nullish(),
      previousTextThemes: z.array(z.string().max(MAX_NAME_CHARACTERS)).max(MAX_THEMES).nullish(),
      previousWellbeingScore: z.number().min(0).max(100).nullish(),
      previousDirectionOfChange: z.string().max(MAX_NAME_CHARACTERS).nullish(),
    })
    .nullish(),
})

export type AnalyzeTextRequest = z.infer<typeof analyzeTextRequest>
export type TranscriptContext = AnalyzeTextRequest['context']
