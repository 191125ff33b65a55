import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { endpoint, serve } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { assetLoader } from '../_shared/platform/storage.ts'
import { storeAnalysis, withSession } from '../_shared/sessions/session.ts'
import { analyzeSessionImage, analyzeVisualSummary } from '../_shared/sessions/visual-analysis.ts'
import { loadFaceModels } from '../_shared/visual/face-models.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'analyze-visual')
const services = { environment, database, supabase: projectClient(environment) }
const loadAsset = assetLoader(environment)

const analyze = endpoint(routes.analyzeVisual, ({ body }, { caller, context }) => {
  const { sessionId, imageData, visualSummary } = body
  const session = { id: sessionId, student: caller.userId }
  return withSession(database, session, { consent: 'camera', analysisType: 'visual' }, async () => {
    const image = await analyzeSessionImage(imageData, () => loadFaceModels(loadAsset))
    const found = analyzeVisualSummary(image, visualSummary)
    const crisis_resources = await storeAnalysis(database, session, found, context.startedAt)
    return { ...found.analysis, crisis_resources }
  })
})

Deno.serve(serve('analyze-visual', services, [analyze]))
