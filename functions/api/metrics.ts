import * as z from 'zod'
import { ServiceError } from '../_shared/errors.ts'
import { notFound } from '../_shared/http/handle.ts'
import { textResponse } from '../_shared/http/response.ts'
import { bearsSecret } from '../_shared/http/secret.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { EXPOSITION_TYPE, expositionOf, type Sample } from '../_shared/monitoring/exposition.ts'

const readMetrics = endpoint(
  {
    id: 'readMetrics',
    method: 'get',
    path: '/api/metrics',
    tag: 'Operation',
    summary: 'How the service is doing as a whole, for Prometheus',
    description:
      'In Prometheus’ text format. The bearer token is `METRICS_TOKEN`; where none is set, there is nothing at this address. Figures are of the whole service, never of a person or a university.',
    security: 'metrics',
    reachable: ['in_block', 'in_quarantine'],
    response: z.string().describe('Prometheus’ text format, version 0.0.4'),
    produces: 'text/plain',
    errors: ['forbidden', 'not_found'],
    exampleResponse:
      '# HELP wellbeing_check_ins_processing Check-ins that are being analysed.\n# TYPE wellbeing_check_ins_processing gauge\nwellbeing_check_ins_processing 3\n',
  },
  async (_, { request, context, environment: { metricsToken, previousMetricsToken }, database }) => {
    if (!metricsToken) throw notFound()
    if (!bearsSecret(request, metricsToken, previousMetricsToken)) {
      throw new ServiceError('forbidden', 'The metrics need the token that the operator has set.')
    }
    const samples = await database<Sample[]>`
      select name, labels, value
      from private.metrics
      order by name, replace(labels ->> 'le', '+Inf', 'infinity')::double precision, labels`
    return textResponse(expositionOf(samples), EXPOSITION_TYPE, 200, context.requestId)
  },
)

/** `/api/metrics`. */
export const METRICS = [readMetrics] as const
