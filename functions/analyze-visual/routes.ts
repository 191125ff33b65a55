import * as z from 'zod'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { id } from '../_shared/fields.ts'
import { route } from '../_shared/http/route.ts'
import { visualAnalysis } from '../_shared/sessions/analyses.ts'
import { visualSummary } from '../_shared/sessions/app-summaries.ts'
import { decodeBase64 } from '../_shared/sessions/base64.ts'
import { IMAGE_ERROR_CODES } from '../_shared/visual/outcome.ts'

const request = z.object({
  sessionId: id.describe('The session'),
  // The bytes alone decide what kind of image it is.
  imageData: z
    .string()
    .describe(
      'A JPEG, PNG or lossy WebP of at most 10 MB in base64, with or without `data:…;base64,` before it',
    )
    .transform((text, context) => {
      const bytes = decodeBase64(text)
      if (bytes !== null) return bytes
      context.addIssue({ code: 'custom', message: 'not base64' })
      return z.NEVER
    }),
  visualSummary: visualSummary.describe('What the app observed of all its samples'),
})

export const analyzeVisual = route({
  id: 'analyzeVisual',
  method: 'post',
  path: '/analyze-visual',
  tag: 'Assessment sessions',
  summary: 'Analyses one image and the app’s summary of all its samples',
  security: 'user',
  limit: 'analyze-visual',
  body: request,
  // An image of 10 MB in base64, and the summary.
  maxBytes: 14_000_000,
  response: z.strictObject({
    sessionId: z.guid().describe('The session'),
    ...visualAnalysis.shape,
    crisis_resources: crisisResources,
  }),
  errors: ['session_not_found', 'consent_required', ...IMAGE_ERROR_CODES],
  example: {
    body: {
      sessionId: '5b0f6c8e-93a1-4d0e-8a57-1f0c2d7b6e44',
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
