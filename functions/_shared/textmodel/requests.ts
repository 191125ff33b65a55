import * as z from 'zod'
import { id } from '../fields.ts'
import { MAX_CHARACTERS } from '../text/clean.ts'

const MAX_THEMES = 20
const MAX_NAME_CHARACTERS = 100

/** The body of `POST /api/textmodel/analyze-text`; a field of the context that is `null` counts as absent. */
export const analyzeTextRequest = z.strictObject({
  transcript: z
    .string()
    .max(MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters`)
    .refine((text) => text.trim() !== '', 'holds no words')
    .describe('What the student said'),
  context: z
    .strictObject({
      checkinId: id.nullish().describe('The check-in that the transcript belongs to'),
      studentFirstName: z.string().max(MAX_NAME_CHARACTERS).nullish().describe('For the summary'),
      previousTextThemes: z
        .array(z.string().max(MAX_NAME_CHARACTERS))
        .max(MAX_THEMES)
        .nullish()
        .describe('Topics of the previous transcript'),
      previousWellbeingScore: z.number().min(0).max(100).nullish().describe('Previous score, 0 to 100'),
      previousDirectionOfChange: z
        .string()
        .max(MAX_NAME_CHARACTERS)
        .nullish()
        .describe('Previous direction of change'),
    })
    .nullish()
    .describe('What is known of the student'),
})

export type AnalyzeTextRequest = z.infer<typeof analyzeTextRequest>
export type TranscriptContext = AnalyzeTextRequest['context']
