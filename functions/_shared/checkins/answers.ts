import * as z from 'zod'
import { DIRECTIONS, SIGNIFICANCES } from '../change.ts'
import { crisisResources } from '../crisis-resources.ts'
import { RISK_LEVELS } from '../risk-level.ts'
import { CHECK_IN_TYPES } from './requests.ts'

const timestamp = z.iso.datetime({ offset: true })
const id = z.guid().describe('The check-in')
const type = z.enum(CHECK_IN_TYPES).describe('What the check-in is for')
const status = z
  .enum(['created', 'processing', 'complete', 'failed', 'expired'])
  .meta({ id: 'CheckInStatus', description: 'created → processing → complete or failed; created → expired' })

/** A place to upload one medium to, with `supabase-js` or a plain `PUT`. */
export const upload = z
  .strictObject({
    path: z.string().describe('Path in the bucket `check-in-media`'),
    token: z.string().describe('For `uploadToSignedUrl` of supabase-js'),
    signed_url: z.url().describe('Address for a plain `PUT` of the bytes'),
    expires_at: timestamp.describe('Until when the address takes an upload, also a repeated one'),
    max_bytes: z.int().positive().describe('Largest file, bytes'),
    content_types: z.array(z.string()).describe('Content types that the upload may be sent with'),
  })
  .meta({ id: 'CheckInUpload', description: 'A place to upload one medium to' })

/** A check-in that waits for its media. */
export const startedCheckIn = z.strictObject({
  id,
  type,
  status,
  created_at: timestamp.describe('When it was started'),
  expires_at: timestamp.describe('Until when it can be handed in'),
  uploads: z
    .strictObject({
      audio: upload.nullable().describe('For the recording; `null` where the student has not agreed to it'),
      images: z
        .array(upload)
        .max(12)
        .describe('For the stills; empty where the student has not agreed to them'),
    })
    .describe('Where the media go'),
})

/** A check-in that was handed in. */
export const completedCheckIn = z.strictObject({ id, status })

const modality = z.enum(['audio', 'visual', 'text', 'self_report'])

const component = z.strictObject({
  modality: modality.describe('Part of the score'),
  score: z.number().min(0).max(100).nullable().describe('0 to 100; `null` where the part took no part'),
  weight: z.number().min(0).max(1).describe('Share in the score, 0 to 1; together 1'),
  quality: z.number().min(0).max(1).nullable().describe('0 unusable to 1; `null` with nothing to judge'),
  reason: z.string().nullable().describe('Why the part is missing or weak, a code of docs/errors.md'),
})

const driver = z.strictObject({
  label: z.string().describe('In plain words'),
  modality: modality.describe('Part of the score'),
  feature: z.string().describe('The feature that was measured'),
  contribution: z.number().describe('Points that it moved the score by, before squashing'),
})

/** What a check-in was found to say. */
export const checkInResult = z
  .strictObject({
    score: z.number().min(0).max(100).describe('Wellbeing, 0 to 100, in practice 10 to 90; higher is better'),
    uncertainty: z.number().min(0).max(1).describe('0 certain to 1 uncertain; show it with the score'),
    direction_of_change: z.enum(DIRECTIONS).describe('Against the student’s own baseline'),
    significance: z.enum(SIGNIFICANCES).describe('How clearly the change stands out'),
    risk_level: z.enum(RISK_LEVELS).describe('`high`: signs of a crisis'),
    summary: z.string().describe('One or two sentences to the student'),
    themes: z.array(z.string()).describe('Main topics'),
    drivers_positive: z.array(z.string()).describe('What raised the score, in plain words, strongest first'),
    drivers_negative: z.array(z.string()).describe('What lowered the score, in plain words, strongest first'),
    drivers: z.array(driver).describe('The features behind them'),
    components: z.array(component).describe('Voice, face, words and the mood that was reported'),
    baseline: z
      .strictObject({
        score_mean: z.number().min(0).max(100).nullable().describe('The student’s usual score, points'),
        score_sd: z.number().min(0).max(100).nullable().describe('Its usual variation, points'),
        check_ins: z.int().min(0).describe('Check-ins that it is made of'),
        compared: z
          .number()
          .nullable()
          .describe('Score minus usual score, points; `null` without a baseline'),
      })
      .describe('What the check-in was compared with'),
    crisis_resources: crisisResources,
    algorithm_version: z.string().describe('Version of the scoring'),
  })
  .meta({ id: 'CheckInResult', description: 'What a check-in was found to say' })

/** A check-in as `private.check_in_view` gives it and its channel announces it. */
export const checkIn = z.strictObject({
  id,
  type,
  status,
  progress: z.number().min(0).max(1).describe('Share of the analysis that is done, 0 to 1'),
  created_at: timestamp.describe('When it was started'),
  expires_at: timestamp.describe('Until when it can be handed in'),
  completed_at: timestamp.nullable().describe('When the analysis ended'),
  result: checkInResult.optional().describe('Only of a complete check-in'),
  error: z
    .strictObject({
      code: z.string().describe('A code of docs/errors.md'),
      message: z.string().describe('To show to the student'),
    })
    .optional()
    .describe('Only of a failed check-in'),
  crisis_resources: crisisResources.optional().describe('Only of a failed check-in; a result has its own'),
})
