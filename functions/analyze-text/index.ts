import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { storeAnalysis } from '../_shared/sessions/session.ts'
import { sessionFunction } from '../_shared/sessions/session-function.ts'
import { analyzeConversation } from '../_shared/sessions/text-analysis.ts'
import { analyzeText } from './route.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'analyze-text')

Deno.serve(
  sessionFunction(
    analyzeText,
    { environment, database },
    {
      consent: 'text',
      analysisType: 'text',
      async run(session, { conversationText }) {
        const found = analyzeConversation(conversationText)
        const crisis_resources = await storeAnalysis(database, session, found)
        return { analysis: found.analysis, crisis_resources }
      },
    },
  ),
)
