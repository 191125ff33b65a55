import * as z from 'zod'
import { MOST_CHARACTERS } from '../text/clean.ts'
import { decodeBase64 } from './base64.ts'

/** Ids are compared as Postgres writes them, in lower case. */
const sessionId = z.guid().transform((id) => id.toLowerCase())

/** What the app noticed of a spoken conversation. */
const audioData = z.object({
  /** Seconds. */
  conversation_duration: z.number().min(0).max(86_400),
  /** A ratio to the usual pace, 1 being usual; a value above 10 is taken for words a minute. */
  speech_rate: z.number().min(0).max(1_000),
  voice_quality: z.enum(['clear', 'strained', 'muffled']),
  emotional_tone: z.enum(['positive', 'negative', 'neutral']),
  mood_score_1_10: z.number().min(1).max(10),
  /** Characters. */
  transcript_length: z.number().min(0).max(MOST_CHARACTERS),
})

/** What the app noticed of the stills that it took. */
const visualSummary = z.object({
  samples_captured: z.number().min(0).max(10_000),
  face_detection_rate: z.number().min(0).max(1),
  avg_brightness: z.number().min(0).max(1),
  quality_score: z.number().min(0).max(1),
  engagement_level: z.enum(['high', 'moderate', 'low']),
})

export const audioRequest = z.object({ sessionId, audioData })

/** Bytes, which alone decide what picture it is. */
const imageData = z.string().transform((text, context) => {
  const bytes = decodeBase64(text)
  if (bytes !== null) return bytes
  context.addIssue({ code: 'custom', message: 'not base64' })
  return z.NEVER
})

export const visualRequest = z.object({ sessionId, imageData, visualSummary })

/** Text as Postgres and the analysis can hold it: no NUL, no half of a surrogate pair. */
export const textRequest = z.object({
  sessionId,
  conversationText: z
    .string()
    .min(1)
    .max(MOST_CHARACTERS, `at most ${MOST_CHARACTERS} characters`)
    .transform((text) => text.toWellFormed().replaceAll('\0', '')),
})

export const scoreRequest = z.object({ sessionId })

export type AudioData = z.infer<typeof audioData>
export type VisualSummary = z.infer<typeof visualSummary>
