import type * as z from 'zod'
import type { RecordingInfo } from '../audio/recording.ts'
import { planSlices } from '../audio/slices.ts'
import { consentRequired } from '../consent.ts'
import { asJson, type Database } from '../database.ts'
import { checkInNotFound, ServiceError } from '../errors.ts'
import { joinTrace } from '../log.ts'
import type { JobKind } from '../pipeline/job-kinds.ts'
import { detectCrisis } from '../text/crisis/detect.ts'
import { planGroups } from '../visual/groups.ts'
import type { ImageInfo } from '../visual/inspect-image.ts'
import type { CompleteRequest, completedCheckIn } from './check-in.ts'
import { inspectMedia, type UploadedObject } from './inspect.ts'
import { type ListedObject, mediaFolder } from './media.ts'

type SubmitContext = {
  database: Database
  /** The objects in a folder of the media bucket. */
  listFolder(folder: string): Promise<ListedObject[]>
  /** Opens an object of the media bucket. */
  open(path: string): Promise<UploadedObject | null>
  /** Whether a transcription provider is configured. */
  transcribes: boolean
}

/**
 * Checks what was uploaded and submits the check-in for analysis; repeated calls submit it once.
 *
 * Throws `check_in_not_found`, `check_in_expired`, `too_many_submissions`, `rate_limited`, `consent_required`, `nothing_uploaded`,
 * `image_count`, or the code of an unusable medium; then nothing has changed. The endpoint acts on what a refused call says of a
 * crisis.
 */
export async function submitCheckIn(
  context: SubmitContext,
  userId: string,
  id: string,
  request: CompleteRequest,
): Promise<z.infer<typeof completedCheckIn>> {
  const { database } = context
  const [checkIn] = await database<[State?]>`
    select status, trace_id, status = 'created' and expires_at <= now() as overdue,
      private.has_consent(user_id, 'audio') as audio,
      private.has_consent(user_id, 'camera') as camera,
      private.has_consent(user_id, 'text') as text,
      (select i.transcript from private.check_in_inputs i where i.check_in_id = check_ins.id)
        is distinct from ${request.transcript ?? null} as other_words
    from checkin.check_ins
    where id = ${id} and user_id = ${userId}`
  if (!checkIn) throw errors.not_found()
  joinTrace(checkIn.trace_id)
  const isSubmitted = checkIn.status === 'processing' || checkIn.status === 'complete'
  if (isSubmitted && !(request.transcript && checkIn.text && checkIn.other_words)) {
    return { id, status: checkIn.status }
  }
  if (request.transcript && !checkIn.text) throw consentRequired('text')
  const crisis = detectCrisis(request.transcript ?? '')
  if (isSubmitted) {
    // Other words than those that are analysed change no result, but are not lost.
    const words = { transcript: request.transcript, trace_id: checkIn.trace_id }
    await database`
      select private.act_on_refused_words(
        ${userId}, ${crisis.level}::checkin.risk_level, ${id}, null, ${asJson(database, { words })}
      )`
    return { id, status: checkIn.status }
  }
  if (checkIn.status === 'expired' || checkIn.overdue) throw errors.expired()
  const folder = mediaFolder(userId, id)
  const uploaded = await context.listFolder(folder)
  const listed = request.media ? chosen(uploaded, request.media) : uploaded
  const usable = listed.filter(({ name }) => (name === 'audio' ? checkIn.audio : checkIn.camera))
  if (usable.length === 0 && !request.transcript) {
    throw new ServiceError(
      'nothing_uploaded',
      'Upload a recording or images, or send a transcript, then complete.',
    )
  }
  const media = await inspectMedia({
    listed,
    use: { audio: checkIn.audio, images: checkIn.camera },
    open: (name) => context.open(`${folder}/${name}`),
  })

  const recording = media.find((medium) => medium.kind === 'audio')
  const images = media.flatMap((medium) => (medium.kind === 'image' ? medium.info : []))
  const jobs = planJobs({
    recording: recording?.info ?? null,
    images,
    hasTranscript: request.transcript != null,
    transcribes: context.transcribes && checkIn.text,
  })
  const inputs = {
    transcript: request.transcript ?? null,
    crisis_level: crisis.level,
    crisis_rule: crisis.rule,
    crisis_explicit: crisis.explicit,
    mood_score: request.mood_score ?? null,
    conversation_duration: request.conversation_duration ?? null,
    missing: {
      ...(!recording && { audio: checkIn.audio ? 'not_provided' : 'no_consent' }),
      ...(images.length === 0 && { visual: checkIn.camera ? 'not_provided' : 'no_consent' }),
      ...(!request.transcript && { text: checkIn.text ? 'not_provided' : 'no_consent' }),
    },
  }
  const rows = media.map((medium) => ({ ...medium, path: `${folder}/${medium.name}` }))
  const [submitted] = await database<[{ outcome: keyof typeof errors | 'accepted' | 'unchanged' }]>`
    select private.submit_check_in(
      ${id}, ${userId}, ${asJson(database, inputs)}, ${asJson(database, rows)}, ${asJson(database, jobs)}
    ) as outcome`
  const { outcome } = submitted
  if (outcome !== 'accepted' && outcome !== 'unchanged') throw errors[outcome]()
  return { id, status: outcome === 'accepted' ? 'processing' : await statusOf(database, id) }
}

type Status = z.infer<typeof completedCheckIn>['status']
type State = {
  status: Status
  trace_id: string | null
  overdue: boolean
  audio: boolean
  camera: boolean
  text: boolean
  other_words: boolean
}

/** Of what was uploaded the files of these names. Throws `nothing_uploaded` where one is not there. */
function chosen(uploaded: readonly ListedObject[], names: readonly string[]): ListedObject[] {
  const absent = names.find((name) => !uploaded.some((object) => object.name === name))
  if (absent !== undefined) {
    throw new ServiceError(
      'nothing_uploaded',
      `${absent} was not uploaded. Upload it, or leave it out of media.`,
      {
        file: absent,
      },
    )
  }
  return uploaded.filter(({ name }) => names.includes(name))
}

const errors = {
  not_found: checkInNotFound,
  expired: () => new ServiceError('check_in_expired', 'The check-in has expired. Start a new one.'),
  too_many_submissions: () =>
    new ServiceError('too_many_submissions', 'The check-in was submitted three times. Start a new one.'),
}

async function statusOf(database: Database, id: string): Promise<Status> {
  const [row] = await database<[{ status: Status }]>`select status from checkin.check_ins where id = ${id}`
  return row.status
}

/** A first job of a check-in's analysis; the database queues merges and fusion as these end. */
type PlannedJob = {
  kind: JobKind
  ordinal: number
  input: object
}

/**
 * Splits the analysis of a check-in into jobs that each fit into one request of a worker.
 *
 * A recording without a transcript is transcribed when a provider is configured; otherwise the text modality is missing.
 */
function planJobs(given: {
  recording: RecordingInfo | null
  images: ImageInfo[]
  hasTranscript: boolean
  transcribes: boolean
}): PlannedJob[] {
  const jobs: PlannedJob[] = []
  if (given.recording) {
    for (const slice of planSlices(given.recording.durationS)) {
      jobs.push({ kind: 'audio_slice', ordinal: slice.index, input: slice })
    }
  }
  const largestPixels = Math.max(0, ...given.images.map(({ width, height }) => width * height))
  for (const [ordinal, images] of planGroups(given.images.length, largestPixels).entries()) {
    jobs.push({ kind: 'visual_group', ordinal, input: { images } })
  }
  if (given.hasTranscript) {
    jobs.push({ kind: 'text', ordinal: 0, input: {} }, { kind: 'crisis', ordinal: 0, input: {} })
  } else if (given.recording && given.transcribes) {
    jobs.push({ kind: 'transcription', ordinal: 0, input: {} })
  }
  return jobs
}
