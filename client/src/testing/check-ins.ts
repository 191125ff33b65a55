import type { Body, Reply } from '../calls.ts'
import type { EndedCheckIn } from '../check-in/types.ts'
import { ServiceError } from './respond.ts'
import { type Account, now, type Outcome, type State, type StoredCheckIn, UNIVERSITY } from './state.ts'

type Started = Reply<'post', '/checkins/start'>
type Place = Started['uploads']['images'][number]
type Result = NonNullable<EndedCheckIn['result']>

const DAY_MS = 24 * 60 * 60 * 1000
const AUDIO_TYPES = [
  'audio/mp4',
  'audio/aac',
  'audio/webm',
  'audio/ogg',
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
]
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp']
const IMAGE_NAMES = Array.from({ length: 12 }, (_, at) => `image-${String(at + 1).padStart(2, '0')}`)
const FEWEST_IMAGES = 8
const MOST_SUBMISSIONS = 3
const RESOURCES = UNIVERSITY.crisis_resources

/** Starts a check-in, or goes on with the open one of its type. */
export function startCheckIn(state: State, account: Account, type: Started['type']): Started {
  const open = account.checkIns.find(({ view }) => view.type === type && view.status === 'created')
  const checkIn = open ?? newCheckIn(type)
  if (!open) account.checkIns.unshift(checkIn)
  const place = (name: string) => placeOf(state, account, checkIn, name)
  const { id, status, created_at, expires_at } = checkIn.view
  return {
    ...{ id, type, status, created_at, expires_at, resumed: open !== undefined },
    uploads: {
      audio: account.consents.has('audio') ? place('audio') : null,
      images: account.consents.has('camera') ? IMAGE_NAMES.map(place) : [],
    },
  }
}

/** Stores a file at an address. Null: the token leads nowhere, or the check-in was submitted. */
export async function receive(
  state: State,
  token: string,
  file: Blob,
): Promise<'stored' | 'submitted' | null> {
  const place = state.places.get(token)
  if (!place) return null
  const { checkIn, name } = place
  if (checkIn.view.status !== 'created' && checkIn.view.status !== 'failed') return 'submitted'
  const content_type = file.type || 'application/octet-stream'
  checkIn.files.set(name, { name, bytes: file.size, content_type, uploaded_at: now() })
  return 'stored'
}

/** What lies in the folder of a check-in, as Storage lists it. */
export function filesIn(account: Account, bucket: string, folder: string) {
  const checkIn = account.checkIns.find(({ view }) => folder === `${account.id}/${view.id}`)
  return [...(checkIn?.files.values() ?? [])]
    .filter(({ name }) => bucketOf(name) === bucket)
    .map(({ name, bytes, content_type, uploaded_at }) => ({
      ...{ name, id: crypto.randomUUID(), created_at: uploaded_at, updated_at: uploaded_at },
      ...{ last_accessed_at: uploaded_at, metadata: { size: bytes, mimetype: content_type } },
    }))
}

const bucketOf = (name: string) => (name === 'audio' ? 'check-in-media' : 'check-in-images')

export function completeCheckIn(
  state: State,
  account: Account,
  id: string,
  body: Body<'post', '/checkins/{id}/complete'>,
): Reply<'post', '/checkins/{id}/complete'> {
  const checkIn = checkInOf(account, id)
  const { view, files } = checkIn
  if (view.status === 'expired') throw new ServiceError('check_in_expired')
  if (view.status !== 'created' && view.status !== 'failed') return { id, status: view.status }
  if (checkIn.submissions >= MOST_SUBMISSIONS) throw new ServiceError('too_many_submissions')
  const media = body.media ?? [...files.keys()]
  const missing = media.find((name) => !files.has(name))
  if (missing) throw new ServiceError('nothing_uploaded', { file: missing })
  const images = media.filter((name) => name !== 'audio').length
  if (images > 0 && images < FEWEST_IMAGES) throw new ServiceError('image_count', { found: images })
  const empty = media.find((name) => files.get(name)?.bytes === 0)
  if (empty) throw new ServiceError(empty === 'audio' ? 'audio_empty' : 'image_empty', { file: empty })
  if (body.transcript && !account.consents.has('text'))
    throw new ServiceError('consent_required', { kind: 'text' })
  if (media.length === 0 && !body.transcript) throw new ServiceError('nothing_uploaded')

  checkIn.submissions++
  checkIn.media = media
  view.status = 'processing'
  view.progress = 0
  delete view.error
  tell(state, view, 'status')
  if (!state.held || state.outcomes.length > 0)
    end(state, account, checkIn, state.outcomes.shift() ?? { result: {} })
  return { id, status: 'processing' }
}

/** Ends a check-in that is being analysed, and tells on its channel. */
export function end(state: State, account: Account, { view, media }: StoredCheckIn, outcome: Outcome): void {
  view.progress = 1
  view.completed_at = now()
  if ('reason' in outcome) {
    const { reason } = outcome
    view.status = 'failed'
    view.error = {
      code: 'nothing_to_score',
      message: `[en] ${reason}`,
      reason,
      reasons: [
        {
          modality: media.includes('audio') ? 'audio' : 'visual',
          reason,
          title: `[en] ${reason}`,
          advice: '…',
        },
      ],
    }
  } else {
    view.status = 'complete'
    view.result = { ...resultOf(account, media), ...outcome.result }
    const { score, score_interval, calibrated, uncertainty, direction_of_change, significance } = view.result
    const { risk_level, baseline, algorithm_version } = view.result
    account.history.unshift({
      ...{
        source: 'check_in',
        id: view.id,
        at: view.completed_at,
        local_date: view.completed_at.slice(0, 10),
      },
      ...{ score, score_interval, calibrated, uncertainty, direction_of_change, significance, risk_level },
      baseline:
        baseline.score_mean === null
          ? null
          : { score: baseline.score_mean, compared: baseline.compared ?? 0 },
      algorithm_version,
    })
    tell(state, view, 'progress')
  }
  tell(state, view, 'status')
  state.broadcast(`check-in:${view.id}`, 'result', viewOf(account, view.id))
}

export function viewOf(account: Account, id: string): EndedCheckIn {
  const { view, files } = checkInOf(account, id)
  const named = (name: string) => files.get(name) ?? null
  return {
    ...view,
    ...(view.status === 'created' && {
      uploads: { audio: named('audio'), images: [...files.values()].filter(({ name }) => name !== 'audio') },
    }),
    ...(view.status === 'failed' && { crisis_resources: RESOURCES }),
  }
}

/** The check-in that is open or being analysed, of a type or of any. */
export function currentCheckIn(account: Account, type: string | null): Reply<'get', '/checkins/current'> {
  const current = account.checkIns.find(
    ({ view }) => (type === null || view.type === type) && ['created', 'processing'].includes(view.status),
  )
  return { check_in: current ? viewOf(account, current.view.id) : null }
}

/** Says on the channel how far a check-in is. */
export function tell(
  state: State,
  { id, status, progress }: EndedCheckIn,
  event: 'status' | 'progress',
): void {
  state.broadcast(`check-in:${id}`, event, {
    check_in_id: id,
    status,
    ...(event === 'progress' && { progress }),
  })
}

function checkInOf(account: Account, id: string): StoredCheckIn {
  const found = account.checkIns.find(({ view }) => view.id === id)
  if (!found) throw new ServiceError('check_in_not_found')
  return found
}

function newCheckIn(type: Started['type']): StoredCheckIn {
  return {
    view: {
      ...{ id: crypto.randomUUID(), type, status: 'created', progress: 0, completed_at: null },
      ...{ created_at: now(), expires_at: new Date(Date.now() + DAY_MS).toISOString() },
    },
    files: new Map(),
    media: [],
    submissions: 0,
  }
}

function placeOf(state: State, account: Account, checkIn: StoredCheckIn, name: string): Place {
  const token = crypto.randomUUID()
  state.places.set(token, { checkIn, name })
  const bucket = bucketOf(name)
  const path = `${account.id}/${checkIn.view.id}/${name}`
  const file = checkIn.files.get(name)
  return {
    ...{ bucket, path, token },
    signed_url: `${state.url}/storage/v1/object/upload/sign/${bucket}/${path}?token=${token}`,
    expires_at: new Date(Date.now() + DAY_MS / 12).toISOString(),
    max_bytes: (name === 'audio' ? 50 : 10) * 1024 * 1024,
    content_types: name === 'audio' ? AUDIO_TYPES : IMAGE_TYPES,
    received: file
      ? { bytes: file.bytes, content_type: file.content_type, uploaded_at: file.uploaded_at }
      : null,
  }
}

/** What an ordinary check-in returns, of the parts that were sent. */
function resultOf(account: Account, media: string[]): Result {
  const sent = { audio: media.includes('audio'), visual: media.includes('image-01') }
  const part = (modality: 'audio' | 'visual', weight: number): Result['components'][number] => ({
    ...{ modality, score: sent[modality] ? 64 : null, standard_error: sent[modality] ? 4 : null },
    ...{ weight: sent[modality] ? weight : 0, quality: sent[modality] ? 0.9 : null },
    reason: sent[modality]
      ? null
      : account.consents.has(modality === 'audio' ? 'audio' : 'camera')
        ? 'not_provided'
        : 'no_consent',
  })
  return {
    ...{ score: 64, uncertainty: 0.2, score_interval: [57, 71], calibrated: false },
    ...{ direction_of_change: 'same', significance: 'low', risk_level: 'none' },
    summary: 'You sound much as usual.',
    themes: ['studies'],
    drivers_positive: ['You speak with a lively melody.'],
    drivers_negative: ['You pause longer than usual.'],
    drivers: [
      {
        label: 'You speak with a lively melody.',
        modality: 'audio',
        feature: 'pitch_range',
        contribution: 2.1,
      },
    ],
    components: [part('audio', 0.6), part('visual', 0.4)],
    baseline: {
      ...{ score_mean: null, score_sd: null, check_ins: account.history.length, compared: null },
      reason: 'too_few_check_ins',
    },
    crisis_resources: RESOURCES,
    algorithm_version: 'wb-1.7.0',
  }
}
