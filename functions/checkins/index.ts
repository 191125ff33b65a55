import { bucketOf, listFolder, signUpload } from '../_shared/checkins/media.ts'
import { startCheckIn } from '../_shared/checkins/start.ts'
import { submitCheckIn } from '../_shared/checkins/submit.ts'
import { connect } from '../_shared/database.ts'
import { checkInNotFound } from '../_shared/errors.ts'
import { readEnvironment } from '../_shared/http/environment.ts'
import { endpoint, serve } from '../_shared/http/serve.ts'
import { projectClient } from '../_shared/platform/clients.ts'
import { openObject } from '../_shared/platform/storage.ts'
import { actOnRefusedWords, textIn } from '../_shared/reviews/refused-words.ts'
import * as routes from './routes.ts'

const environment = readEnvironment(Deno.env.toObject())
const database = connect(environment.database, 'checkins', 2)
const supabase = projectClient(environment)
const services = { environment, database, supabase }
const open = (path: string) => openObject(environment, bucketOf(path), path)
const list = (folder: string) => listFolder(supabase, folder)
const sign = (path: string) => signUpload(supabase, environment.publicUrl, path)

const start = endpoint(routes.startCheckIn, ({ body }, { caller }) =>
  startCheckIn({ database, signUpload: sign }, caller.userId, body),
)

const complete = endpoint(
  routes.completeCheckIn,
  ({ params, body }, { caller }) => {
    const context = { database, open, listFolder: list, transcribes: environment.transcription !== undefined }
    return submitCheckIn(context, caller.userId, params.id, body)
  },
  ({ account, ended, params, body }) =>
    actOnRefusedWords(database, { account, ended, text: textIn(body, 'transcript'), checkIn: params.id }),
)

const get = endpoint(routes.getCheckIn, async ({ params: { id } }, { caller: { userId } }) => {
  const [row] = await database`
    select private.check_in_view(id) as view from checkin.check_ins where id = ${id} and user_id = ${userId}`
  if (!row) throw checkInNotFound()
  return row.view
})

const getCurrent = endpoint(routes.getCurrentCheckIn, async ({ query: { type } }, { caller: { userId } }) => {
  const [{ view }] = await database`
    select private.current_check_in(${userId}, ${type ?? null}::public.assessment_type) as view`
  return { check_in: view }
})

Deno.serve(serve('checkins', services, [start, complete, getCurrent, get]))
