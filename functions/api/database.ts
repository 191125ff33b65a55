import * as routes from '../_shared/data-api/routes.ts'
import { deleteRows, insertRows, selectRows, updateRows } from '../_shared/data-api/rows.ts'
import { readSetup } from '../_shared/data-api/setup.ts'
import { ServiceError } from '../_shared/errors.ts'
import type { App } from '../_shared/http/app.ts'
import { describeError, log } from '../_shared/http/log.ts'
import { callerClient } from '../_shared/http/project-client.ts'
import { consumeRateLimit } from '../_shared/http/rate-limit.ts'
import { type Call, serve } from '../_shared/http/serve.ts'
import type { Services } from './services.ts'

/** `/api/database/*`: tables with the caller's own token, so that row-level security decides. */
export function databaseRoutes(api: App, services: Services): void {
  const { environment, database } = services
  const clientOf = (call: Call) => callerClient(environment, call)

  serve(api, services, routes.databaseHealth, async (_, call) => {
    const [direct, throughApi] = await Promise.all([
      probed(async () => {
        await database`select 1`
      }),
      probed(async () => {
        const { error } = await clientOf(call).from('profiles').select('user_id').limit(1)
        if (error) throw error
      }),
    ])
    const healthy = direct.status === 'ok' && throughApi.status === 'ok'
    return {
      status: healthy ? ('ok' as const) : ('degraded' as const),
      database: direct,
      data_api: throughApi,
      timestamp: new Date().toISOString(),
    }
  })

  serve(api, services, routes.selectRows, ({ body }, call) => selectRows(clientOf(call), body))

  serve(api, services, routes.insertRows, async ({ body }, call) => {
    if (Array.isArray(body.data) && body.data.length > 1) {
      await consumeRateLimit(database, call.context, call.caller.userId, 'bulk')
    }
    return insertRows(clientOf(call), body)
  })

  serve(api, services, routes.updateRows, ({ body }, call) => updateRows(clientOf(call), body))

  serve(api, services, routes.deleteRows, ({ body }, call) => deleteRows(clientOf(call), body))

  serve(api, services, routes.setupTables, async (_, { caller }) => {
    const [{ may }] = await database<[{ may: boolean }]>`
      select private.has_role(${caller.userId}, 'security_admin', null) as may`
    if (!may) throw new ServiceError('forbidden', 'Only security administrators may ask for this.')
    const data = await readSetup(database)
    return { data, count: data.tables.length, error: null }
  })
}

type Probe = { status: 'ok' | 'failing'; latency_ms: number }

async function probed(work: () => Promise<void>): Promise<Probe> {
  const started = performance.now()
  const status = await work().then(
    () => 'ok' as const,
    (error: unknown) => {
      log('error', 'health_check_failed', describeError(error))
      return 'failing' as const
    },
  )
  return { status, latency_ms: Math.round(performance.now() - started) }
}
