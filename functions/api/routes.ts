import type { Route } from '../_shared/http/route.ts'
import { analyzeAudio } from '../analyze-audio/route.ts'
import { analyzeText } from '../analyze-text/route.ts'
import { analyzeVisual } from '../analyze-visual/route.ts'
import * as buddy from '../buddy/routes.ts'
import { calculateScore } from '../calculate-wellbeing-score/route.ts'
import * as checkins from '../checkins/routes.ts'
import { ACCESSES } from './accesses.ts'
import { ANALYTICS } from './analytics.ts'
import { ANALYTICS_PAGE } from './analytics-page.ts'
import { AUTH } from './auth.ts'
import { BUDDY } from './buddy.ts'
import { BUDDY_PAGE } from './buddy-page.ts'
import { COMPLIANCE } from './compliance.ts'
import { COMPLIANCE_PAGE } from './compliance-page.ts'
import { DATABASE } from './database.ts'
import { DOCS } from './docs.ts'
import { ERASURE } from './erasure.ts'
import { EXPORTS } from './exports.ts'
import { EXPORTS_PAGE } from './exports-page.ts'
import { METRICS } from './metrics.ts'
import { SECURITY_INCIDENTS } from './security-incidents.ts'
import { SECURITY_PAGE } from './security-page.ts'
import { SECURITY_POLICIES } from './security-policies.ts'
import { SECURITY_TESTS } from './security-tests.ts'
import { STORAGE } from './storage.ts'
import { STUDENTS } from './students.ts'
import { TEXTMODEL } from './textmodel.ts'
import { TRAINING } from './training.ts'
import { TRAINING_PAGE } from './training-page.ts'
import { UNIVERSITIES } from './universities.ts'
import {
  EXPORT_BUILDER,
  MESSAGE_SENDER,
  OBJECT_REMOVER,
  PIPELINE_WORKERS,
  SECURITY_PROBER,
} from './workers.ts'

/** Every call that function `api` serves, other than the description of them all. */
export const ENDPOINTS = [
  ...AUTH,
  ...DATABASE,
  ...STORAGE,
  ...UNIVERSITIES,
  ...STUDENTS,
  ...ACCESSES,
  ...ANALYTICS,
  ...ANALYTICS_PAGE,
  ...TRAINING,
  ...TRAINING_PAGE,
  ...COMPLIANCE,
  ...COMPLIANCE_PAGE,
  ...SECURITY_TESTS,
  ...SECURITY_INCIDENTS,
  ...SECURITY_POLICIES,
  ...SECURITY_PAGE,
  ...TEXTMODEL,
  ...BUDDY,
  ...BUDDY_PAGE,
  ...EXPORTS,
  ...EXPORTS_PAGE,
  ...ERASURE,
  ...METRICS,
] as const

const SESSIONS = [analyzeAudio, analyzeVisual, analyzeText, calculateScore] as const
const BUDDY_LINKS = [buddy.showCheckIn, buddy.answerCheckIn, buddy.showAlert, buddy.answerAlert] as const
const CHECKINS = [checkins.start, checkins.complete, checkins.get] as const

/** Any call of the service, with the types of its schemas. */
export type ServiceRoute =
  | (typeof ENDPOINTS)[number]['route']
  | (typeof CHECKINS)[number]
  | (typeof BUDDY_LINKS)[number]
  | (typeof SESSIONS)[number]
  | (typeof PIPELINE_WORKERS)[number]
  | (typeof MESSAGE_SENDER)[number]
  | (typeof OBJECT_REMOVER)[number]
  | (typeof EXPORT_BUILDER)[number]
  | (typeof SECURITY_PROBER)[number]
  | (typeof DOCS)[number]

/** Every call of the service: by subject, then by path. */
export const ROUTES: readonly Route[] = [
  routesOf(AUTH),
  routesOf(DATABASE),
  routesOf(STORAGE),
  routesOf(UNIVERSITIES),
  routesOf(STUDENTS),
  routesOf(ACCESSES),
  routesOf([...ANALYTICS, ...ANALYTICS_PAGE]),
  routesOf([...TRAINING, ...TRAINING_PAGE]),
  routesOf([...COMPLIANCE, ...COMPLIANCE_PAGE]),
  routesOf(SECURITY_TESTS),
  routesOf([...SECURITY_INCIDENTS, ...SECURITY_POLICIES, ...SECURITY_PAGE]),
  CHECKINS,
  SESSIONS,
  routesOf(TEXTMODEL),
  [...routesOf([...BUDDY, ...BUDDY_PAGE]), ...BUDDY_LINKS],
  routesOf([...EXPORTS, ...EXPORTS_PAGE]),
  routesOf(ERASURE),
  routesOf(METRICS),
  PIPELINE_WORKERS,
  MESSAGE_SENDER,
  OBJECT_REMOVER,
  EXPORT_BUILDER,
  SECURITY_PROBER,
  DOCS,
].flatMap((group: readonly Route[]) =>
  group.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1)),
)

function routesOf(endpoints: readonly { route: Route }[]): Route[] {
  return endpoints.map(({ route }) => route)
}

function placeOf({ path, method }: Route): string {
  return `${path} ${method}`
}
