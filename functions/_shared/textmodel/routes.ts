import { crisisResources } from '../crisis-resources.ts'
import { route } from '../http/route.ts'
import { analyzeTextRequest } from './requests.ts'
import { transcriptResult } from './result.ts'

/** `POST /api/textmodel/analyze-text`. */
export const analyzeText = route({
  id: 'analyzeTranscript',
  method: 'post',
  path: '/api/textmodel/analyze-text',
  tag: 'Text model',
  summary: 'Analyses a transcript with the language model, or with the built-in analysis where there is none',
  description:
    'The header `X-Analysis-Provider` says who answered: `language-model`, `built-in` or `fallback`.',
  security: 'user',
  limit: 'textmodel',
  body: analyzeTextRequest,
  response: transcriptResult.extend({ crisis_resources: crisisResources }),
  errors: ['consent_required', 'check_in_not_found'],
  example: { body: { transcript: 'I walked to the lake with a friend.' } },
})
