import * as z from 'zod'
import { serviceErrorOf } from '../_shared/data-api/postgrest-errors.ts'
import { ServiceError } from '../_shared/errors.ts'
import { limit, offset } from '../_shared/fields.ts'
import { endpoint } from '../_shared/http/serve.ts'
import { callerClient } from '../_shared/platform/clients.ts'
import { CATALOGUE } from '../_shared/security-tests/catalogue.ts'
import {
  acceptance,
  newTest,
  PROBES,
  result,
  run,
  statistics,
  statusFilter,
  storedTest,
  testId,
  vulnerability,
  vulnerabilityId,
} from '../_shared/security-tests/test.ts'

const TEST = 'tst_all_probes'
const VULNERABILITY = 'vul_5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a'

/** Runs that a test is shown with. */
const RUNS_SHOWN = 10

const readableTest = storedTest.extend({
  runs: z
    .array(run.extend({ results: z.array(result).describe('Its probes, in the order in which they run.') }))
    .describe(`The last ${RUNS_SHOWN} runs, the latest first.`),
})

const common = {
  tag: 'Security tests',
  security: 'user',
  staff: ['security_admin'],
  limit: 'data-api',
} as const

const createTest = endpoint(
  {
    ...common,
    id: 'createSecurityTest',
    method: 'post',
    path: '/api/security/tests',
    summary: 'Creates a security test of probes of the catalogue; for security administrators',
    description:
      'Probes attack this project at its own addresses as a student with an account would, on invented accounts that are made for the run and deleted after it. With a schedule the first run begins within a minute.',
    body: newTest,
    response: storedTest,
    errors: ['forbidden'],
    example: { body: { name: 'Who reads what', probes: ['other_students_rows', 'other_students_files'] } },
  },
  async ({ body }, call) => {
    const { data, error } = await callerClient(call)
      .rpc('create_security_test', {
        test_name: body.name,
        test_probes: body.probes,
        test_schedule: body.schedule,
      })
      .single()
    if (error) throw serviceErrorOf(error)
    return storedTest.parse(data)
  },
)

const listTests = endpoint(
  {
    ...common,
    id: 'listSecurityTests',
    method: 'get',
    path: '/api/security/tests',
    summary: 'The security tests, and the catalogue of probes; for security administrators',
    response: z.object({
      tests: z.array(storedTest).describe('The tests, by name.'),
      catalogue: z
        .array(
          z.object({
            probe: z.enum(PROBES).describe('The probe.'),
            title: z.string().describe('What it tries.'),
          }),
        )
        .describe('What can be probed.'),
    }),
    errors: ['forbidden'],
  },
  async (_, call) => {
    const { data, error } = await callerClient(call).from('security_tests').select().order('name').order('id')
    if (error) throw serviceErrorOf(error)
    return {
      tests: z.array(storedTest).parse(data),
      catalogue: PROBES.map((probe) => ({ probe, title: CATALOGUE[probe].title })),
    }
  },
)

const readStatistics = endpoint(
  {
    ...common,
    id: 'readSecurityTestStatistics',
    method: 'get',
    path: '/api/security/tests/statistics',
    summary: 'How security tests went, and how long faults take to fix; for security administrators',
    response: statistics,
    errors: ['forbidden'],
  },
  async (_, call) => {
    const { data, error } = await callerClient(call).rpc('security_test_statistics')
    if (error) throw serviceErrorOf(error)
    return statistics.parse(data)
  },
)

const readTest = endpoint(
  {
    ...common,
    id: 'readSecurityTest',
    method: 'get',
    path: '/api/security/tests/{id}',
    summary: 'A security test with what its last runs found; for security administrators',
    params: z.object({ id: testId }),
    response: readableTest,
    errors: ['forbidden', 'security_test_not_found'],
    example: { params: { id: TEST } },
  },
  async ({ params: { id } }, call) => {
    const client = callerClient(call)
    const [test, runs] = await Promise.all([
      client.from('security_tests').select().eq('id', id).maybeSingle(),
      client
        .from('security_test_runs')
        .select('*, results:security_test_results(*)')
        .eq('test_id', id)
        .order('created_at', { ascending: false })
        .order('probe', { referencedTable: 'results' })
        .limit(RUNS_SHOWN),
    ])
    const error = test.error ?? runs.error
    if (error) throw serviceErrorOf(error)
    if (!test.data) throw testNotFound()
    return readableTest.parse({ ...test.data, runs: runs.data })
  },
)

const executeTest = endpoint(
  {
    ...common,
    id: 'executeSecurityTest',
    method: 'post',
    path: '/api/security/tests/{id}/execute',
    summary: 'Begins a run of a security test; for security administrators',
    description:
      'Its probes run one after the other, which takes minutes; reading the test tells how far they are. While a run goes on, it is returned instead of another one. A run that loses its worker is taken up again.',
    params: z.object({ id: testId }),
    response: run,
    status: 202,
    errors: ['forbidden', 'security_test_not_found'],
    example: { params: { id: TEST } },
  },
  async ({ params: { id } }, call) => {
    const { data, error } = await callerClient(call).rpc('execute_security_test', { test: id }).single()
    if (error) throw serviceErrorOf(error)
    return run.parse(data)
  },
)

const listVulnerabilities = endpoint(
  {
    ...common,
    id: 'listVulnerabilities',
    method: 'get',
    path: '/api/security/vulnerabilities',
    summary: 'Faults that security tests found; for security administrators',
    query: z.object({ status: statusFilter, limit, offset }),
    response: z.object({
      vulnerabilities: z.array(vulnerability).describe('The open ones first, then by severity.'),
      total: z.int().describe('How many there are in all.'),
    }),
    errors: ['forbidden'],
    example: { query: { status: 'open' } },
  },
  async ({ query }, call) => {
    const rows = callerClient(call).from('vulnerabilities').select('*', { count: 'exact' })
    const { data, count, error } = await (query.status ? rows.eq('status', query.status) : rows)
      .order('status')
      .order('severity', { ascending: false })
      .order('found_at')
      .order('id')
      .range(query.offset, query.offset + query.limit - 1)
    if (error && error.code !== 'PGRST103') throw serviceErrorOf(error)
    return { vulnerabilities: z.array(vulnerability).parse(data ?? []), total: count ?? 0 }
  },
)

const acceptVulnerability = endpoint(
  {
    ...common,
    id: 'acceptVulnerability',
    method: 'put',
    path: '/api/security/vulnerabilities/{id}',
    summary: 'Accepts a vulnerability for a time, with a reason; for security administrators',
    description: 'Only a run that does not find it any more closes it.',
    params: z.object({ id: vulnerabilityId }),
    body: acceptance,
    response: vulnerability,
    errors: ['forbidden', 'vulnerability_not_found', 'vulnerability_fixed', 'invalid_value'],
    example: {
      params: { id: VULNERABILITY },
      body: {
        status: 'accepted',
        reason: 'Channels become private with the next release of the app.',
        until: '2027-02-01T00:00:00Z',
      },
    },
  },
  async ({ params: { id }, body }, call) => {
    const { data, error } = await callerClient(call)
      .rpc('accept_vulnerability', { vulnerability: id, reason: body.reason, until: body.until })
      .single()
    if (error) throw serviceErrorOf(error)
    return vulnerability.parse(data)
  },
)

/** `/api/security/tests/*` and `/api/security/vulnerabilities/*`. */
export const SECURITY_TESTS = [
  createTest,
  listTests,
  readStatistics,
  readTest,
  executeTest,
  listVulnerabilities,
  acceptVulnerability,
] as const

/** The same that the database raises when it is to run. */
function testNotFound(): ServiceError {
  return new ServiceError('security_test_not_found', 'There is no security test of this id.')
}
