import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { scoreSession } from '../_shared/sessions/score.ts'
import { readScoreInput, storeScore } from '../_shared/sessions/session.ts'
import { sessionFunction } from '../_shared/sessions/session-function.ts'
import { calculateScore } from './route.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'calculate-wellbeing-score')

Deno.serve(
  sessionFunction(
    calculateScore,
    { environment, database },
    {
      consent: null,
      async run(session, _, elapsedMs) {
        const { input, resources } = await readScoreInput(database, session)
        const score = scoreSession(input, resources)
        await storeScore(database, session, score)
        const { fusion_score, algorithm_version, data_quality_score } = score
        return {
          fusion_score,
          metadata: { algorithm_version, processing_time: elapsedMs(), data_quality_score },
          crisis_resources: resources,
        }
      },
    },
  ),
)
