import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { endpoint, serve } from '../_shared/http/serve.ts'
import { round } from '../_shared/numbers.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { analyzeAudioSummary } from '../_shared/sessions/audio-analysis.ts'
import { storeAnalysis, withSession } from '../_shared/sessions/session.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'analyze-audio')
const services = { environment, database, supabase: projectClient(environment) }

const analyze = endpoint(routes.analyzeAudio, ({ body: { sessionId, audioData } }, { caller, context }) => {
  const session = { id: sessionId, student: caller.userId }
  return withSession(database, session, { consent: 'audio', analysisType: 'audio' }, async () => {
    const found = analyzeAudioSummary(audioData)
    const crisis_resources = await storeAnalysis(database, session, found, context.startedAt)
    const processing_time = round(performance.now() - context.startedAt, 1)
    return { analysis: found.analysis, processing_time, crisis_resources }
  })
})

Deno.serve(serve('analyze-audio', services, [analyze]))
