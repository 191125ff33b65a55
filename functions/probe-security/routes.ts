import { route, webhook } from '../_shared/http/route.ts'
import { probeWebhook } from '../_shared/security-tests/worker.ts'

export const dispatchToSecurityProber = route({
  ...webhook,
  id: 'dispatchToSecurityProber',
  path: '/probe-security',
  summary: 'Carries out the next probe of a security test',
  description: 'Called by the database alone. It goes on after its response, until the probe has ended.',
  body: probeWebhook,
  example: { body: { type: 'INSERT', schema: 'public', table: 'security_test_results' } },
})
