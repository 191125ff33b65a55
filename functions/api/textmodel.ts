import type { App } from '../_shared/http/app.ts'
import { log } from '../_shared/http/log.ts'
import { serve } from '../_shared/http/serve.ts'
import { analyzeText } from '../_shared/textmodel/routes.ts'
import type { Services } from './services.ts'

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
