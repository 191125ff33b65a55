import * as z from 'zod'
import { route } from '../http/route.ts'
import { checkIn, completedCheckIn, startedCheckIn } from './answers.ts'
import { checkInId, completeRequest, startRequest } from './requests.ts'

const ID = '7d0c1a52-8f4e-4c0b-9d53-2f6a1b7e9c30'
const params = z.object({ id: checkInId.describe('The check-in') })

/** `POST /checkins/start`. */
export const start = route({
  id: 'startCheckIn',
  method: 'post',
  path: '/checkins/start',
  tag: 'Check-ins',
  summary: 'Starts a check-in and gives out addresses to upload its media to',
  description: 'Also at `/v1/checkins/start` under `/functions`.',
  security: 'user',
  limit: 'check-in-start',
  body: startRequest,
  response: startedCheckIn,
  example: { body: { type: 'daily' } },
})

/** `POST /checkins/{id}/complete`. */
export const complete = route({
  id: 'completeCheckIn',
  method: 'post',
  path: '/checkins/{id}/complete',
  tag: 'Check-ins',
  summary: 'Hands a check-in in for analysis',
  description:
    'Looks at what was uploaded and says which file cannot be used; then nothing has changed. Calling it twice is harmless. Also at `/v1/checkins/{id}/complete` under `/functions`.',
  security: 'user',
  limit: 'check-in-complete',
  params,
  body: completeRequest,
  response: completedCheckIn,
  errors: [
    'check_in_not_found',
    'check_in_expired',
    'too_many_submissions',
    'consent_required',
    'nothing_uploaded',
    'image_count',
    'audio_empty',
    'audio_unreadable',
    'audio_truncated',
    'audio_unsupported',
    'audio_too_long',
    'audio_too_short',
    'image_empty',
    'image_unreadable',
    'image_unsupported',
    'image_truncated',
    'image_too_small',
    'image_too_large',
  ],
  example: { params: { id: ID }, body: { transcript: 'I walked to the lake with a friend.', mood_score: 7 } },
  answer: { id: ID, status: 'processing' },
})

/** `GET /checkins/{id}`. */
export const get = route({
  id: 'getCheckIn',
  method: 'get',
  path: '/checkins/{id}',
  tag: 'Check-ins',
  summary: 'Reads a check-in: its status, its progress and, once there is one, its result',
  description: 'Also at `/v1/checkins/{id}` under `/functions`.',
  security: 'user',
  limit: 'check-in-get',
  params,
  response: checkIn,
  errors: ['check_in_not_found'],
  example: { params: { id: ID } },
  answer: {
    id: ID,
    type: 'daily',
    status: 'processing',
    progress: 0.4,
    created_at: '2026-11-21T09:00:00.1+00:00',
    expires_at: '2026-11-22T09:00:00.1+00:00',
    completed_at: null,
  },
})
