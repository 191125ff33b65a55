import { route } from '../http/route.ts'
import { audioAnswer, scoreAnswer, textAnswer, visualAnswer } from './answers.ts'
import { audioRequest, scoreRequest, textRequest, visualRequest } from './requests.ts'

const sessionId = '5b0f6c8e-93a1-4d0e-8a57-1f0c2d7b6e44'
const common = { method: 'post', tag: 'Assessment sessions', security: 'user' } as const

/** `POST /analyze-audio`. */
export const analyzeAudio = route({
  ...common,
  id: 'analyzeAudio',
  path: '/analyze-audio',
  summary: 'Analyses the app’s summary of a spoken conversation',
  limit: 'analyze-audio',
  body: audioRequest,
  response: audioAnswer,
  errors: ['session_not_found', 'consent_required'],
  example: {
    body: {
      sessionId,
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

/** `POST /analyze-visual`. */
export const analyzeVisual = route({
  ...common,
  id: 'analyzeVisual',
  path: '/analyze-visual',
  summary: 'Analyses one still and the app’s summary of all its samples',
  limit: 'analyze-visual',
  body: visualRequest,
  // An image of 10 MB in base64, and the summary.
  maxBytes: 14_000_000,
  response: visualAnswer,
  errors: [
    'session_not_found',
    'consent_required',
    'image_empty',
    'image_unreadable',
    'image_unsupported',
    'image_truncated',
    'image_too_small',
    'image_too_large',
  ],
  example: {
    body: {
      sessionId,
      imageData: 'aGVsbG8=',
      visualSummary: {
        samples_captured: 8,
        face_detection_rate: 1,
        avg_brightness: 0.5,
        quality_score: 0.8,
        engagement_level: 'moderate',
      },
    },
  },
})

/** `POST /analyze-text`. */
export const analyzeText = route({
  ...common,
  id: 'analyzeText',
  path: '/analyze-text',
  summary: 'Analyses the student’s words in a conversation',
  limit: 'analyze-text',
  body: textRequest,
  response: textAnswer,
  errors: ['session_not_found', 'consent_required'],
  example: { body: { sessionId, conversationText: 'I walked to the lake with a friend.' } },
})

/** `POST /calculate-wellbeing-score`. */
export const calculateScore = route({
  ...common,
  id: 'calculateWellbeingScore',
  path: '/calculate-wellbeing-score',
  summary: 'Scores a session from its analyses',
  limit: 'calculate-wellbeing-score',
  body: scoreRequest,
  response: scoreAnswer,
  errors: ['session_not_found', 'consent_required', 'analyses_incomplete'],
  example: { body: { sessionId } },
})
