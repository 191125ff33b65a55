import * as z from 'zod'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { id } from '../_shared/fields.ts'
import { route } from '../_shared/http/route.ts'
import { audioAnalysis } from '../_shared/sessions/analyses.ts'
import { audioData } from '../_shared/sessions/app-summaries.ts'

const request = z.object({
  sessionId: id.describe('The session'),
  audioData: audioData.describe('What the app observed of the conversation'),
})

export const analyzeAudio = route({
  id: 'analyzeAudio',
  method: 'post',
  path: '/analyze-audio',
  tag: 'Assessment sessions',
  summary: 'Analyses the app’s summary of a spoken conversation',
  security: 'user',
  limit: 'analyze-audio',
  body: request,
  response: z.strictObject({
    sessionId: z.guid().describe('The session'),
    analysis: audioAnalysis.describe('What the summary says'),
    processing_time: z.number().min(0).describe('Time that the call took, milliseconds'),
    crisis_resources: crisisResources,
  }),
  errors: ['session_not_found', 'consent_required'],
  example: {
    body: {
      sessionId: '5b0f6c8e-93a1-4d0e-8a57-1f0c2d7b6e44',
      audioData: {
        conversation_duration: 120,
        speech_rate: 1,
        voice_quality: 'clear',
        emotional_tone: 'neutral',
        mood_score_1_10: 6,
        transcript_length: 900,
      },
    },
  },
})
