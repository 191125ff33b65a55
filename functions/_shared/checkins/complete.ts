import type * as z from 'zod'
import { consentRequired } from '../consent.ts'
import { asJson, type Database } from '../database.ts'
import { checkInNotFound, ServiceError } from '../errors.ts'
import { detectCrisis } from '../text/crisis/detect.ts'
import type { CompleteRequest, completedCheckIn } from './check-in.ts'
import { inspectMedia, type ListedObject, type UploadedObject } from './inspect.ts'
import { mediaFolder } from './media.ts'
import { planJobs } from './plan.ts'

export type CompleteContext = {
  database: Database
  /** The objects in a folder of the media bucket. */
  listFolder(folder: string): Promise<ListedObject[]>
  /** Opens an object of the media bucket. */
  open(path: string): Promise<UploadedObject | null>
  /** Whether a transcription provider is configured. */
  transcribes: boolean
}

/**
 * Checks what was uploaded and hands the check-in in for analysis, once however often it is called.
 *
 * Throws `check_in_not_found`, `check_in_expired`, `too_many_submissions`, `consent_required`, `nothing_uploaded`,
 * `image_count`, or the code of a medium that cannot be used; then nothing has changed.
 */
export async function completeCheckIn(
  context: CompleteContext,
  userId: string,
  id: string,
  request: CompleteRequest,
): Promise<z.infer<typeof completedCheckIn>> {
  const { database } = context
  const [held] = await database<[State?]>`
    select status, status = 'created' and expires_at <= now() as overdue,
      private.has_consent(user_id, 'audio') as audio,
      private.has_consent(user_id, 'camera') as camera,
      private.has_consent(user_id, 'text') as text
    from checkin.check_ins
    where id = ${id} and user_id = ${userId}`
  if (!held) throw refusals.not_found()
  if (held.status === 'processing' || held.status === 'complete') return { id, status: held.status }
  if (held.status === 'expired' || held.overdue) throw refusals.expired()
  if (request.transcript && !held.text) throw consentRequired('text')

  const folder = mediaFolder(userId, id)
  const listed = await context.listFolder(folder)
  const usable = listed.filter(({ name }) => (name === 'audio' ? held.audio : held.camera))
  if (usable.length === 0 && !request.transcript) {
    throw new ServiceError(
      'nothing_uploaded',
      'Upload a recording or images, or send a transcript, then complete.',
    )
  }
  const media = await inspectMedia({
    listed,
    use: { audio: held.audio, images: held.camera },
    open: (name) => context.open(`${folder}/${name}`),
  })

  const recording = media.find((medium) => medium.kind === 'audio')
  const jobs = planJobs({
    recording: recording?.info ?? null,
    imageCount: media.filter((medium) => medium.kind === 'image').length,
    hasTranscript: request.transcript != null,
    transcribes: context.transcribes && held.text,
  })
  // Looked for here, so that no failure of the analysis can lose it.
  const crisis = detectCrisis(request.transcript ?? '')
  const inputs = {
    transcript: request.transcript ?? null,
    crisis_level: crisis.level,
    crisis_rule: crisis.rule,
    mood_score: request.mood_score ?? null,
    conversation_duration: request.conversation_duration ?? null,
    missing: {
      ...(!recording && { audio: held.audio ? 'not_provided' : 'no_consent' }),
      ...(!held.camera && { visual: 'no_consent' }),
      ...(!request.transcript && { text: held.text ? 'not_provided' : 'no_consent' }),
    },
  }
  const rows = media.map((medium) => ({ ...medium, path: `${folder}/${medium.name}` }))
  const [submitted] = await database<[{ outcome: keyof typeof refusals | 'accepted' | 'unchanged' }]>`
    select private.submit_check_in(
      ${id}, ${userId}, ${asJson(database, inputs)}, ${asJson(database, rows)}, ${asJson(database, jobs)}
    ) as outcome`
  const { outcome } = submitted
  if (outcome !== 'accepted' && outcome !== 'unchanged') throw refusals[outcome]()
  return { id, status: outcome === 'accepted' ? 'processing' : await statusOf(database, id) }
}

type Status = z.infer<typeof completedCheckIn>['status']
type State = { status: Status; overdue: boolean; audio: boolean; camera: boolean; text: boolean }

const refusals = {
  not_found: checkInNotFound,
  expired: () => new ServiceError('check_in_expired', 'The check-in has expired. Start a new one.'),
  too_many_submissions: () =>
    new ServiceError('too_many_submissions', 'The check-in was handed in three times. Start a new one.'),
}

async function statusOf(database: Database, id: string): Promise<Status> {
  const [row] = await database<[{ status: Status }]>`select status from checkin.check_ins where id = ${id}`
  return row.status
}
