import type { Reply, Row } from '../calls.ts'
import type { ConsentKind } from '../consents.ts'
import { SERVICE_ERROR_CODES } from '../generated/error-codes.ts'
import type { Export } from '../privacy.ts'
import { accountOf, sendCode } from './auth.ts'
import { completeCheckIn, currentCheckIn, startCheckIn, viewOf } from './check-ins.ts'
import { json, type Received, ServiceError, textOf } from './respond.ts'
import {
  type Account,
  KINDS,
  newAccount,
  now,
  type State,
  type StoredSession,
  UNIVERSITY,
  VERSION,
} from './state.ts'

type CheckInType = Reply<'post', '/checkins/start'>['type']

const TYPES: readonly CheckInType[] = ['daily', 'weekly', 'baseline', 'on_demand']
/** Reasons of results beside the codes of errors. */
const REASONS = [
  'not_provided',
  'no_consent',
  'silent',
  'too_noisy',
  'no_face',
  'multiple_faces',
  'nothing_to_score',
]
const RESOURCES = UNIVERSITY.crisis_resources
const DAY_MS = 24 * 60 * 60 * 1000

/** What the functions of the service do. */
export function functions(state: State, request: Received, account: Account | null): Response {
  return open(state, request) ?? signedIn(state, request, account)
}

/** Calls of people who are not signed in. */
function open(state: State, { method, path, query, json: body }: Received): Response | null {
  switch (`${method} ${path}`) {
    case 'GET /api/public/universities': {
      const known = query.get('domain')?.endsWith('northfield.example.edu')
      return json({ universities: known ? [UNIVERSITY] : [] })
    }
    case 'GET /api/consent-texts':
      return json(textsIn(query.get('languages')))
    case 'GET /api/failure-reasons':
      return json({ reasons: wordsIn(languageOf(query.get('languages'))) })
    case 'GET /api/crisis-resources':
      return json({ crisis_resources: RESOURCES })
    case 'POST /api/auth/signup':
      return json(signUp(state, body))
  }
  return null
}

function signedIn(state: State, request: Received, account: Account | null): Response {
  const { method, path, query, json: body } = request
  if (!account) throw new ServiceError('unauthorized')
  const [, first, second, third] = path.split('/')
  const id = third ?? second ?? ''
  switch (`${method} ${path.replace(/[0-9a-f-]{36}/, '{id}')}`) {
    case 'POST /checkins/start': {
      const type = TYPES.find((known) => known === body?.type)
      if (!type) throw new ServiceError('invalid_parameters')
      return json(startCheckIn(state, account, type))
    }
    case 'GET /checkins/current':
      return json(currentCheckIn(account, query.get('type')))
    case 'GET /checkins/{id}':
      return json(viewOf(account, id))
    case 'POST /checkins/{id}/complete':
      return json(completeCheckIn(state, account, second ?? '', { ...body }))
    case 'GET /api/history':
      return json({ entries: account.history, next: null, crisis_resources: RESOURCES })
    case 'GET /api/privacy/accesses':
      return json({ accesses: [], next: null })
    case 'POST /api/buddy/send-verification':
      return json(askToAgree(account, textOf(body, 'buddyContactId')))
    case 'POST /api/buddy/request-check-in':
      return json(requestCheckIn(account, textOf(body, 'buddyContactId')))
  }
  if (first === 'api' && second === 'privacy') return privacy(state, request, account)
  return session(state, request, account)
}

function signUp(state: State, body: Received['json']): Reply<'post', '/api/auth/signup'> {
  const email = textOf(body, 'email').toLowerCase()
  const accepted = email.endsWith('northfield.example.edu') ? UNIVERSITY.id : null
  if (typeof body?.university_id === 'string' && body.university_id !== accepted)
    throw new ServiceError('university_not_accepted')
  if (textOf(body, 'password').length < 8) throw new ServiceError('weak_password', { reasons: ['length'] })
  if (!accountOf(state, email)) {
    const name = { first: textOf(body, 'first_name'), last: textOf(body, 'last_name') }
    const account = newAccount(email, textOf(body, 'password'), name)
    account.confirmed = false
    account.profile.university_id = accepted
    account.profile.language = textOf(body, 'language') || null
    state.accounts.push(account)
    sendCode(state, email)
  }
  return { success: true, verification_required: true }
}

/** The first of the languages that the service has. */
function languageOf(languages: string | null): string {
  const wanted = (languages ?? 'en').split(',').map((tag) => tag.split('-')[0] ?? '')
  return wanted.find((tag) => UNIVERSITY.languages.includes(tag)) ?? 'en'
}

/** The words of every code, marked with their language, so that a test sees which ones are shown. */
function wordsIn(language: string): Reply<'get', '/api/failure-reasons'>['reasons'] {
  return [...SERVICE_ERROR_CODES, ...REASONS].map((code) => ({
    ...{ code, language, title: `[${language}] ${code}`, advice: `[${language}] What to do about ${code}.` },
  }))
}

/** One short text for each kind, marked with its language. */
function textsIn(languages: string | null): Reply<'get', '/api/consent-texts'> {
  const language = languageOf(languages)
  const text = (kind: ConsentKind) => ({
    ...{ kind, version: VERSION, language, title: `[${language}] ${kind}` },
    ...{ body: `[${language}] What is done with ${kind}.`, effective_from: '2026-11-01T00:00:00+00:00' },
  })
  return { texts: KINDS.map(text) }
}

function contactOf(account: Account, id: string): Row<'buddy_contacts'> {
  const contact = account.contacts.find((other) => other.id === id)
  if (!contact) throw new ServiceError('buddy_not_found')
  if (!account.consents.has('support_circle'))
    throw new ServiceError('consent_required', { kind: 'support_circle' })
  return contact
}

function askToAgree(account: Account, id: string): Reply<'post', '/api/buddy/send-verification'> {
  const contact = contactOf(account, id)
  if (contact.verified) throw new ServiceError('buddy_verified')
  if (!contact.email) throw new ServiceError('buddy_email_missing')
  // Asked a moment ago: the token that the mail has is still young.
  if (contact.verification_token_expires_at) throw new ServiceError('rate_limited', { retry_after_s: 3600 })
  contact.verification_token_expires_at = new Date(Date.now() + 7 * DAY_MS).toISOString()
  return { success: true, message: 'Verification sent.' }
}

function requestCheckIn(account: Account, id: string): Reply<'post', '/api/buddy/request-check-in'> {
  const contact = contactOf(account, id)
  if (!contact.is_active || !contact.verified) throw new ServiceError('buddy_unavailable')
  const request: Row<'buddy_check_in_requests'> = {
    ...{ id: crypto.randomUUID(), user_id: account.id, buddy_contact_id: id, created_at: now() },
    ...{ request_type: 'user_initiated', delivery_status: 'queued', trigger_reason: null, sent_at: null },
    ...{ link_clicked_at: null, response_type: null, response_received_at: null },
  }
  account.requests.unshift(request)
  const sending = contact.phone_confirmed_at ? 'now' : 'when_they_agree'
  return { success: true, message: 'Asked.', request_id: request.id, sending, send_at: null }
}

function privacy(state: State, { method, path, json: body }: Received, account: Account): Response {
  const [, , , what, id] = path.split('/')
  if (what === 'erasure') return json(erasure(account, method, textOf(body, 'password')))
  if (what !== 'exports') throw new ServiceError('not_found')
  if (method === 'POST') return json(requestExport(account, body?.include_name === true), 202)
  if (id === undefined) return json({ exports: account.exports.map(({ volumes, ...summary }) => summary) })
  const found = account.exports.find((other) => other.id === id)
  if (!found) throw new ServiceError('export_not_found')
  if (method === 'DELETE') {
    found.status = 'cancelled'
    found.volumes = []
    tellExport(state, account, found)
  }
  return json(found)
}

function erasure(account: Account, method: string, password: string) {
  if (method === 'POST') {
    if (password !== account.password) throw new ServiceError('wrong_password')
    account.erasure ??= {
      ...{ id: crypto.randomUUID(), status: 'scheduled', requested_at: now(), hold: null },
      final_at: new Date(Date.now() + 3 * DAY_MS).toISOString(),
    }
    return account.erasure
  }
  if (!account.erasure) throw new ServiceError('erasure_not_found')
  if (method === 'GET') return account.erasure
  account.erasure = null
  return { cancelled: true }
}

function requestExport(account: Account, include_name: boolean): Export {
  const running = account.exports.find(({ status }) => status === 'queued' || status === 'building')
  if (running) throw new ServiceError('export_running', { id: running.id })
  const today = account.exports.filter(({ created_at }) => Date.parse(created_at) > Date.now() - DAY_MS)
  if (today.length >= 3) throw new ServiceError('export_limit', { retry_after_s: 3600 })
  const made: Export = {
    ...{ id: crypto.randomUUID(), status: 'queued', error_code: null, include_name, progress: 0 },
    ...{ created_at: now(), ready_at: null, expires_at: null, volumes: [] },
  }
  account.exports.unshift(made)
  return made
}

/** Finishes an export that was asked for. */
export function finishExport(state: State, account: Account, made: Export): void {
  const expires_at = new Date(Date.now() + 7 * DAY_MS).toISOString()
  Object.assign(made, { status: 'ready', progress: 1, ready_at: now(), expires_at })
  made.volumes = [
    {
      ...{
        number: 1,
        content: 'documents',
        file_name: 'wellbeing-export-1.zip',
        bytes: 4096,
        left_out: null,
      },
      url: `${state.url}/storage/v1/object/sign/exports/${made.id}/1.zip?token=test`,
      url_expires_at: new Date(Date.now() + DAY_MS / 24).toISOString(),
    },
  ]
  tellExport(state, account, made)
}

function tellExport(state: State, account: Account, { id, status, volumes, expires_at }: Export): void {
  const volumes_done = status === 'ready' ? volumes.length : 0
  state.broadcast(`account:${account.id}`, 'export', {
    ...{ id, status, volumes: volumes.length, volumes_done, expires_at },
  })
}

const CONSENT_OF = { audio: 'audio', visual: 'camera', text: 'text' } as const

/** The calls of an assessment session. */
function session(state: State, { method, path, json: body }: Received, account: Account): Response {
  const analysed = {
    '/analyze-audio': 'audio',
    '/analyze-visual': 'visual',
    '/analyze-text': 'text',
  } as const
  const modality = Object.entries(analysed).find(([of]) => of === path)?.[1]
  if (method !== 'POST' || (!modality && path !== '/calculate-wellbeing-score'))
    throw new ServiceError('not_found')
  const found = account.sessions.find(({ row }) => row.id === body?.sessionId)
  if (!found) throw new ServiceError('session_not_found')
  if (!modality) return json(score(state, account, found))
  const kind = CONSENT_OF[modality]
  if (!account.consents.has(kind)) throw new ServiceError('consent_required', { kind })
  found.analyses.add(modality)
  const event = { session_id: found.row.id, analysis_type: modality }
  state.broadcast(`assessment:${found.row.id}`, 'analysis_complete', event)
  return json({ sessionId: found.row.id, ...ANALYSES[modality], crisis_resources: RESOURCES })
}

type Analysis<Path extends '/analyze-audio' | '/analyze-visual' | '/analyze-text'> = Omit<
  Reply<'post', Path>,
  'sessionId' | 'crisis_resources'
>
const ANALYSES: {
  audio: Analysis<'/analyze-audio'>
  visual: Analysis<'/analyze-visual'>
  text: Analysis<'/analyze-text'>
} = {
  audio: {
    analysis: {
      vocal_stress_indicators: 0.2,
      speech_pattern_analysis: { pace_variation: 0.3, pause_frequency: 0.2, volume_consistency: 0.8 },
      emotional_markers: ['calm'],
      confidence_score: 0.7,
    },
    processing_time: 12,
  },
  visual: {
    image_analysis_results: {
      emotions: [{ emotion: 'neutral', confidence: 0.8 }],
      face_details: { quality: { brightness: 60, sharpness: 70 }, pose: { roll: 1, yaw: 2, pitch: 3 } },
      quality_assessment: { overall_quality: 0.8, lighting_quality: 0.8, face_visibility: 0.9 },
    },
    analysis_summary: { primary_emotion: 'neutral', emotional_stability: 0.7, engagement_score: 0.6 },
  },
  text: {
    analysis: {
      sentiment_analysis: { overall_sentiment: 'neutral', confidence: 0.7, emotional_indicators: [] },
      linguistic_patterns: { complexity_score: 0.5, coherence_score: 0.7, emotional_language_usage: 0.2 },
      key_themes: ['studies'],
      risk_indicators: [],
      phq_indicators: { depression_markers: [], anxiety_markers: [], severity_indicators: [] },
    },
  },
}

function score(
  state: State,
  account: Account,
  { row, analyses }: StoredSession,
): Reply<'post', '/calculate-wellbeing-score'> {
  if (analyses.size === 0) {
    const missing = ['audio', 'visual', 'text']
    throw new ServiceError('analyses_incomplete', { missing, crisis_resources: RESOURCES })
  }
  const part = (modality: 'audio' | 'visual' | 'text') => (analyses.has(modality) ? 61 : null)
  const at = now()
  account.history = account.history.filter(({ id }) => id !== row.id)
  account.history.unshift({
    ...{
      source: 'session',
      id: row.id,
      at,
      local_date: at.slice(0, 10),
      score: 61,
      score_interval: [50, 72],
    },
    ...{ calibrated: false, uncertainty: 0.4, direction_of_change: null, significance: null },
    ...{ risk_level: 'none', baseline: null, algorithm_version: 'wb-1.7.0' },
  })
  state.broadcast(`assessment:${row.id}`, 'score_calculated', { session_id: row.id, score: 61 })
  return {
    sessionId: row.id,
    fusion_score: {
      ...{ final_score: 61, confidence: 0.6, score_interval: [50, 72], calibrated: false },
      component_scores: {
        audio_score: part('audio'),
        visual_score: part('visual'),
        text_score: part('text'),
      },
      risk_assessment: { level: 'low', indicators: [], recommendations: [] },
    },
    metadata: { algorithm_version: 'wb-1.7.0', processing_time: 3, data_quality_score: 0.8 },
    crisis_resources: RESOURCES,
  }
}
