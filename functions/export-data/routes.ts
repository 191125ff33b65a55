import { exportWebhook } from '../_shared/exports/worker.ts'
import { route, webhook } from '../_shared/http/route.ts'

export const dispatchToExportBuilder = route({
  ...webhook,
  id: 'dispatchToExportBuilder',
  path: '/export-data',
  summary: 'Builds a volume of an export',
  description: 'Called by the database alone. It goes on after its response, until the volume is built.',
  body: exportWebhook,
  example: { body: { type: 'INSERT', schema: 'private', table: 'export_volumes' } },
})
