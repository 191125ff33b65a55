import * as z from 'zod'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { id } from '../_shared/fields.ts'
import { route } from '../_shared/http/route.ts'
import { conversationAnalysis } from '../_shared/sessions/analyses.ts'
import { MAX_CHARACTERS } from '../_shared/text/clean.ts'

/** The text becomes one that Postgres and the analysis can hold: no NUL, no half of a surrogate pair. */
const request = z.object({
  sessionId: id.describe('The session'),
  conversationText: z
    .string()
    .min(1)
    .max(MAX_CHARACTERS, `at most ${MAX_CHARACTERS} characters`)
    .describe('What the student said; turns of the app on lines of their own that begin with `Assistant:`')
    .transform((text) => text.toWellFormed().replaceAll('\0', '')),
})

export const analyzeText = route({
  id: 'analyzeText',
  method: 'post',
  path: '/analyze-text',
  tag: 'Assessment sessions',
  summary: 'Analyses what the student said in a conversation',
  security: 'user',
  limit: 'analyze-text',
  body: request,
  response: z.strictObject({
    sessionId: z.guid().describe('The session'),
    analysis: conversationAnalysis.describe('What the conversation says'),
    crisis_resources: crisisResources,
  }),
  errors: ['session_not_found', 'consent_required'],
  example: {
    body: {
      sessionId: '5b0f6c8e-93a1-4d0e-8a57-1f0c2d7b6e44',
      conversationText: 'I walked to the lake with a friend.',
    },
  },
})
