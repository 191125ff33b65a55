import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { endpoint, serve } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { actOnRefusedWords, memberOf, textIn } from '../_shared/reviews/refused-words.ts'
import { storeAnalysis, withSession } from '../_shared/sessions/session.ts'
import { analyzeConversation, crisisOf, studentTurns } from '../_shared/sessions/text-analysis.ts'
import { failuresOf } from '../_shared/textmodel/failures.ts'
import { crisisReader } from '../_shared/textmodel/language-model.ts'
import { thirdReading } from '../_shared/textmodel/third-reading.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'analyze-text')
const ask = environment.languageModel && crisisReader(environment.languageModel, failuresOf(database))
const services = { environment, database, supabase: projectClient(environment) }

const analyze = endpoint(
  routes.analyzeText,
  ({ body: { sessionId, conversationText } }, { caller, context }) => {
    const session = { id: sessionId, student: caller.userId }
    return withSession(database, session, { consent: 'text', analysisType: 'text' }, async () => {
      const transcript = studentTurns(conversationText)
      const crisis = await thirdReading(ask, transcript, crisisOf(conversationText))
      const found = analyzeConversation(conversationText, crisis)
      const crisis_resources = await storeAnalysis(database, session, found, context.startedAt, transcript)
      return { analysis: found.analysis, crisis_resources }
    })
  },
  ({ account, ended, body }) =>
    actOnRefusedWords(database, {
      account,
      ended,
      text: textIn(body, 'conversationText'),
      session: memberOf(body, 'sessionId'),
      levelOf: (text) => crisisOf(text).level,
      saidIn: studentTurns,
    }),
)

Deno.serve(serve('analyze-text', services, [analyze]))
