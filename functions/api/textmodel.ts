import { crisisResources } from '../_shared/crisis-resources.ts'
import type { Database } from '../_shared/database.ts'
import { endpoint, type Services } from '../_shared/http/serve.ts'
import { actOnRefusedWords, memberOf, textIn } from '../_shared/reviews/refused-words.ts'
import { analyzeTextRequest } from '../_shared/textmodel/requests.ts'
import { transcriptResult } from '../_shared/textmodel/result.ts'
import { authorize, storeTranscript } from '../_shared/textmodel/store.ts'

const analyzeTranscript = endpoint(
  {
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
  },
  async ({ body }, { caller: { userId }, context, environment, database }) => {
    const { analyzeTranscript, ask } = await loadAnalysis(environment, database)
    const checkIn = body.context?.checkinId ?? null
    await authorize(database, userId, checkIn)

    const analyzed = await analyzeTranscript(ask, body)
    const { provider, result } = analyzed
    const { transcript } = body
    const crisis_resources = await storeTranscript(
      database,
      userId,
      { transcript, checkIn },
      analyzed,
      context.startedAt,
    )
    context.headers.set('x-analysis-provider', provider)
    return { ...result, crisis_resources }
  },
  ({ account, ended, body, database }) =>
    actOnRefusedWords(database, {
      account,
      ended,
      text: textIn(body, 'transcript'),
      checkIn: memberOf(body, 'context', 'checkinId'),
    }),
)

export const TEXTMODEL = [analyzeTranscript] as const

let loading: ReturnType<typeof importAnalysis> | undefined

/** The analysis is loaded with the first call to it, so that no other call waits for that. */
function loadAnalysis(environment: Services['environment'], database: Database) {
  loading ??= importAnalysis(environment, database)
  return loading
}

async function importAnalysis({ languageModel: settings }: Services['environment'], database: Database) {
  const [{ analyzeTranscript }, { languageModel }, { failuresOf }] = await Promise.all([
    import('../_shared/textmodel/analyze-transcript.ts'),
    import('../_shared/textmodel/language-model.ts'),
    import('../_shared/textmodel/failures.ts'),
  ])
  return { analyzeTranscript, ask: settings && languageModel(settings, failuresOf(database)) }
}
