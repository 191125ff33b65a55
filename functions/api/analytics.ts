import { readDashboard, readTrends, readWellbeing } from '../_shared/analytics/read-figures.ts'
import { recommended } from '../_shared/analytics/recommendations.ts'
import { getDashboard, getTrends, getWellbeing } from '../_shared/analytics/routes.ts'
import { ServiceError } from '../_shared/errors.ts'
import type { App } from '../_shared/http/app.ts'
import { callerClient } from '../_shared/http/project-client.ts'
import { serve } from '../_shared/http/serve.ts'
import type { Services } from './services.ts'

/** `/api/analytics/*`. */
export function analyticsRoutes(api: App, services: Services): void {
  const { environment, database } = services

  /** Whoever administers another university, or none, learns nothing, also not whether there is such a one. */
  async function requireAdministrator(userId: string, university: string): Promise<void> {
    const [{ allowed }] = await database<[{ allowed: boolean }]>`
      select private.has_role(${userId}, 'university_admin', ${university}) as allowed`
    if (!allowed) throw new ServiceError('forbidden', 'You administer no university of this id.')
  }

  serve(api, services, getDashboard, async ({ query }, call) => {
    await requireAdministrator(call.caller.userId, query.university_id)
    const { cohort_filters: cohort, ...range } = query
    return recommended(shown(await readDashboard(callerClient(environment, call), { ...range, cohort })))
  })

  serve(api, services, getWellbeing, async ({ query }, call) => {
    await requireAdministrator(call.caller.userId, query.university_id)
    return shown(await readWellbeing(callerClient(environment, call), query))
  })

  serve(api, services, getTrends, async ({ query }, call) => {
    await requireAdministrator(call.caller.userId, query.university_id)
    const { cohort_filters: cohort, ...range } = query
    return shown(await readTrends(callerClient(environment, call), { ...range, cohort }))
  })
}

function shown<Figures>(figures: Figures | null): Figures {
  if (figures === null) {
    throw new ServiceError('cohort_withheld', 'These would be figures of fewer than ten students.')
  }
  return figures
}
