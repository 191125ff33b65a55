import type { Route } from '../_shared/http/route.ts'
import type { Endpoint } from '../_shared/http/serve.ts'
import * as analyzeAudio from '../analyze-audio/routes.ts'
import * as analyzeText from '../analyze-text/routes.ts'
import * as analyzeVisual from '../analyze-visual/routes.ts'
import * as buddy from '../buddy/routes.ts'
import * as calculateScore from '../calculate-wellbeing-score/routes.ts'
import * as checkins from '../checkins/routes.ts'
import * as deliverMessages from '../deliver-messages/routes.ts'
import * as exportData from '../export-data/routes.ts'
import * as pipelineAudio from '../pipeline-audio/routes.ts'
import * as pipelineCrisis from '../pipeline-crisis/routes.ts'
import * as pipelineFusion from '../pipeline-fusion/routes.ts'
import * as pipelineText from '../pipeline-text/routes.ts'
import * as pipelineTranscription from '../pipeline-transcription/routes.ts'
import * as pipelineVisual from '../pipeline-visual/routes.ts'
import * as probeSecurity from '../probe-security/routes.ts'
import * as removeObjects from '../remove-objects/routes.ts'
import { ACCESSES } from './accesses.ts'
import { ANALYTICS } from './analytics.ts'
import { AUTH } from './auth.ts'
import { AUTH_MAILS } from './auth-mails.ts'
import { AUTH_SESSION } from './auth-session.ts'
import { BUDDY } from './buddy.ts'
import { BUDDY_PAGE } from './buddy-page.ts'
import { COMPLIANCE } from './compliance.ts'
import { CONSENT_TEXTS } from './consent-texts.ts'
import { DATABASE } from './database.ts'
import { docsOf } from './docs.ts'
import { ERASURE } from './erasure.ts'
import { EXPORTS } from './exports.ts'
import { EXPORTS_PAGE } from './exports-page.ts'
import { FAILURE_REASONS } from './failure-reasons.ts'
import { HISTORY } from './history.ts'
import { METRICS } from './metrics.ts'
import { SECURITY_INCIDENTS } from './security-incidents.ts'
import { SECURITY_POLICIES } from './security-policies.ts'
import { SECURITY_TESTS } from './security-tests.ts'
import { STORAGE } from './storage.ts'
import { STUDENTS } from './students.ts'
import { TEXTMODEL } from './textmodel.ts'
import { TRAINING } from './training.ts'
import { UNIVERSITIES } from './universities.ts'

/** Every call of the service, in the order of its description: those of this function can be served, the others are described. */
const SUBJECTS = [
  [...AUTH, ...AUTH_MAILS, ...AUTH_SESSION],
  DATABASE,
  STORAGE,
  UNIVERSITIES,
  [...STUDENTS, ...HISTORY],
  CONSENT_TEXTS,
  ACCESSES,
  ANALYTICS,
  TRAINING,
  COMPLIANCE,
  SECURITY_TESTS,
  [...SECURITY_INCIDENTS, ...SECURITY_POLICIES],
  Object.values(checkins),
  Object.values({ ...analyzeAudio, ...analyzeVisual, ...analyzeText, ...calculateScore }),
  TEXTMODEL,
  [...BUDDY, ...BUDDY_PAGE, ...Object.values(buddy)],
  [...EXPORTS, ...EXPORTS_PAGE],
  ERASURE,
  METRICS,
  Object.values({
    ...pipelineAudio,
    ...pipelineVisual,
    ...pipelineText,
    ...pipelineCrisis,
    ...pipelineTranscription,
    ...pipelineFusion,
  }),
  Object.values(deliverMessages),
  Object.values(removeObjects),
  Object.values(exportData),
  Object.values(probeSecurity),
  [...FAILURE_REASONS, ...docsOf(() => ROUTES)],
] as const

/** Any call of the service, with the types of its schemas. */
export type ServiceRoute = (typeof SUBJECTS)[number][number]

/** Every call of the service: by subject, then by path. */
export const ROUTES: readonly Route[] = SUBJECTS.flatMap((subject: readonly Route[]) =>
  subject.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
)

/** Every call that function `api` serves. */
export const ENDPOINTS: readonly Endpoint[] = SUBJECTS.flat().filter((call) => 'start' in call)

function placeOf({ path, method }: Route): string {
  return `${path} ${method}`
}
