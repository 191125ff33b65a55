import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { analyzeAudioSummary } from '../_shared/sessions/audio-analysis.ts'
import { storeAnalysis } from '../_shared/sessions/session.ts'
import { sessionFunction } from '../_shared/sessions/session-function.ts'
import { analyzeAudio } from './route.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'analyze-audio')

Deno.serve(
  sessionFunction(
    analyzeAudio,
    { environment, database },
    {
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
