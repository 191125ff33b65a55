import * as z from 'zod'
import { operation } from '../contract/operation.ts'
import { analyzeTextRequest } from './requests.ts'

/** `POST /api/textmodel/analyze-text`. */
export const analyzeText = operation({
  id: 'analyzeTranscript',
  method: 'post',
  path: '/api/textmodel/analyze-text',
  tag: 'Text model',
  summary:
    'Analyses a transcript with the language model, or with the built-in analysis where none is configured',
  security: 'user',
  limit: 'textmodel',
  body: analyzeTextRequest,
  response: z.looseObject({}),
  errors: ['consent_required', 'check_in_not_found'],
  example: { body: { transcript: 'I walked to the lake with a friend.' } },
})
