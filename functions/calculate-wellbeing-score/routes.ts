import * as z from 'zod'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { id } from '../_shared/fields.ts'
import { route } from '../_shared/http/route.ts'
import { fusionScore } from '../_shared/sessions/analyses.ts'

export const calculateWellbeingScore = route({
  id: 'calculateWellbeingScore',
  method: 'post',
  path: '/calculate-wellbeing-score',
  tag: 'Assessment sessions',
  summary: 'Scores a session from its analyses',
  security: 'user',
  limit: 'calculate-wellbeing-score',
  body: z.object({ sessionId: id.describe('The session') }),
  response: z.strictObject({
    sessionId: z.guid().describe('The session'),
    fusion_score: fusionScore.describe('The score, its reasons and what follows from it'),
    metadata: z
      .strictObject({
        algorithm_version: z.string().describe('Version of the scoring'),
        processing_time: z.number().min(0).describe('Time that the call took, milliseconds'),
        data_quality_score: z
          .number()
          .min(0)
          .max(1)
          .describe('Mean quality of what the student agreed to, 0 to 1'),
      })
      .describe('How the score was made'),
    crisis_resources: crisisResources,
  }),
  errors: ['session_not_found', 'consent_required', 'analyses_incomplete'],
  example: { body: { sessionId: '5b0f6c8e-93a1-4d0e-8a57-1f0c2d7b6e44' } },
})
