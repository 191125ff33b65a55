import { Hono } from 'hono'
import { completeCheckIn } from '../_shared/checkins/complete.ts'
import { MEDIA_BUCKET } from '../_shared/checkins/media.ts'
import { checkInId, completeRequest, startRequest } from '../_shared/checkins/requests.ts'
import { startCheckIn } from '../_shared/checkins/start.ts'
import { connect } from '../_shared/database.ts'
import { answer } from '../_shared/edge/answer.ts'
import { authenticate } from '../_shared/edge/authenticate.ts'
import { readBody } from '../_shared/edge/body.ts'
import { readEnvironment } from '../_shared/edge/environment.ts'
import { type Exchange, handle } from '../_shared/edge/handle.ts'
import { listFolder, signUpload } from '../_shared/edge/media-bucket.ts'
import { projectClient } from '../_shared/edge/project-client.ts'
import { takeRateLimit } from '../_shared/edge/rate-limit.ts'
import { openObject } from '../_shared/edge/stored-object.ts'
import { ServiceError } from '../_shared/errors.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.databaseUrl, 'checkins')
const supabase = projectClient(environment)
const open = (path: string) => openObject(environment, MEDIA_BUCKET, path)
const list = (folder: string) => listFolder(supabase, folder)
const sign = (path: string) => signUpload(supabase, environment.publicUrl, path)

const app = new Hono<{ Bindings: Exchange }>().basePath('/checkins')

app.post('/start', async ({ req, env }) => {
  const { userId } = await authenticate(req.raw, supabase)
  await takeRateLimit(database, env, userId, 'check-in-start')
  const request = await readBody(req.raw, startRequest)
  return answer(await startCheckIn({ database, signUpload: sign }, userId, request), 200, env.requestId)
})

app.post('/:id/complete', async ({ req, env }) => {
  const { userId } = await authenticate(req.raw, supabase)
  await takeRateLimit(database, env, userId, 'check-in-complete')
  const id = readId(req.param('id'))
  const request = await readBody(req.raw, completeRequest)
  const context = { database, open, listFolder: list, transcribes: environment.transcription !== undefined }
  return answer(await completeCheckIn(context, userId, id, request), 200, env.requestId)
})

app.get('/:id', async ({ req, env }) => {
  const { userId } = await authenticate(req.raw, supabase)
  await takeRateLimit(database, env, userId, 'check-in-get')
  const id = readId(req.param('id'))
  const [row] = await database`
    select private.check_in_view(id) as view from checkin.check_ins where id = ${id} and user_id = ${userId}`
  if (!row) throw new ServiceError('check_in_not_found', 'There is no such check-in of yours.')
  return answer(row.view, 200, env.requestId)
})

for (const path of ['/start', '/:id/complete', '/:id']) {
  app.all(path, () => {
    throw new ServiceError('method_not_allowed', 'This address does not take that method.')
  })
}
app.notFound(() => {
  throw new ServiceError('not_found', 'There is nothing at this address. See docs/check-ins.md.')
})
// Every error goes the one way, through `handle`.
app.onError((error) => {
  throw error
})

function readId(id: string): string {
  const result = checkInId.safeParse(id)
  if (!result.success) throw new ServiceError('invalid_parameters', 'The check-in id is not a UUID.')
  return result.data
}

Deno.serve(handle('checkins', async (request, exchange) => app.fetch(request, exchange)))
