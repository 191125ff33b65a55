import { crisisResources } from '../_shared/crisis-resources.ts'
import { log } from '../_shared/http/log.ts'
import { route } from '../_shared/http/route.ts'
import { type App, type Services, serve } from '../_shared/http/serve.ts'
import { analyzeTextRequest } from '../_shared/textmodel/requests.ts'
import { transcriptResult } from '../_shared/textmodel/result.ts'

const analyzeText = route({
  id: 'analyzeTranscript',
  method: 'post',
  path: '/api/textmodel/analyze-text',
  tag: 'Text model',
  summary:
    'Analyses a transcript with the language model, or with the built-in analysis if none is configured',
  description:
    'The header `X-Analysis-Provider` says what made the analysis: `language-model`, `built-in` or `fallback`.',
  security: 'user',
  limit: 'textmodel',
  body: analyzeTextRequest,
  response: transcriptResult.extend({ crisis_resources: crisisResources }),
  errors: ['consent_required', 'check_in_not_found'],
  example: { body: { transcript: 'I walked to the lake with a friend.' } },
})

export const TEXTMODEL = [analyzeText] as const

/** `/api/textmodel/*`. The analysis is loaded with the first call to it, so that no other call waits for that. */
export function textmodelRoutes(api: App, services: Services): void {
  const { environment, database } = services

  async function load() {
    const textmodel = await import('../_shared/textmodel/index.ts')
    return {
      ...textmodel,
      ask: environment.languageModel && textmodel.languageModel(environment.languageModel),
    }
  }
  let loading: ReturnType<typeof load> | undefined

  serve(api, services, analyzeText, async ({ body }, { caller: { userId }, context }) => {
    loading ??= load()
    const { authorize, analyzeTranscript, ask, storeTranscript } = await loading
    const checkIn = body.context?.checkinId ?? null
    await authorize(database, userId, checkIn)

    const analyzed = await analyzeTranscript(ask, body)
    const { provider, result, failure } = analyzed
    if (failure) {
      const { code, status } = failure
      log('warn', 'language_model_failed', { code, status })
    }
    const { transcript } = body
    const crisis_resources = await storeTranscript(database, userId, { transcript, checkIn }, analyzed)
    context.headers.set('x-analysis-provider', provider)
    return { ...result, crisis_resources }
  })
}
