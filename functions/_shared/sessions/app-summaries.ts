import * as z from 'zod'
import { MAX_CHARACTERS } from '../text/clean.ts'

/** What the app observed of a spoken conversation. */
export const audioData = z.object({
  conversation_duration: z.number().min(0).max(86_400).describe('Length of the conversation, seconds'),
  speech_rate: z
    .number()
    .min(0)
    .max(1_000)
    .describe('Ratio to the usual pace, 1 being usual; a value above 10 is taken for words a minute'),
  voice_quality: z.enum(['clear', 'strained', 'muffled']).describe('How the voice sounded'),
  emotional_tone: z.enum(['positive', 'negative', 'neutral']).describe('Tone of the voice'),
  mood_score_1_10: z.number().min(1).max(10).describe('Mood that the student reported, 1 to 10'),
  transcript_length: z.number().min(0).max(MAX_CHARACTERS).describe('Length of the transcript, characters'),
})

/** What the app observed of the images that it took. */
export const visualSummary = z.object({
  samples_captured: z.number().min(0).max(10_000).describe('Samples that the app looked at'),
  face_detection_rate: z.number().min(0).max(1).describe('Share of the samples with a face, 0 to 1'),
  avg_brightness: z.number().min(0).max(1).describe('0 black to 1 white'),
  quality_score: z.number().min(0).max(1).describe('Quality of the samples, 0 to 1'),
  engagement_level: z.enum(['high', 'moderate', 'low']).describe('How engaged the student seemed'),
})

export type AudioData = z.infer<typeof audioData>
export type VisualSummary = z.infer<typeof visualSummary>
