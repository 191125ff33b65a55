import * as z from 'zod'
import {
  dashboardFigures,
  reviewTimes,
  scoringVersions,
  trendPoints,
  wellbeing,
} from '../../functions/_shared/analytics/figures.ts'
import { assessment } from '../../functions/_shared/compliance/assessments.ts'
import { decision } from '../../functions/_shared/compliance/controls.ts'
import { incident, incidentId, SEVERITIES } from '../../functions/_shared/incidents/incidents.ts'
import { RESPONSE_ACTIONS, responseResult } from '../../functions/_shared/incidents/response.ts'
import { jsonObject } from '../../functions/_shared/json.ts'
import {
  evaluated,
  evaluationContext,
  policyStatistics,
  storedPolicy,
} from '../../functions/_shared/security-policies/policies.ts'
import { result, run, statistics, storedTest } from '../../functions/_shared/security-tests/test.ts'
import { visualAnalysis } from '../../functions/_shared/sessions/analyses.ts'
import { measures } from '../../functions/_shared/sessions/stored-analysis.ts'
import { historyRow } from '../../functions/_shared/students/history.ts'
import { signsOfLife, studentPage, studentRecord } from '../../functions/_shared/students/student.ts'
import {
  gradedAttempt,
  openAttempt,
  ownTraining,
  readingProgress,
} from '../../functions/_shared/training/learning.ts'
import {
  newModule,
  readableModule,
  STAFF_ROLES,
  storedModule,
} from '../../functions/_shared/training/module.ts'
import { analyzeAudio } from '../../functions/analyze-audio/routes.ts'
import { analyzeText } from '../../functions/analyze-text/routes.ts'
import { calculateWellbeingScore } from '../../functions/calculate-wellbeing-score/routes.ts'
import { getCheckIn } from '../../functions/checkins/routes.ts'

/** What a column, an argument or a result holds, which Postgres knows as json, text or an array alone. */
export type Shape = {
  name: string
  /** `schema.table.column`, `schema.function()`, `schema.function().column` or `schema.function().argument`. */
  at: readonly string[]
  schema: z.ZodType
  /** Whether a function may return null instead; of a column, Postgres knows it. */
  orNull?: true
}

const time = z.iso.datetime({ offset: true })
const count = z.int().min(0)
const checkInResult = getCheckIn.response.shape.result.unwrap()
const failedPart = getCheckIn.response.shape.error.unwrap().shape.reasons.element

/** Somebody whose name is not known where they have not said it. */
const person = {
  first_name: z.string().nullable().describe('First name.'),
  last_name: z.string().nullable().describe('Last name.'),
  email: z.string().nullable().describe('Email address.'),
}

const fact = z.strictObject({
  fact: z
    .enum([
      'backup',
      'restore_test',
      'risk_analysis',
      'impact_assessment',
      'encryption_at_rest',
      'access_review',
      'incident_exercise',
    ])
    .describe('What was done.'),
  happened_at: time.describe('When.'),
  reference: z.string().describe('Where the proof of it is kept.'),
  told_at: time.describe('When it was told.'),
})

const student = {
  user_id: z.guid().describe('The student.'),
  ...person,
  student_number: z.string().nullable().describe('Student number, where the register has it.'),
  faculty: z.string().nullable().describe('Faculty.'),
  year_of_study: z.string().nullable().describe('Year of study.'),
}

const review = {
  id: z.guid().describe('The review.'),
  university_id: z.string().describe('University of the student.'),
  ...student,
  source: z.enum(['check_in', 'session', 'transcript', 'support_alert']).describe('What opened it.'),
  risk_level: z.enum(['none', 'mild', 'moderate', 'high']).describe('The highest risk since it was opened.'),
  opened_at: time.describe('When it was opened.'),
}

const status = z.enum(['open', 'claimed', 'closed']).describe('How far it is.')
const claim = {
  claimed_at: time.nullable().describe('When it was claimed.'),
  claimed_by: z.guid().nullable().describe('Counselor who claimed it.'),
}
const outcome = z
  .enum([
    'no_current_risk',
    'safety_plan',
    'referred',
    'already_in_care',
    'emergency_care',
    'not_reached',
    'false_positive',
  ])
  .nullable()
  .describe('What came of it.')

const reviewContext = {
  lapses_at: time
    .nullable()
    .describe('When the claim lapses without a note or a closing; null where it does not.'),
  reopens_until: time
    .nullable()
    .describe('Until when it can be reopened; null where it is not closed, or the student has moved.'),
  claimed_by_name: z.string().nullable().describe('Name of the counselor who claimed it.'),
  university_name: z.string().nullable().describe('Name of the university.'),
  signs_of_life: signsOfLife,
}

const closedByName = z.string().nullable().describe('Name of the counselor who closed it.')

const shift = {
  id: z.guid().describe('The shift.'),
  user_id: z.guid().describe('The counselor.'),
  name: z.string().nullable().describe('Their name.'),
  starts_at: time.describe('When it begins.'),
  ends_at: time.describe('When it ends.'),
  mine: z.boolean().describe('Whether it is of the caller.'),
}

const messageState = z.enum(['queued', 'sending', 'sent', 'unconfirmed', 'dead', 'cancelled'])

const delivery = z
  .strictObject({
    id: z.guid().describe('The message.'),
    state: messageState.describe('How far it is.'),
    ended_at: time.nullable().describe('When it became sent, unconfirmed, dead or cancelled.'),
    error_code: z.string().nullable().describe('Why the last attempt or the delivery failed.'),
    provider_status: z
      .enum(['sent', 'delivered', 'undelivered', 'failed'])
      .nullable()
      .describe('What the provider said became of a text.'),
  })
  .nullable()

const crisisContact = z.strictObject({
  rank: z.int().min(1).max(9).describe('Its place in the order in which they are told.'),
  email: z.string().describe('Email address.'),
  phone: z.string().nullable().describe('Mobile number, E.164.'),
  name: z.string().nullable().describe('Who or what that is.'),
  tested_at: time.nullable().describe('When a test was last sent there.'),
  email_test: delivery.describe('What became of its email; null without one, and once it is deleted.'),
  sms_test: delivery.describe('What became of its text; null without one, and once it is deleted.'),
})

const nudgeKind = z.enum(['thinking_of_you', 'come_by', 'check_in'])

const responded = {
  first_claimed_at: time.nullable().describe('When it was claimed first.'),
  first_response_at: time.nullable().describe('When it had its first note, or was closed.'),
  closed_at: time.nullable().describe('When it was closed.'),
  closed_by: z.guid().nullable().describe('Counselor who closed it.'),
  outcome,
}

const enrolment = z.strictObject({
  row: z.int().nullish().describe('Row of the file; absent for somebody whom it lacks.'),
  email: z.string().optional().describe('Email address.'),
  student_number: z.string().optional().describe('Student number.'),
  faculty: z.string().nullish().describe('Faculty.'),
  year: z.string().nullish().describe('Year of study.'),
  residence: z.string().nullish().describe('Where the student lives.'),
  before: z
    .strictObject({
      student_number: z.string().nullable().describe('Student number.'),
      faculty: z.string().nullable().describe('Faculty.'),
      year: z.string().nullable().describe('Year of study.'),
      residence: z.string().nullable().describe('Where the student lived.'),
    })
    .optional()
    .describe('What the register says now.'),
  code: z.string().optional().describe('Of an invalid row: what is wrong.'),
  problem: z.string().optional().describe('The same in words.'),
})

const replicates = z.record(z.string(), z.array(z.number().nullable()))

const schemaChange = z.strictObject({
  aspect: z.string().describe('What of it changed.'),
  object: z.string().describe('What changed.'),
  change: z.string().describe('How.'),
  weakens: z.boolean().describe('Whether it weakens the protection.'),
})

const point = storedPolicy.shape.enforcement_points.element

const applied = {
  held: count.describe('How often the conditions held.'),
  stopped: count.describe('How often the actions would have stopped it.'),
}

const statusNames = incident.shape.status

const role = z.enum(['student', 'counselor', 'university_admin', 'security_admin']).describe('The role.')

const archived = z.strictObject({
  id: z.string().describe('The university.'),
  archived_at: time.nullable().describe('When it was archived; null when it is not.'),
})

const deleted = z.strictObject({
  files: count.describe('Files.'),
  analyses: count.describe('Analyses.'),
  transcripts: count.describe('Transcripts.'),
  results: count.describe('Results.'),
  exports: count.describe('Exports.'),
})

const message = {
  audience: z
    .enum(['staff', 'reviews', 'students'])
    .describe('Whom they go to: staff of themselves, staff of a student, or students and their contacts.'),
  purpose: z.string().describe('What they are for.'),
  channel: z.enum(['email', 'sms']).describe('How they are sent.'),
  messages: count.describe('Messages.'),
}

const change = ['new', 'changed', 'unchanged', 'missing', 'invalid'] as const

/** JSON, closed sets and pairs, by the name that their type gets in types/shapes.ts. */
export const SHAPES: readonly Shape[] = [
  {
    name: 'JsonObject',
    at: [
      'public.assessment_sessions.session_data',
      'public.audit_logs.before',
      'public.audit_logs.after',
      'public.audit_logs.details',
      'public.audit_entry.before',
      'public.audit_entry.after',
      'public.audit_entry.details',
      'public.buddy_verification_audit.metadata',
      'public.security_incidents.indicators',
      'public.security_incidents.metadata',
      'public.security_policies.conditions',
      'public.universities.privacy_settings',
      'checkin.user_baselines.state',
    ],
    schema: jsonObject,
  },
  {
    name: 'DateRange',
    at: [
      'public.analytics_dashboard().date_range',
      'public.analytics_reviews().date_range',
      'public.analytics_scoring_versions().date_range',
      'public.analytics_trends().date_range',
      'public.analytics_wellbeing().date_range',
    ],
    schema: trendPoints.shape.date_range,
  },
  { name: 'TrendStep', at: ['public.analytics_trends().step'], schema: trendPoints.shape.step },
  // Check-ins.
  {
    name: 'FailedParts',
    at: ['checkin.check_ins.reasons'],
    schema: z.array(failedPart.pick({ modality: true, reason: true })),
  },
  {
    name: 'ScoreInterval',
    at: ['checkin.fusion_results.score_interval'],
    schema: checkInResult.shape.score_interval.unwrap(),
  },
  { name: 'Drivers', at: ['checkin.fusion_results.drivers'], schema: checkInResult.shape.drivers },
  {
    name: 'ScoreComponents',
    at: ['checkin.fusion_results.components'],
    schema: checkInResult.shape.components,
  },
  { name: 'ComparedBaseline', at: ['checkin.fusion_results.baseline'], schema: checkInResult.shape.baseline },
  {
    name: 'Replicates',
    at: [
      'checkin.audio_analysis.replicates',
      'checkin.visual_analysis.replicates',
      'checkin.text_analysis.replicates',
    ],
    schema: replicates,
  },
  {
    name: 'TranscriptSource',
    at: ['checkin.text_analysis.transcript_source'],
    schema: z.enum(['student', 'transcribed']),
  },
  // Consent.
  { name: 'DeletedCounts', at: ['public.consents.deleted'], schema: deleted },
  {
    name: 'ConsentWithdrawal',
    at: ['public.withdraw_consent()'],
    schema: z.strictObject({
      kind: z
        .enum(['audio', 'camera', 'text', 'support_circle', 'counselor_access', 'research_export'])
        .describe('Kind of the consent.'),
      withdrawn_at: time.describe('When it was withdrawn.'),
      deleted: deleted.describe('What was deleted.'),
    }),
    orNull: true,
  },
  // Sessions.
  {
    name: 'SessionAnalysis',
    at: ['public.session_analyses.analysis'],
    schema: z.union([
      analyzeAudio.response.shape.analysis,
      visualAnalysis,
      analyzeText.response.shape.analysis,
    ]),
  },
  {
    name: 'SessionMeasures',
    at: ['public.session_analyses.measures'],
    schema: z.union([measures.text, measures.audio, measures.visual]),
  },
  {
    name: 'SessionScore',
    at: ['public.session_scores.fusion_score'],
    schema: calculateWellbeingScore.response.shape.fusion_score,
  },
  // Support circle.
  {
    name: 'EndedAlert',
    at: ['public.report_all_right()'],
    schema: z.strictObject({
      alert_id: z.guid().describe('The alert.'),
      status: z.literal('resolved').describe('How it ended.'),
      contacts_told: count.describe('Contacts who are told that all is well.'),
    }),
    orNull: true,
  },
  // Universities and students.
  {
    name: 'CampusResources',
    at: ['public.universities.resources'],
    schema: z.array(
      z.strictObject({
        name: z.string().describe('What it is called.'),
        phone: z.string().nullish().describe('Telephone number.'),
        website: z.string().nullish().describe('Address.'),
      }),
    ),
  },
  {
    name: 'ArchivedUniversity',
    at: ['public.archive_university()', 'public.restore_university()'],
    schema: archived,
    orNull: true,
  },
  {
    name: 'StudentSort',
    at: ['public.list_students().sort', 'public.log_access().sort'],
    schema: z.enum(['name', 'last_check_in', 'score', 'risk']),
  },
  { name: 'StudentPage', at: ['public.list_students()'], schema: studentPage },
  {
    name: 'StudentRecord',
    at: ['public.read_student()'],
    schema: studentRecord.extend({
      history: z.array(historyRow).describe('Check-ins and sessions, the newest first.'),
    }),
    orNull: true,
  },
  {
    name: 'EnrolmentImport',
    at: ['public.import_enrolments()'],
    schema: z.strictObject({
      ...Object.fromEntries(change.map((name) => [name, count.describe('Rows.')])),
      applied: z.boolean().describe('Whether the register was changed.'),
      rows: z
        .strictObject(
          Object.fromEntries(change.map((name) => [name, z.array(enrolment).describe('The first 20.')])),
        )
        .describe('Examples of each.'),
    }),
  },
  {
    name: 'Register',
    at: ['public.read_register()'],
    schema: z.strictObject({
      imported_at: time.describe('When the last file was imported.'),
      students: count.describe('Students it has.'),
      kept_until: time.describe('Until when it is kept without another file.'),
    }),
    orNull: true,
  },
  // Analytics.
  {
    name: 'MessageDelivery',
    at: ['public.message_delivery()'],
    schema: z.strictObject({
      university_id: z.string().describe('The university.'),
      date_range: z.enum(['7d', '30d']).describe('The requested range.'),
      from: z.iso.date().describe('First day of the range.'),
      to: z.iso.date().describe('Last day of the range, the last that is over.'),
      kinds: z
        .array(
          z.strictObject({
            ...message,
            waiting: count.describe('Of them, those that wait to be sent.'),
            sent: count.describe('Of them, those that the provider accepted.'),
            unconfirmed: count.describe('Of them, texts that may or may not have gone out.'),
            failed: count.describe('Of them, those that reached nobody.'),
            cancelled: count.describe('Of them, those whose recipient may not be reached any more.'),
          }),
        )
        .describe('By purpose and channel; of messages about students those of ten students or more.'),
      failures: z
        .array(
          z.strictObject({
            day: z.iso.date().describe('Day at the university.'),
            ...message,
            error_code: z.string().nullable().describe('Why.'),
          }),
        )
        .describe('Messages to staff that reached nobody, the newest first.'),
    }),
    orNull: true,
  },
  {
    name: 'DashboardFigures',
    at: ['public.analytics_dashboard()'],
    schema: dashboardFigures.extend({
      trends: dashboardFigures.shape.trends.omit({ scoring_versions: true }).describe('Day by day.'),
    }),
    orNull: true,
  },
  { name: 'ReviewTimes', at: ['public.analytics_reviews()'], schema: reviewTimes, orNull: true },
  { name: 'ScoringVersions', at: ['public.analytics_scoring_versions()'], schema: scoringVersions },
  {
    name: 'TrendPoints',
    at: ['public.analytics_trends()'],
    schema: trendPoints.omit({ scoring_versions: true }),
    orNull: true,
  },
  {
    name: 'CohortFigures',
    at: ['public.analytics_wellbeing()'],
    schema: wellbeing.omit({ scoring_versions: true }),
    orNull: true,
  },
  // Reviews.
  {
    name: 'ClaimTerms',
    at: ['public.list_claim_terms()'],
    schema: z.array(
      z.strictObject({
        risk_level: z.enum(['moderate', 'high']).describe('Level of the review.'),
        remind_after_minutes: count.describe('From the claim until whoever claimed it is reminded.'),
        lapse_after_minutes: count.describe('From then until the claim lapses.'),
        own: z.boolean().describe('Whether the university has set them itself.'),
      }),
    ),
  },
  {
    name: 'HandledReview',
    at: [
      'public.claim_review()',
      'public.close_review()',
      'public.hand_over_review()',
      'public.reopen_review()',
    ],
    schema: z.strictObject({ id: review.id, status, claimed_by: claim.claimed_by }),
    orNull: true,
  },
  {
    name: 'WrittenNote',
    at: ['public.add_review_note()'],
    schema: z.strictObject({
      id: z.int().describe('The note.'),
      created_at: time.describe('When it was written.'),
    }),
    orNull: true,
  },
  {
    name: 'OpenReviews',
    at: ['public.list_open_reviews()'],
    schema: z.array(
      z.strictObject({
        ...review,
        status,
        ...claim,
        last_risk_at: time.describe('When the risk was seen last.'),
        note_due_since: time.nullable().describe('Since when a claim has waited for a note or a closing.'),
        ...reviewContext,
      }),
    ),
  },
  {
    name: 'ClosedReviews',
    at: ['public.list_closed_reviews()'],
    schema: z.array(
      z.strictObject({ ...review, ...responded, ...reviewContext, closed_by_name: closedByName }),
    ),
  },
  {
    name: 'Review',
    at: ['public.read_review()'],
    schema: z.strictObject({
      ...review,
      status,
      ...claim,
      ...responded,
      last_risk_at: time.describe('When the risk was seen last.'),
      note_due_since: time.nullable().describe('Since when a claim has waited for a note or a closing.'),
      ...reviewContext,
      closed_by_name: closedByName,
      contact: z
        .strictObject({ email: z.string().nullable().describe('Email address.') })
        .describe('How to reach the student.'),
      history: z
        .array(historyRow)
        .nullable()
        .describe(
          'Check-ins and sessions, the latest 50 first; null unless the student agreed to counselor_access.',
        ),
      events: z
        .array(
          z.strictObject({
            at: time.describe('When.'),
            event: z
              .enum([
                'opened',
                'taken',
                'handed_over',
                'note_added',
                'returned',
                'lapsed',
                'moved',
                'closed',
                'reopened',
              ])
              .describe('What was done.'),
            by_name: z.string().nullable().describe('Name of who did it; null of what happens by itself.'),
          }),
        )
        .describe('What was done with it, the oldest first.'),
      sources: z
        .array(
          z.strictObject({
            source: review.source.describe('What kind of source it is.'),
            seen_at: time.describe('When risk was found there.'),
            rule: z
              .string()
              .nullable()
              .describe('What found it in the words of a check-in, by the name of the rule.'),
            probability: z
              .number()
              .nullable()
              .describe(
                'How likely the sentence encoder finds a disclosure in the words of a check-in, 0 to 1.',
              ),
            excerpts: z
              .array(
                z.strictObject({
                  text: z.string().describe('Words of the student, with some before and after them.'),
                  from: z
                    .int()
                    .min(0)
                    .describe('Where the words that raised it begin in the text, UTF-16 units.'),
                  to: z.int().min(0).describe('Where they end.'),
                }),
              )
              .describe(
                'Empty once the transcript is deleted, and where the student agreed to no text that lets them be seen.',
              ),
          }),
        )
        .describe('Where the risk was found, the latest 20 first.'),
      notes: z
        .array(
          z.strictObject({
            id: z.int().describe('The note.'),
            author: z.guid().nullable().describe('Who wrote it.'),
            author_name: z.string().nullable().describe('Their name.'),
            note: z.string().describe('What it says.'),
            created_at: time.describe('When it was written.'),
          }),
        )
        .describe('The oldest first.'),
    }),
    orNull: true,
  },
  {
    name: 'Cover',
    at: ['public.read_cover()'],
    schema: z.strictObject({
      university_id: z.string().describe('The university.'),
      on_call: z
        .array(
          z.strictObject({
            user_id: shift.user_id,
            name: shift.name,
            until: time.describe('Until when.'),
          }),
        )
        .describe('Who is on call now.'),
      shifts: z.array(z.strictObject(shift)).describe('The shifts of the time, the earliest first.'),
      uncovered: z
        .array(
          z.strictObject({
            starts_at: time.describe('From when nobody is on call.'),
            ends_at: time.describe('Until when.'),
          }),
        )
        .describe('When nobody is on call in the time.'),
    }),
  },
  {
    name: 'Shift',
    at: ['public.add_shift()', 'public.remove_shift()'],
    schema: z.strictObject(shift),
  },
  {
    name: 'TakenShifts',
    at: ['public.take_over()'],
    schema: z.strictObject({
      shifts: z.array(z.strictObject(shift)).describe('The shift at each university of the counselor.'),
    }),
  },
  { name: 'CrisisContacts', at: ['public.list_crisis_contacts()'], schema: z.array(crisisContact) },
  {
    name: 'CrisisContact',
    at: ['public.set_crisis_contact()', 'public.remove_crisis_contact()'],
    schema: crisisContact,
  },
  {
    name: 'ContactTest',
    at: ['public.test_crisis_contact()'],
    schema: z.strictObject({
      email: z.guid().describe('The email.'),
      sms: z.guid().nullable().describe('The text; null without a number.'),
    }),
  },
  { name: 'NudgeKind', at: ['public.nudge_student().kind'], schema: nudgeKind },
  {
    name: 'QueuedNudge',
    at: ['public.nudge_student()'],
    schema: z.strictObject({
      id: z.guid().describe('The message.'),
      send_at: time.describe('When it is sent at the earliest.'),
    }),
  },
  {
    name: 'Nudges',
    at: ['public.list_nudges()'],
    schema: z.array(
      z.strictObject({
        id: z.guid().describe('The message.'),
        kind: nudgeKind.describe('Which words it has.'),
        by_name: z.string().nullable().describe('Name of the counselor who had it sent.'),
        created_at: time.describe('When they did.'),
        send_at: time.describe('When it is sent at the earliest.'),
        state: messageState
          .nullable()
          .describe('How far it is; null once the message is deleted, 30 days after it was sent.'),
        ended_at: time.nullable().describe('When it became sent, dead or cancelled.'),
      }),
    ),
    orNull: true,
  },
  // Security.
  { name: 'IncidentResponses', at: ['public.security_incidents.response'], schema: incident.shape.response },
  { name: 'IncidentTimeline', at: ['public.security_incidents.timeline'], schema: incident.shape.timeline },
  {
    name: 'ResponseAction',
    at: ['public.respond_to_incident().action'],
    schema: z.enum(RESPONSE_ACTIONS),
  },
  { name: 'ResponseResult', at: ['public.respond_to_incident()'], schema: responseResult },
  {
    name: 'DetectedIncidents',
    at: ['public.detect_incidents()'],
    schema: z.strictObject({
      detected: z
        .array(
          z.strictObject({
            id: incidentId,
            rule: z.string().describe('The rule that found it.'),
            opened: z.boolean().describe('Whether it is new.'),
          }),
        )
        .describe('Incidents that were seen.'),
    }),
  },
  {
    name: 'AcceptedSchemaChanges',
    at: ['public.accept_schema_change()'],
    schema: z.strictObject({
      confirmed: z.array(schemaChange).nullable().describe('What was confirmed.'),
      closed: z.string().nullable().describe('The incident that ended with it.'),
    }),
  },
  {
    name: 'BlockAction',
    at: ['public.list_blocks().action', 'public.lift_block().action'],
    schema: z.enum(['block_ip', 'disable_user', 'quarantine']),
  },
  { name: 'LiftedBlock', at: ['public.lift_block()'], schema: responseResult },
  {
    name: 'IncidentTransitions',
    at: ['public.incident_transitions()'],
    schema: z.record(statusNames, z.array(statusNames)),
  },
  {
    name: 'KnownAddress',
    at: ['public.look_up_address()'],
    schema: z.strictObject({
      network: z.string().describe('What is blocked with the address.'),
      kind: z.enum(['campus', 'platform']).nullable().describe('What is known of its network.'),
      problem: z.string().nullable().describe('Why it is never blocked.'),
      is_own: z.boolean().describe('Whether the caller asks from there.'),
      blocked: z
        .strictObject({
          reason: z.string().describe('Why.'),
          incident_id: z.string().nullable().describe('The incident that it answered.'),
          since: time.describe('When it was blocked last.'),
          until: time.describe('Until when.'),
          times: count.describe('How often.'),
          is_active: z.boolean().describe('Whether it is blocked now.'),
        })
        .nullable()
        .describe('The block that there is or was.'),
      last_day: z
        .strictObject({
          accounts: count.describe('Accounts that signed in from there.'),
          sign_ins: count.describe('How often somebody signed in from there.'),
          failed_sign_ins: count.describe('How often that failed.'),
        })
        .describe('The last 24 hours.'),
    }),
  },
  {
    name: 'Account',
    at: ['public.read_account()'],
    schema: z.strictObject({
      user_id: z.guid().describe('The account.'),
      email: z.string().nullable().describe('Its email address.'),
      university_id: z.string().nullable().describe('University of the account.'),
      created_at: time.describe('When it was made.'),
      confirmed_at: time.nullable().describe('When its address was confirmed.'),
      last_sign_in_at: time.nullable().describe('When somebody signed in last.'),
      is_own: z.boolean().describe('Whether it is that of the caller.'),
      roles: z
        .array(
          z.strictObject({
            role,
            university_id: z.string().nullable().describe('Where.'),
            since: time.describe('Since when.'),
          }),
        )
        .describe('Its roles.'),
      banned_until: time.nullable().describe('Until when Auth lets nobody in.'),
      disabled: z
        .strictObject({
          since: time.describe('When.'),
          reason: z.string().describe('Why.'),
          incident_id: z.string().nullable().describe('The incident that it answered.'),
        })
        .nullable()
        .describe('That it is disabled.'),
      second_factors: count.describe('Authenticator apps.'),
      sessions: z
        .array(
          z.strictObject({
            created_at: time.describe('When it began.'),
            last_at: time.describe('When its token was renewed last.'),
            address: z.string().nullable().describe('Address that Auth was told.'),
            user_agent: z.string().nullable().describe('Browser or app that it says it is.'),
            aal: z.string().describe('aal2 after a second factor.'),
          }),
        )
        .describe('Its sessions, the latest 50 first.'),
      failed_sign_ins: count.describe('Sign-ins that failed within seven days.'),
      erasure_requested_at: time.nullable().describe('When its owner asked to be deleted.'),
      incidents: z
        .array(
          z.strictObject({
            id: z.string().describe('The incident.'),
            title: z.string().describe('What happened.'),
            severity: z.enum(SEVERITIES).describe('How bad it is.'),
            status: statusNames,
            detected_at: time.describe('When it was detected.'),
          }),
        )
        .describe('Incidents that concern it, the latest 20 first.'),
    }),
    orNull: true,
  },
  { name: 'PolicyActions', at: ['public.security_policies.actions'], schema: storedPolicy.shape.actions },
  {
    name: 'PolicyGrammar',
    at: ['public.policy_grammar()'],
    schema: z.strictObject({
      fields: z
        .array(
          z.strictObject({
            field: z.string().describe('The field.'),
            kind: z.enum(['text', 'set', 'number', 'flag', 'address']).describe('What its values are.'),
            choices: z.array(z.string()).nullable().describe('Its values, where they are closed.'),
            operators: z.array(z.string()).describe('How it is compared.'),
          }),
        )
        .describe('What conditions compare.'),
      events: z.array(z.string()).describe('What conditions count.'),
      actions: z.array(storedPolicy.shape.actions.element.shape.action).describe('What policies do.'),
      categories: z.array(storedPolicy.shape.category).describe('What they are about.'),
      types: z.array(storedPolicy.shape.type).describe('What kind they are.'),
      enforcement_points: z.array(point).describe('Where they are enforced.'),
    }),
  },
  {
    name: 'PolicyConditions',
    at: ['public.preview_policy().conditions'],
    schema: storedPolicy.shape.conditions,
  },
  { name: 'GivenPolicyActions', at: ['public.preview_policy().actions'], schema: storedPolicy.shape.actions },
  {
    name: 'PolicyPreview',
    at: ['public.preview_policy()'],
    schema: z.strictObject({
      since: time.describe('From when on.'),
      is_complete: z.boolean().describe('Whether that is all of the period.'),
      events: count.describe('Sign-ins and requests that were looked at.'),
      ...applied,
      accounts_held: count.describe('Accounts for which the conditions held.'),
      accounts_stopped: count.describe('Accounts that it would have stopped.'),
      not_known: z.array(z.string()).describe('Fields of the conditions that are not kept.'),
      days: z
        .array(
          z.strictObject({
            day: z.string().describe('The day, UTC.'),
            events: count.describe('What was looked at.'),
            ...applied,
          }),
        )
        .describe('Day by day.'),
      accounts: z
        .array(
          z.strictObject({
            user_id: z.guid().describe('The account.'),
            ...applied,
            last_at: time.describe('When it held last.'),
            roles: z.array(role).describe('Its roles now.'),
            universities: z.array(z.string()).describe('Where it has them.'),
          }),
        )
        .describe('For whom it held, the 100 whom it would have stopped most.'),
      addresses: z
        .array(
          z.strictObject({
            address: z.string().describe('The address.'),
            ...applied,
            last_at: time.describe('When it held last.'),
          }),
        )
        .describe('From where, at most 100.'),
    }),
  },
  { name: 'PolicyEvaluation', at: ['public.evaluate_policies()'], schema: evaluated },
  { name: 'PolicyStatistics', at: ['public.policy_statistics()'], schema: policyStatistics },
  { name: 'ProbeFindings', at: ['public.security_test_results.findings'], schema: result.shape.findings },
  {
    name: 'FaultEvidence',
    at: ['public.vulnerabilities.evidence'],
    schema: result.shape.findings.element.shape.evidence,
  },
  {
    name: 'SecurityTests',
    at: ['public.list_security_tests()'],
    schema: z.array(
      z.strictObject({
        ...storedTest.pick({ id: true, name: true, schedule: true, enabled: true, next_run_at: true }).shape,
        probes: count.describe('How many probes it has.'),
        last_run_at: time.nullable().describe('When it ran last; null before the first time.'),
        last_status: run.shape.status.nullable(),
      }),
    ),
  },
  {
    name: 'SecurityTestStatistics',
    at: ['public.security_test_statistics()'],
    schema: statistics,
    orNull: true,
  },
  {
    name: 'AssessedControls',
    at: ['public.compliance_assessments.controls'],
    schema: assessment.shape.controls,
  },
  {
    name: 'CheckEvidence',
    at: ['public.compliance_assessments.evidence'],
    schema: assessment.shape.evidence,
  },
  { name: 'ComplianceFact', at: ['public.record_compliance_fact()'], schema: fact },
  { name: 'ComplianceFacts', at: ['public.list_compliance_facts()'], schema: z.array(fact) },
  {
    name: 'DecisionEvidence',
    at: ['public.compliance_controls.decision_evidence', 'public.decide_control().evidence'],
    schema: decision.shape.evidence,
  },
  // Training.
  { name: 'ModuleContent', at: ['public.training_modules.content'], schema: readableModule.shape.content },
  {
    name: 'ModuleAssessments',
    at: ['public.training_modules.assessments'],
    schema: readableModule.shape.assessments,
  },
  { name: 'TrainingStatus', at: ['public.my_training().status'], schema: ownTraining.shape.status },
  { name: 'StoredModule', at: ['public.create_training_module()'], schema: storedModule },
  { name: 'NewModule', at: ['public.create_training_module().module'], schema: newModule },
  {
    name: 'TrainingQuestions',
    at: ['public.list_training_questions()'],
    schema: z.array(
      z.strictObject({
        id: z.string().describe('The question.'),
        prompt: z.string().describe('What is asked.'),
      }),
    ),
  },
  {
    name: 'TrainingAssignments',
    at: ['public.list_training_assignments()'],
    schema: z.array(
      z.strictObject({
        id: z.string().describe('The assignment.'),
        role: z.enum(STAFF_ROLES).nullable().describe('The role; null when it is for a person.'),
        ...person,
        user_id: z.guid().nullable().describe('The person; null when it is for a role.'),
        due_days: z.int().describe('Days until it is due.'),
        created_at: time.describe('When it was assigned first.'),
      }),
    ),
  },
  {
    name: 'TrainingLearners',
    at: ['public.list_training_learners()'],
    schema: z.strictObject({
      total: count.describe('How many there are in all.'),
      learners: z
        .array(
          z.strictObject({
            user_id: z.guid().describe('The learner.'),
            ...person,
            universities: z.array(z.string()).describe('Short names of the universities where they work.'),
            status: ownTraining.shape.status.exclude(['optional']),
            due_at: time.describe('Until when.'),
            certificate_expires_at: time.nullable().describe('Until when the last certificate counts.'),
            sections_read: count.describe('Sections of the current version that they marked as read.'),
            attempts: count.describe('Attempts that were graded.'),
          }),
        )
        .describe('Those of the page, what is due first.'),
    }),
  },
  {
    name: 'ReadingProgress',
    at: ['public.read_training_sections()'],
    schema: readingProgress.omit({ action: true }),
  },
  {
    name: 'OpenAttempt',
    at: ['public.start_training_attempt()'],
    schema: openAttempt.omit({ action: true }),
  },
  {
    name: 'GradedAttempt',
    at: ['public.submit_training_attempt()'],
    schema: gradedAttempt.omit({ action: true }),
  },
  {
    name: 'AttemptAnswers',
    at: ['public.submit_training_attempt().answers'],
    schema: z.record(z.string(), z.array(z.string())),
  },
  { name: 'PolicyContext', at: ['public.evaluate_policies().context'], schema: evaluationContext },
]

/** Columns that may be null of what Postgres has no `not null` of. All may of what is not listed, but those of a function. */
export const NULLABLE: Readonly<Record<string, readonly string[]>> = {
  'public.wellbeing_by_day': ['faculty', 'year_of_study', 'residence'],
  'public.risk_by_cohort': ['faculty', 'year_of_study', 'residence'],
  'public.open_clinical_reviews': [
    'university_id',
    'first_name',
    'last_name',
    'email',
    'student_number',
    'faculty',
    'year_of_study',
    'claimed_at',
    'claimed_by',
    'note_due_since',
  ],
  'public.audit_entry': [
    'actor_id',
    'university_id',
    'target_type',
    'target_id',
    'subject_id',
    'before',
    'after',
    'ip',
    'user_agent',
    'request_id',
  ],
  'public.history_entry': [
    'score',
    'score_low',
    'score_high',
    'calibrated',
    'uncertainty',
    'direction_of_change',
    'significance',
    'baseline_score',
    'compared_to_baseline',
    'algorithm_version',
  ],
  'public.consent_status()': ['version', 'required_version', 'granted_at'],
  'public.list_blocks()': ['incident_id', 'until'],
  'public.list_counselors()': [],
  'public.list_own_accesses()': ['university_id', 'role', 'name'],
  'public.list_own_sessions()': ['user_agent', 'address'],
  'public.list_schema_changes()': [],
  'public.list_staff()': [
    'user_id',
    'first_name',
    'last_name',
    'university_id',
    'since',
    'last_sign_in_at',
    'second_factor',
    'disabled',
    'invited_until',
  ],
  'public.my_training()': ['due_at', 'certificate_id', 'certificate_expires_at'],
  'public.read_legal_holds()': [],
  'public.retention_terms()': [],
  'public.review_queue()': ['claimed_at', 'claimed_by'],
  'public.training_statistics()': ['average_score'],
  'public.verify_audit_chain()': ['entries', 'verified_through', 'broken_at', 'problem'],
}
