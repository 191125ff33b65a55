import { Hono } from 'hono'
import { answer } from '../_shared/edge/answer.ts'
import { authenticate } from '../_shared/edge/authenticate.ts'
import { readBody } from '../_shared/edge/body.ts'
import type { Exchange } from '../_shared/edge/handle.ts'
import { log } from '../_shared/edge/log.ts'
import { takeRateLimit } from '../_shared/edge/rate-limit.ts'
import { ServiceError } from '../_shared/errors.ts'
import {
  admit,
  analyzeTextRequest,
  analyzeTranscript,
  languageModel,
  storeTranscript,
} from '../_shared/textmodel/index.ts'
import type { Services } from './services.ts'

/** `POST /api/textmodel/analyze-text`. */
export function textmodelRoutes({ environment, database, supabase }: Services) {
  const ask = environment.languageModel && languageModel(environment.languageModel)
  const routes = new Hono<{ Bindings: Exchange }>()

  routes.post('/analyze-text', async ({ req, env }) => {
    const { userId } = await authenticate(req.raw, supabase)
    await takeRateLimit(database, env, userId, 'textmodel')
    const request = await readBody(req.raw, analyzeTextRequest)
    const checkIn = request.context?.checkinId ?? null
    await admit(database, userId, checkIn)

    const analyzed = await analyzeTranscript(ask, request)
    const { provider, result, failure } = analyzed
    if (failure) {
      const { code, status } = failure
      log('warn', 'language_model_failed', { code, status })
    }
    const { transcript } = request
    const crisis_resources = await storeTranscript(database, userId, { transcript, checkIn }, analyzed)
    env.headers.set('x-analysis-provider', provider)
    return answer({ ...result, crisis_resources }, 200, env.requestId)
  })

  routes.all('/analyze-text', () => {
    throw new ServiceError('method_not_allowed', 'This address takes POST only.')
  })
  return routes
}
