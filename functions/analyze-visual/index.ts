import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { storeAnalysis } from '../_shared/sessions/session.ts'
import { sessionFunction } from '../_shared/sessions/session-function.ts'
import { analyzeStill } from '../_shared/sessions/still.ts'
import { analyzeVisual } from '../_shared/sessions/visual-analysis.ts'
import { assetLoader } from '../_shared/supabase/storage.ts'
import { loadVisualEngine } from '../_shared/visual/index.ts'
import { analyzeVisual as route } from './route.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'analyze-visual')
const loadAsset = assetLoader(environment)

Deno.serve(
  sessionFunction(
    route,
    { environment, database },
    {
      consent: 'camera',
      analysisType: 'visual',
      async run(session, { imageData, visualSummary }) {
        const still = await analyzeStill(imageData, () => loadVisualEngine({ loadAsset }))
        const found = analyzeVisual(still, visualSummary)
        const crisis_resources = await storeAnalysis(database, session, found)
        return { ...found.analysis, crisis_resources }
      },
    },
  ),
)
