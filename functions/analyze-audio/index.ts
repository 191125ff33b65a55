import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { sessionFunction } from '../_shared/edge/session-function.ts'
import { analyzeAudioSummary } from '../_shared/sessions/audio-analysis.ts'
import { audioRequest } from '../_shared/sessions/requests.ts'
import { storeAnalysis } from '../_shared/sessions/session.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'analyze-audio')

Deno.serve(
  sessionFunction(
    'analyze-audio',
    { environment, database },
    {
      schema: audioRequest,
      consent: 'audio',
      analysisType: 'audio',
      async run(session, { audioData }, elapsedMs) {
        const found = analyzeAudioSummary(audioData)
        const crisis_resources = await storeAnalysis(database, session, found)
        return { analysis: found.analysis, processing_time: elapsedMs(), crisis_resources }
      },
    },
  ),
)
