import { connect } from '../_shared/database.ts'
import { objectRemover } from '../_shared/files/object-removals.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { serve } from '../_shared/http/serve.ts'
import { worker } from '../_shared/http/worker.ts'
import { describeError, log } from '../_shared/log.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'remove-objects')
const removeObjects = objectRemover({
  database,
  supabase: projectClient(environment),
  platform: globalThis,
})

const remove = worker(routes.dispatchToObjectRemover, () => ({
  accepted: {},
  work: removeObjects().catch((error) => log('error', 'removal_interrupted', describeError(error))),
}))

Deno.serve(serve('remove-objects', { environment, database }, [remove]))
