import { completeCheckIn } from '../_shared/checkins/complete.ts'
import { MEDIA_BUCKET } from '../_shared/checkins/media.ts'
import * as operations from '../_shared/checkins/operations.ts'
import { startCheckIn } from '../_shared/checkins/start.ts'
import { connect } from '../_shared/database.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { handle } from '../_shared/edge/handle.ts'
import { listFolder, signUpload } from '../_shared/edge/media-bucket.ts'
import { projectClient } from '../_shared/edge/project-client.ts'
import { newRoutes } from '../_shared/edge/routes.ts'
import { serve } from '../_shared/edge/serve.ts'
import { openObject } from '../_shared/edge/stored-object.ts'
import { checkInNotFound } from '../_shared/errors.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'checkins')
const supabase = projectClient(environment)
const services = { environment, database, supabase }
const open = (path: string) => openObject(environment, MEDIA_BUCKET, path)
const list = (folder: string) => listFolder(supabase, folder)
const sign = (path: string) => signUpload(supabase, environment.publicUrl, path)

const routes = newRoutes(Object.values(operations))

serve(routes, services, operations.start, ({ body }, { caller }) =>
  startCheckIn({ database, signUpload: sign }, caller.userId, body),
)

serve(routes, services, operations.complete, ({ params, body }, { caller }) => {
  const context = { database, open, listFolder: list, transcribes: environment.transcription !== undefined }
  return completeCheckIn(context, caller.userId, params.id, body)
})

serve(routes, services, operations.get, async ({ params: { id } }, { caller: { userId } }) => {
  const [row] = await database`
    select private.check_in_view(id) as view from checkin.check_ins where id = ${id} and user_id = ${userId}`
  if (!row) throw checkInNotFound()
  return row.view
})

Deno.serve(handle('checkins', async (request, exchange) => routes.fetch(request, exchange)))
