import { connect } from '../_shared/database.ts'
import { assetLoader } from '../_shared/http/assets.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { analyzeVisual as operation } from '../_shared/sessions/routes.ts'
import { storeAnalysis } from '../_shared/sessions/session.ts'
import { sessionFunction } from '../_shared/sessions/session-function.ts'
import { analyzeStill } from '../_shared/sessions/still.ts'
import { analyzeVisual } from '../_shared/sessions/visual-analysis.ts'
import { loadFaceModels } from '../_shared/visual/face-models.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'analyze-visual')
const loadAsset = assetLoader(environment)

Deno.serve(
  sessionFunction(
    operation,
    { environment, database },
    {
      consent: 'camera',
      analysisType: 'visual',
      async run(session, { imageData, visualSummary }) {
        const still = await analyzeStill(imageData, () => loadFaceModels(loadAsset))
        const found = analyzeVisual(still, visualSummary)
        const crisis_resources = await storeAnalysis(database, session, found)
        return { ...found.analysis, crisis_resources }
      },
    },
  ),
)
