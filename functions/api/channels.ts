import * as z from 'zod'
import type { Channel } from '../_shared/openapi/openapi.ts'
import { getCheckIn } from '../checkins/routes.ts'

const time = z.iso.datetime({ offset: true })
const sessionId = z.guid().describe('The session')
const analysisType = z.enum(['audio', 'visual', 'text']).describe('Which analysis')
const checkInId = z.guid().describe('The check-in')

/** What a service's event has beside its own members: Realtime adds it. */
const eventId = {
  id: z.guid().optional().describe('Of the event, which Realtime adds: the same when it is replayed'),
}

/** Every private channel of Realtime, with the events that are broadcast there. */
export const CHANNELS: readonly Channel[] = [
  {
    topic: 'check-in:{checkInId}',
    description: 'A check-in of the student, from its submission to its result.',
    receive: {
      progress: {
        name: 'CheckInProgressEvent',
        description: 'How far the analysis is.',
        payload: z.strictObject({
          ...eventId,
          check_in_id: checkInId,
          status: z.enum(['processing', 'complete']).describe('How far the check-in is'),
          progress: z.number().min(0).max(1).describe('Share of the analysis that is done'),
        }),
      },
      status: {
        name: 'CheckInStatusEvent',
        description: 'The status has changed.',
        payload: z.strictObject({
          ...eventId,
          check_in_id: checkInId,
          status: z.enum(['processing', 'complete', 'failed']).describe('How far the check-in is'),
        }),
      },
      result: {
        name: 'CheckInResultEvent',
        description: 'The check-in has ended: what `GET /checkins/{id}` returns of it.',
        payload: getCheckIn.response,
      },
    },
  },
  {
    topic: 'assessment:{sessionId}',
    description:
      'An assessment session of the student: what the service stored, and what the devices tell each other.',
    receive: {
      analysis_complete: {
        name: 'AnalysisCompleteEvent',
        description: 'An analysis is stored.',
        payload: z.strictObject({ ...eventId, session_id: sessionId, analysis_type: analysisType }),
      },
      score_calculated: {
        name: 'ScoreCalculatedEvent',
        description: 'The score is stored.',
        payload: z.strictObject({
          ...eventId,
          session_id: sessionId,
          score: z.number().min(0).max(100).describe('The score'),
        }),
      },
      error: {
        name: 'SessionErrorEvent',
        description: 'A call for the session was rejected or failed.',
        payload: z.strictObject({
          ...eventId,
          session_id: sessionId,
          error: z.string().describe('Why, in words'),
          analysis_type: analysisType.optional(),
        }),
      },
    },
    send: ['status_update', 'progress_update', 'completion'],
  },
  {
    topic: 'support:{userId}',
    description: 'The support circle of the student: alerts, and what contacts decided and answered.',
    receive: {
      support_alert: {
        name: 'SupportAlertEvent',
        description: 'An alert was opened, asked somebody, told the crisis contact, or ended.',
        payload: z.strictObject({
          ...eventId,
          alert_id: z.guid().describe('The alert'),
          status: z.enum(['open', 'answered', 'escalated', 'resolved', 'expired']).describe('How far it is'),
          worrying_days: z.int().describe('Days of the last week that opened it'),
          step: z.int().describe('How many times somebody was asked'),
          asked: z
            .array(
              z.strictObject({
                id: z.guid().describe('The contact'),
                name: z.string().describe('Their name'),
              }),
            )
            .describe('Who was asked so far'),
          crisis_contact_told_at: time
            .nullable()
            .describe('When the crisis contact of the university was told'),
          opened_at: time.describe('When it was opened'),
          ended_at: time.nullable().describe('When it ended'),
        }),
      },
      support_contact: {
        name: 'SupportContactEvent',
        description: 'A contact agreed, declined, or confirmed the number.',
        payload: z.strictObject({
          ...eventId,
          contact_id: z.guid().describe('The contact'),
          name: z.string().describe('Their name'),
          verified: z.boolean().describe('Whether they agreed'),
          phone_confirmed: z.boolean().describe('Whether the number is confirmed'),
          declined_at: time.nullable().describe('When they declined'),
        }),
      },
      support_answer: {
        name: 'SupportAnswerEvent',
        description: 'A contact answered a request or an alert.',
        payload: z.strictObject({
          ...eventId,
          request_id: z.guid().describe('The request'),
          contact_id: z.guid().nullable().describe('The contact'),
          name: z.string().nullable().describe('Their name'),
          request_type: z
            .enum(['user_initiated', 'system_initiated'])
            .describe('Who asked: the student, or an alert'),
          response_type: z.enum(['called', 'messaged', 'unavailable']).describe('What they answered'),
          response_received_at: time.describe('When'),
          alert_id: z.guid().nullable().describe('The alert that asked'),
        }),
      },
    },
  },
  {
    topic: 'reviews:{userId}',
    description: 'The queue of a counselor: the reviews of their universities.',
    receive: {
      changed: {
        name: 'ReviewChangedEvent',
        description:
          'A review was opened, changed, written about or removed: what the queue shows of it, and no person.',
        payload: z.strictObject({
          ...eventId,
          review_id: z.guid().describe('The review'),
          status: z
            .enum(['open', 'claimed', 'closed'])
            .nullable()
            .describe('How far it is; null once it left the queue otherwise than by a closing'),
          university_id: z.string().describe('The university'),
          source: z.enum(['check_in', 'session', 'transcript', 'support_alert']).describe('What opened it'),
          risk_level: z.enum(['moderate', 'high']).describe('The highest risk since it was opened'),
          opened_at: time.describe('When it was opened'),
          claimed_at: time.nullable().describe('When it was claimed'),
          last_risk_at: time.describe('When risk was seen last'),
        }),
      },
    },
  },
  {
    topic: 'account:{userId}',
    description: 'What concerns the account.',
    receive: {
      export: {
        name: 'ExportEvent',
        description: 'How far an export is.',
        payload: z.strictObject({
          ...eventId,
          id: z.guid().describe('The export'),
          status: z.string().describe('How far it is, as `GET /api/privacy/exports/{id}` says'),
          volumes: z.int().describe('Archives that it consists of'),
          volumes_done: z.int().describe('Those that can be downloaded'),
          expires_at: time.nullable().describe('Until when'),
        }),
      },
    },
  },
]
