import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CATALOGUE } from '../../../functions/_shared/security-tests/catalogue.ts'
import { ProbeBlocked, type Target } from '../../../functions/_shared/security-tests/target.ts'
import { createClient } from '../../../functions/_vendor/supabase.js'

// Faults of the functions themselves, which no test can put into a running project: a project that lets everybody in, echoes what it
// is sent, and sends no header that it should. What probes make of the real one is in test/api/security-tests.

/** How the careless project answers, which a test may change. */
type Manners = { status: number; headers: Record<string, string> }
const careless: Manners = { status: 200, headers: { 'content-type': 'text/html', 'set-cookie': 'session=1' } }
let manners = careless
let server: Server

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(manners.status, manners.headers)
      const sent = decodeURIComponent(`${request.url} ${Buffer.concat(chunks)}`.replaceAll('+', ' '))
      response.end(request.url?.includes('/rest/v1/') ? '[{"user_id": 1}]' : sent)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

function target(): Target {
  const { port } = server.address() as AddressInfo
  const supabaseUrl = `http://127.0.0.1:${port}`
  const claims = { sub: 'a', exp: 4_000_000_000, iss: 'here' }
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const token = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}.signature`
  const account = (id: string) => ({
    id,
    email: `${id}@probe.invalid`,
    password: 'invented-password-1',
    token,
  })
  return {
    ...{ supabaseUrl, publishableKey: 'sb_publishable_invented', proof: 'run_1 0' },
    // None of these probes asks it.
    database: postgres('postgresql://127.0.0.1:1/none', { max: 1 }),
    supabase: createClient(supabaseUrl, 'sb_secret_invented'),
    attacker: account('11111111-1111-4111-8111-111111111111'),
    victim: account('22222222-2222-4222-8222-222222222222'),
    links: { open: 'f'.repeat(64), expired: 'e'.repeat(64) },
  }
}

async function faultsOf(probe: keyof typeof CATALOGUE, as: Partial<Manners> = {}) {
  manners = { ...careless, ...as }
  const carryOut = await CATALOGUE[probe].load()
  return (await carryOut(target())).findings
}

describe('in a project that is careless', () => {
  test.each([
    ['forged_tokens', 'unsigned:functions'],
    ['forged_tokens', 'well_known_secret:rest'],
    ['foreign_tokens', 'key_in_the_token:auth'],
    ['injection', 'buddy:verify:markup'],
    ['injection', 'rest:filter:rows'],
    ['injection', 'storage:path:served'],
    ['security_headers', 'api/docs:x-frame-options'],
    ['security_headers', 'api/docs:content-security-policy/default-src'],
    ['security_headers', 'api/docs:cookie'],
    ['security_headers', 'api/auth/signin:cookie'],
    ['security_headers', 'form:cross-site'],
    ['worker_doors', 'export-data:nobody'],
    ['worker_doors', 'deliver-messages:student'],
  ] as const)('%s finds %s', async (probe, fault) => {
    expect((await faultsOf(probe)).map((finding) => finding.fault)).toContain(fault)
  })

  test('evidence names no token, no link and nobody', async () => {
    const findings = [...(await faultsOf('forged_tokens')), ...(await faultsOf('injection'))]
    const { attacker, victim } = target()
    const evidence = JSON.stringify(findings.map(({ evidence }) => evidence))
    expect(evidence).toContain('{victim}')
    for (const secret of [attacker.id, victim.id, attacker.token]) expect(evidence).not.toContain(secret)
  })

  test('a policy that lets styles and scripts in is found', async () => {
    const lax = "default-src 'none'; script-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"
    const found = await faultsOf('security_headers', {
      headers: { ...careless.headers, 'content-security-policy': lax },
    })
    expect(found.map(({ fault }) => fault)).toContain('api/docs:content-security-policy/default-src')
  })
})

test('a server error of the project is a fault', async () => {
  const found = await faultsOf('injection', { status: 500 })
  expect(found.map(({ fault }) => fault)).toContain('select:filter:error')
})

test('in a project that refuses everybody nothing is found', async () => {
  const refusing = { status: 401, headers: { 'content-type': 'application/json' } }
  for (const probe of ['forged_tokens', 'foreign_tokens', 'injection', 'worker_doors'] as const) {
    expect(await faultsOf(probe, refusing)).toEqual([])
  }
})

test('a probe that cannot do what must work says that it could not look', async () => {
  await expect(faultsOf('ended_tokens', { status: 401 })).rejects.toThrow(ProbeBlocked)
})
