import type { CrisisResources } from '../_shared/crisis-resources.ts'
import { connect } from '../_shared/database.ts'
import { ServiceError } from '../_shared/errors.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { endpoint, serve } from '../_shared/http/serve.ts'
import { round } from '../_shared/numbers.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { type SessionScore, scoreSession } from '../_shared/sessions/score.ts'
import {
  failSession,
  readScoreInput,
  reasonsInWords,
  type Session,
  storeScore,
  withSession,
} from '../_shared/sessions/session.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'calculate-wellbeing-score')
const services = { environment, database, supabase: projectClient(environment) }

const calculate = endpoint(routes.calculateWellbeingScore, ({ body: { sessionId } }, { caller, context }) => {
  const session = { id: sessionId, student: caller.userId }
  return withSession(database, session, { consent: null }, async () => {
    let { score, resources } = await scoreOf(session)
    // A consent that is withdrawn meanwhile leaves its part out; there are three.
    while (!(await storeScore(database, session, score))) ({ score, resources } = await scoreOf(session))
    const { fusion_score, algorithm_version, data_quality_score } = score
    const processing_time = round(performance.now() - context.startedAt, 1)
    return {
      fusion_score,
      metadata: { algorithm_version, processing_time, data_quality_score },
      crisis_resources: resources,
    }
  })
})

/** The score of a session, which has failed when nothing that was analysed can be used. Throws what `scoreSession` throws. */
async function scoreOf(session: Session): Promise<{ score: SessionScore; resources: CrisisResources }> {
  const { input, resources } = await readScoreInput(database, session)
  try {
    return { score: scoreSession(input, resources), resources }
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.details?.unusable) throw error
    await failSession(database, session)
    const unusable = await reasonsInWords(database, session, error.details.unusable)
    throw new ServiceError(error.code, error.message, { ...error.details, unusable })
  }
}

Deno.serve(serve('calculate-wellbeing-score', services, [calculate]))
