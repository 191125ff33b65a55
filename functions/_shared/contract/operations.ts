import * as accounts from '../accounts/operations.ts'
import * as analytics from '../analytics/operations.ts'
import * as checkins from '../checkins/operations.ts'
import * as dataApi from '../data-api/operations.ts'
import * as files from '../files/operations.ts'
import * as messaging from '../messaging/operations.ts'
import * as pipeline from '../pipeline/operations.ts'
import * as sessions from '../sessions/operations.ts'
import * as students from '../students/operations.ts'
import * as textmodel from '../textmodel/operations.ts'
import * as universities from '../universities/operations.ts'
import * as description from './description.ts'
import type { Operation } from './operation.ts'

/** What describes its calls, in the order of the description; such a module exports nothing else. */
const DOMAINS = [
  accounts,
  dataApi,
  files,
  universities,
  students,
  analytics,
  checkins,
  sessions,
  textmodel,
  pipeline,
  messaging,
  description,
] as const

type CallsOf<Domain> = Domain extends unknown ? Domain[keyof Domain] : never

/** Any call of the service, with the types of its schemas. */
export type ServiceOperation = CallsOf<(typeof DOMAINS)[number]>

/** Every call of the service: by domain, then by path. */
export const OPERATIONS: readonly Operation[] = DOMAINS.flatMap((domain) =>
  Object.values<Operation>(domain).sort((first, second) => (placeOf(first) < placeOf(second) ? -1 : 1)),
)

function placeOf({ path, method }: Operation): string {
  return `${path} ${method}`
}
