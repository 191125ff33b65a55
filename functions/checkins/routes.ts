import * as z from 'zod'
import { AUDIO_ERROR_CODES } from '../_shared/audio/recording.ts'
import {
  checkInFields,
  completedCheckIn,
  completeRequest,
  receivedUploads,
  startedCheckIn,
  startRequest,
} from '../_shared/checkins/check-in.ts'
import { crisisResources } from '../_shared/crisis-resources.ts'
import { DIRECTIONS, SIGNIFICANCES } from '../_shared/direction-of-change.ts'
import { id } from '../_shared/fields.ts'
import { route } from '../_shared/http/route.ts'
import { RISK_LEVELS } from '../_shared/risk-level.ts'
import { IMAGE_ERROR_CODES } from '../_shared/visual/outcome.ts'

const ID = '7d0c1a52-8f4e-4c0b-9d53-2f6a1b7e9c30'
const params = z.object({ id: id.describe('The check-in') })

/** `POST /checkins/start`. */
export const startCheckIn = route({
  id: 'startCheckIn',
  method: 'post',
  path: '/checkins/start',
  tag: 'Check-ins',
  summary: 'Starts a check-in, or goes on with the open one, and returns addresses to upload its media to',
  description:
    'A student has one open check-in of each type: until it is submitted or expires, this gives it back with fresh addresses and another 24 hours, however often and from however many devices it is called. Also at `/v1/checkins/start` under `/functions`.',
  security: 'user',
  limit: 'check-in-start',
  body: startRequest,
  response: startedCheckIn,
  errors: ['forbidden', 'feature_disabled', 'storage_full'],
  example: { body: { type: 'daily' } },
})

/** `POST /checkins/{id}/complete`. */
export const completeCheckIn = route({
  id: 'completeCheckIn',
  method: 'post',
  path: '/checkins/{id}/complete',
  tag: 'Check-ins',
  summary: 'Submits a check-in for analysis',
  description:
    'A part that the student has consented to and that nothing was sent for is `not_provided`: of recording, images and transcript, one is enough. A student submits as many check-ins a day as `check-in-submission` allows, ten by default; then the response is `rate_limited`. Looks at what was uploaded and says which file cannot be used; then nothing has changed. Crisis language in the transcript is acted on even where the call is refused, and `details.crisis_resources` says where to turn. Calling it twice is harmless. Also at `/v1/checkins/{id}/complete` under `/functions`.',
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
    ...AUDIO_ERROR_CODES,
    ...IMAGE_ERROR_CODES,
  ],
  example: { params: { id: ID }, body: { transcript: 'I walked to the lake with a friend.', mood_score: 7 } },
  exampleResponse: { id: ID, status: 'processing' },
})

const modality = z.enum(['audio', 'visual', 'text', 'self_report'])

const component = z.strictObject({
  modality: modality.describe('Part of the score'),
  score: z.number().min(0).max(100).nullable().describe('0 to 100; `null` if the part was not used'),
  standard_error: z
    .number()
    .min(0)
    .nullish()
    .describe('Of the part’s score, points; absent in results of versions before wb-1.2.0'),
  weight: z.number().min(0).max(1).describe('Share in the score, 0 to 1; together 1'),
  quality: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('0 unusable to 1; `null` if there is nothing to rate'),
  reason: z.string().nullable().describe('Why the part is missing or weak, a code of docs/errors.md'),
})

const driver = z.strictObject({
  label: z.string().describe('In plain words'),
  modality: modality.describe('Part of the score'),
  feature: z.string().describe('The feature that was measured'),
  contribution: z.number().describe('Points that it moved the score by, before squashing'),
})

const checkInResult = z
  .strictObject({
    score: z.number().min(0).max(100).describe('Wellbeing, 0 to 100, in practice 10 to 90; higher is better'),
    uncertainty: z.number().min(0).max(1).describe('0 certain to 1 uncertain; show it with the score'),
    score_interval: z
      .tuple([z.number().min(0).max(100), z.number().min(0).max(100)])
      .nullable()
      .describe(
        '90% interval, points: of a repeated check-in around the score or, `calibrated`, of the label, which need not hold the score; `null` in results of versions before wb-1.2.0',
      ),
    calibrated: z
      .boolean()
      .describe(
        '`false`: the interval says how repeatable the score is, not how accurate; say so where it is shown',
      ),
    direction_of_change: z.enum(DIRECTIONS).describe('Against the student’s own baseline'),
    significance: z.enum(SIGNIFICANCES).describe('How clearly the change stands out'),
    risk_level: z.enum(RISK_LEVELS).describe('`high`: signs of a crisis'),
    summary: z.string().describe('One or two sentences to the student'),
    themes: z.array(z.string()).describe('Main topics'),
    drivers_positive: z.array(z.string()).describe('What raised the score, in plain words, strongest first'),
    drivers_negative: z.array(z.string()).describe('What lowered the score, in plain words, strongest first'),
    drivers: z.array(driver).describe('The features behind them'),
    components: z.array(component).describe('Voice, face, text and the mood that was reported'),
    baseline: z
      .strictObject({
        score_mean: z.number().min(0).max(100).nullable().describe('The student’s usual score, points'),
        score_sd: z.number().min(0).max(100).nullable().describe('Its usual variation, points'),
        check_ins: z.int().min(0).describe('Check-ins that it is made of'),
        compared: z
          .number()
          .nullable()
          .describe('Score minus usual score, points; `null` without a baseline'),
        reason: z
          .enum(['too_few_check_ins', 'other_version'])
          .nullish()
          .describe(
            'Why `compared` is `null`: fewer than three check-ins, or another version of the scoring made them',
          ),
      })
      .describe('What the check-in was compared with'),
    crisis_resources: crisisResources,
    algorithm_version: z.string().describe('Version of the scoring'),
  })
  .meta({ id: 'CheckInResult', description: 'The result of a check-in' })

/** A check-in as `private.check_in_view` returns it and its channel announces it. */
const checkIn = z
  .strictObject({
    id: checkInFields.id,
    type: checkInFields.type,
    status: checkInFields.status,
    progress: z.number().min(0).max(1).describe('Share of the analysis that is done, 0 to 1'),
    created_at: checkInFields.created_at,
    expires_at: checkInFields.expires_at,
    completed_at: z.iso.datetime({ offset: true }).nullable().describe('When the analysis ended'),
    result: checkInResult.optional().describe('Only of a complete check-in'),
    error: z
      .strictObject({
        code: z.string().describe('A code of docs/errors.md'),
        message: z
          .string()
          .describe('To show to the student, in their language: what happened first of all, and what to do'),
        reason: z.string().describe('The leading reason, or `code` where no part was analysed'),
        reasons: z
          .array(
            z.strictObject({
              modality: z.enum(['audio', 'visual', 'text']).describe('The part'),
              reason: z.string().describe('Why it could not be used, a code of docs/errors.md'),
              title: z.string().describe('What happened, in the student’s language'),
              advice: z.string().describe('What to do about it, in the student’s language'),
            }),
          )
          .describe('Why each part could not be used, the leading one first'),
      })
      .optional()
      .describe('Only of a failed check-in'),
    uploads: receivedUploads
      .optional()
      .describe('Only of a check-in that is not submitted: what has arrived'),
    crisis_resources: crisisResources.optional().describe('Only of a failed check-in; a result has its own'),
  })
  .meta({ id: 'CheckIn', description: 'A check-in, from its start to its result' })

/** `GET /checkins/current`. */
export const getCurrentCheckIn = route({
  id: 'getCurrentCheckIn',
  method: 'get',
  path: '/checkins/current',
  tag: 'Check-ins',
  summary: 'Reads the check-in that is open or being processed',
  description:
    'The one that was started or submitted last, on whatever device; `null` when there is none. Also at `/v1/checkins/current` under `/functions`.',
  security: 'user',
  limit: 'check-in-get',
  query: z.object({ type: checkInFields.type.optional().describe('Of this type alone; of any by default') }),
  response: z.strictObject({
    check_in: checkIn.nullable().describe('The check-in, as GET by its id returns it'),
  }),
  example: { query: { type: 'daily' } },
  exampleResponse: {
    check_in: {
      id: ID,
      type: 'daily',
      status: 'created',
      progress: 0,
      created_at: '2026-11-21T09:00:00.1+00:00',
      expires_at: '2026-11-22T09:00:00.1+00:00',
      completed_at: null,
      uploads: {
        audio: {
          name: 'audio',
          bytes: 1_203_114,
          content_type: 'audio/mp4',
          uploaded_at: '2026-11-21T09:03:10.5+00:00',
        },
        images: [],
      },
    },
  },
})

/** `GET /checkins/{id}`. */
export const getCheckIn = route({
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
  exampleResponse: {
    id: ID,
    type: 'daily',
    status: 'processing',
    progress: 0.4,
    created_at: '2026-11-21T09:00:00.1+00:00',
    expires_at: '2026-11-22T09:00:00.1+00:00',
    completed_at: null,
  },
})
