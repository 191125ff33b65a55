import { connect } from '../_shared/database.ts'
import { assetLoader } from '../_shared/edge/assets.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { sessionFunction } from '../_shared/edge/session-function.ts'
import { visualRequest } from '../_shared/sessions/requests.ts'
import { storeAnalysis } from '../_shared/sessions/session.ts'
import { analyzeStill } from '../_shared/sessions/still.ts'
import { analyzeVisual } from '../_shared/sessions/visual-analysis.ts'
import { loadVisualEngine } from '../_shared/visual/index.ts'

/** An image of 10 MB in base64, and the summary. */
const MAX_BODY_BYTES = 14_000_000

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'analyze-visual')
const loadAsset = assetLoader(environment)

Deno.serve(
  sessionFunction(
    'analyze-visual',
    { environment, database },
    {
      schema: visualRequest,
      maxBytes: MAX_BODY_BYTES,
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
