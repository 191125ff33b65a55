import * as accounts from '../accounts/routes.ts'
import * as analytics from '../analytics/routes.ts'
import * as checkins from '../checkins/routes.ts'
import * as dataApi from '../data-api/routes.ts'
import * as files from '../files/routes.ts'
import type { Route } from '../http/route.ts'
import * as messaging from '../messaging/routes.ts'
import * as pipeline from '../pipeline/routes.ts'
import * as sessions from '../sessions/routes.ts'
import * as students from '../students/routes.ts'
import * as textmodel from '../textmodel/routes.ts'
import * as universities from '../universities/routes.ts'
import * as description from './description.ts'

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
export type ServiceRoute = CallsOf<(typeof DOMAINS)[number]>

/** Every call of the service: by domain, then by path. */
export const ROUTES: readonly Route[] = DOMAINS.flatMap((domain) =>
  Object.values<Route>(domain).sort((first, second) => (placeOf(first) < placeOf(second) ? -1 : 1)),
)

function placeOf({ path, method }: Route): string {
  return `${path} ${method}`
}
