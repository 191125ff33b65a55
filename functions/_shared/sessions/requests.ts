import * as z from 'zod'
import { MOST_CHARACTERS } from '../text/clean.ts'
import { decodeBase64 } from './base64.ts'

/** Ids are compared as Postgres writes them, in lower case. */
const sessionId = z
  .guid()
  .transform((id) => id.toLowerCase())
  .describe('The session')

/** What the app noticed of a spoken conversation. */
const audioData = z.object({
  conversation_duration: z.number().min(0).max(86_400).describe('Length of the conversation, seconds'),
  speech_rate: z
    .number()
    .min(0)
    .max(1_000)
    .describe('Ratio to the usual pace, 1 being usual; a value above 10 is taken for words a minute'),
  voice_quality: z.enum(['clear', 'strained', 'muffled']).describe('How the voice sounded'),
  emotional_tone: z.enum(['positive', 'negative', 'neutral']).describe('Tone of the voice'),
  mood_score_1_10: z.number().min(1).max(10).describe('Mood that the student reported, 1 to 10'),
  transcript_length: z.number().min(0).max(MOST_CHARACTERS).describe('Length of the transcript, characters'),
})

/** What the app noticed of the stills that it took. */
const visualSummary = z.object({
  samples_captured: z.number().min(0).max(10_000).describe('Samples that the app looked at'),
  face_detection_rate: z.number().min(0).max(1).describe('Share of the samples with a face, 0 to 1'),
  avg_brightness: z.number().min(0).max(1).describe('0 black to 1 white'),
  quality_score: z.number().min(0).max(1).describe('Quality of the samples, 0 to 1'),
  engagement_level: z.enum(['high', 'moderate', 'low']).describe('How engaged the student seemed'),
})

export const audioRequest = z.object({
  sessionId,
  audioData: audioData.describe('What the app noticed of the conversation'),
})

/** Bytes, which alone decide what picture it is. */
const imageData = z
  .string()
  .describe('A JPEG or PNG of at most 10 MB in base64, with or without `data:…;base64,` before it')
  .transform((text, context) => {
    const bytes = decodeBase64(text)
    if (bytes !== null) return bytes
    context.addIssue({ code: 'custom', message: 'not base64' })
    return z.NEVER
  })

export const visualRequest = z.object({
  sessionId,
  imageData,
  visualSummary: visualSummary.describe('What the app noticed of all its samples'),
})

/** Text as Postgres and the analysis can hold it: no NUL, no half of a surrogate pair. */
export const textRequest = z.object({
  sessionId,
  conversationText: z
    .string()
    .min(1)
    .max(MOST_CHARACTERS, `at most ${MOST_CHARACTERS} characters`)
    .describe('The student’s words; turns of the app on lines of their own that begin with `Assistant:`')
    .transform((text) => text.toWellFormed().replaceAll('\0', '')),
})

export const scoreRequest = z.object({ sessionId })

export type AudioData = z.infer<typeof audioData>
export type VisualSummary = z.infer<typeof visualSummary>
