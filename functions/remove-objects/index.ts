import { connect } from '../_shared/database.ts'
import { objectRemover, removalWebhook } from '../_shared/files/object-removals.ts'
import { databaseWebhook } from '../_shared/http/database-webhook.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { describeError, log } from '../_shared/log.ts'
import { projectClient } from '../_shared/supabase/clients.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'remove-objects')
const removeObjects = objectRemover({
  database,
  supabase: projectClient(environment),
  platform: globalThis,
})

Deno.serve(
  databaseWebhook('remove-objects', environment, database, removalWebhook, () => ({
    accepted: {},
    work: removeObjects().catch((error) => log('error', 'removal_interrupted', describeError(error))),
  })),
)
