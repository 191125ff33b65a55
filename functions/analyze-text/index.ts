import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { handle } from '../_shared/http/handle.ts'
import { newApp, serve } from '../_shared/http/serve.ts'
import { storeAnalysis, withSession } from '../_shared/sessions/session.ts'
import { analyzeConversation } from '../_shared/sessions/text-analysis.ts'
import { projectClient } from '../_shared/supabase/clients.ts'
import { analyzeText } from './route.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'analyze-text')
const services = { environment, database, supabase: projectClient(environment) }
const app = newApp([analyzeText])

serve(app, services, analyzeText, ({ body: { sessionId, conversationText } }, { caller }) => {
  const session = { id: sessionId, student: caller.userId }
  return withSession(database, session, { consent: 'text', analysisType: 'text' }, async () => {
    const found = analyzeConversation(conversationText)
    const crisis_resources = await storeAnalysis(database, session, found)
    return { analysis: found.analysis, crisis_resources }
  })
})

Deno.serve(handle('analyze-text', async (request, context) => app.fetch(request, context)))
