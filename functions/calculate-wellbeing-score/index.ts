import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { newApp, serve } from '../_shared/http/serve.ts'
import { round } from '../_shared/numbers.ts'
import { scoreSession } from '../_shared/sessions/score.ts'
import { readScoreInput, storeScore, withSession } from '../_shared/sessions/session.ts'
import { projectClient } from '../_shared/supabase/clients.ts'
import { calculateScore } from './route.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'calculate-wellbeing-score')
const services = { environment, database, supabase: projectClient(environment) }
const app = newApp([calculateScore])

serve(app, services, calculateScore, ({ body: { sessionId } }, { caller, context }) => {
  const session = { id: sessionId, student: caller.userId }
  return withSession(database, session, { consent: null }, async () => {
    let { input, resources } = await readScoreInput(database, session)
    let score = scoreSession(input, resources)
    // A consent that is withdrawn meanwhile leaves its part out; there are three.
    while (!(await storeScore(database, session, score))) {
      ;({ input, resources } = await readScoreInput(database, session))
      score = scoreSession(input, resources)
    }
    const { fusion_score, algorithm_version, data_quality_score } = score
    const processing_time = round(performance.now() - context.startedAt, 1)
    return {
      fusion_score,
      metadata: { algorithm_version, processing_time, data_quality_score },
      crisis_resources: resources,
    }
  })
})

Deno.serve(handle('calculate-wellbeing-score', async (request, context) => app.fetch(request, context)))
