import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call, send } from '../../../harness/client/call.ts'
import { faultsOfOscal, withOscalSchema } from '../../../harness/factories/compliance.ts'
import { newStaff, newStudent, type Student } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

type Control = {
  id: string
  checks: string[]
  automated_status: string
  automated_at?: string
  decision: { status: string; reason: string } | null
}

const DECISION = {
  status: 'compliant' as const,
  reason: 'An invented reason',
  evidence: [{ description: 'An invented document', link: 'https://evidence.example.edu/1' }],
}

let security: Student
beforeAll(async () => {
  security = await newStaff(project, 'security_admin')
})

const assess = (framework: string) =>
  call(project, security.token, 'POST', `api/compliance/assess/${framework}`)
const report = (body: object) => call(project, security.token, 'POST', 'api/compliance/reports', body)
const decide = (id: string, body: object) =>
  call(project, security.token, 'PUT', `api/compliance/controls/${id}`, body)
const controlsIn = ({ body }: { body: Record<string, unknown> }) => body.controls as Control[]

async function controlNow(id: string): Promise<Control | undefined> {
  return controlsIn(await call(project, security.token, 'GET', 'api/compliance/controls')).find(
    (one) => one.id === id,
  )
}

describe('a security administrator', () => {
  test.each(['hipaa', 'GDPR', 'SOC 2'])('assesses %s, with evidence of each check', async (framework) => {
    const { status, body } = await assess(encodeURIComponent(framework))
    expect(status).toBe(200)
    const controls = body.controls as Control[]
    const evidence = body.evidence as {
      check_id: string
      query: string
      result: string
      problem: string | null
    }[]
    expect(evidence.map(({ check_id }) => check_id)).toEqual(
      [...new Set(controls.flatMap(({ checks }) => checks))].sort(),
    )
    expect(evidence.filter(({ problem }) => problem?.includes('failed'))).toEqual([])
    const { automated } = body.summary as { automated: Record<string, number> }
    expect(Object.values(automated).reduce((sum, some) => sum + some)).toBe(controls.length)
  })

  test('has evidence whose hashes can be made again, and whose assessment is in the audit log', async () => {
    const { body } = await assess('soc2')
    await withDatabase(project, async (sql) => {
      const [found] = await sql`
        select a.hash = private.assessment_hash(a) as is_intact, encode(a.hash, 'hex') as sha256,
          (
            select bool_and(e ->> 'hash' = encode(sha256(convert_to((e - 'hash')::text, 'UTF8')), 'hex'))
            from jsonb_array_elements(a.evidence) as e
          ) as has_intact_evidence
        from public.compliance_assessments a
        where a.id = ${String(body.id)}`
      expect(found).toEqual({ is_intact: true, sha256: body.sha256, has_intact_evidence: true })
    })
    const { data } = await security.client.rpc('read_audit_log', { target_id: String(body.id) })
    expect(data).toMatchObject([
      {
        action: 'compliance_assessed',
        actor_id: security.id,
        details: { framework: 'soc2', sha256: body.sha256 },
      },
    ])
  })

  test('decides otherwise than the checks: both stand, and neither changes the other', async () => {
    const id = 'ctl_hipaa_164_308_a_7'
    const before = controlsIn(await assess('hipaa')).find((one) => one.id === id)
    const decided = await decide(id, { ...DECISION, status: 'Not Applicable' })
    expect(decided.body).toMatchObject({
      id,
      automated_status: before?.automated_status,
      decision: { ...DECISION, status: 'not_applicable', decided_at: expect.any(String) },
    })
    const after = await assess('hipaa')
    expect(controlsIn(after).find((one) => one.id === id)).toMatchObject({
      automated_status: before?.automated_status,
      decision: { status: 'not_applicable', reason: DECISION.reason },
    })
    const { data } = await security.client.rpc('read_audit_log', { target_id: id })
    expect(data?.[0]).toMatchObject({
      action: 'control_decided',
      actor_id: security.id,
      details: { status: 'not_applicable', reason: DECISION.reason, evidence: DECISION.evidence },
    })
  })

  test('withdraws a decision, with why', async () => {
    const id = 'ctl_soc2_a1_3'
    await decide(id, DECISION)
    expect((await controlNow(id))?.decision?.status).toBe('compliant')
    const withdrawn = await decide(id, { ...DECISION, status: 'not_assessed', reason: 'It was wrong' })
    expect(withdrawn.body.decision).toBeNull()
    const { data } = await security.client.rpc('read_audit_log', { target_id: id })
    expect(data?.[0]?.details).toMatchObject({ status: 'not_assessed', reason: 'It was wrong' })
  })

  test.each([
    ['no reason', { ...DECISION, reason: '  ' }],
    ['no evidence', { ...DECISION, evidence: [] }],
    ['evidence that says nothing', { ...DECISION, evidence: [{ description: '' }] }],
    [
      'a link that is no address',
      { ...DECISION, evidence: [{ description: 'A', link: 'javascript:alert(1)' }] },
    ],
    ['a status that there is not', { ...DECISION, status: 'perfect' }],
    ['a field more', { ...DECISION, automated_status: 'compliant' }],
  ])('cannot decide with %s', async (_, body) => {
    const response = await decide('ctl_gdpr_35', body)
    expect([response.status, response.body.code]).toEqual([400, 'invalid_parameters'])
    expect((await controlNow('ctl_gdpr_35'))?.decision).toBeNull()
  })

  test.each<[string, object]>([
    ['no reason', { reason: '' }],
    ['no evidence', { evidence: [] }],
    ['a link that is no address', { evidence: [{ description: 'A', link: 'javascript:alert(1)' }] }],
    ['evidence that is no list', { evidence: { description: 'A' } }],
  ])('cannot decide past the API either with %s', async (_, wrong) => {
    const { error } = await security.client.rpc('decide_control', {
      control_id: 'ctl_gdpr_35',
      ...DECISION,
      ...wrong,
    })
    expect(error?.hint).toBe('invalid_value')
  })

  test('is told of a control or an assessment that there is not', async () => {
    expect((await decide('ctl_gdpr_99', DECISION)).body.code).toBe('control_not_found')
    const missing = await report({ assessment_id: `asm_${'0'.repeat(32)}` })
    expect([missing.status, missing.body.code]).toEqual([404, 'assessment_not_found'])
    expect((await assess('iso27001')).body.code).toBe('invalid_parameters')
    expect((await report({})).status).toBe(400)
  })

  test('reports an assessment as it was, whatever is decided later', async () => {
    const { body } = await assess('gdpr')
    const first = await report({ assessment_id: body.id })
    expect(first.body).toEqual(body)
    await decide('ctl_gdpr_33', DECISION)
    expect((await report({ assessment_id: body.id })).body).toEqual(body)
    const anew = controlsIn(await report({ framework: 'GDPR' }))
    expect(anew.find(({ id }) => id === 'ctl_gdpr_33')?.decision?.status).toBe('compliant')
  })

  test('exports an assessment as OSCAL, each time the same to the byte', async () => {
    const { body } = await assess('hipaa')
    const exported = async () => {
      const request = { assessment_id: body.id, format: 'oscal' }
      const response = await send(project, security.token, 'POST', 'api/compliance/reports', request)
      return Buffer.from(await response.arrayBuffer())
    }
    const [one, other] = [await exported(), await exported()]
    expect(one.equals(other)).toBe(true)
    expect(JSON.parse(one.toString())['assessment-results'].metadata['oscal-version']).toBe('1.2.1')
  })

  test('exports what NIST’s schema of OSCAL 1.2 takes', withOscalSchema, async () => {
    await decide('ctl_hipaa_164_308_b', { ...DECISION, reason: ' Several\n\nlines ' })
    for (const framework of ['hipaa', 'gdpr', 'soc2']) {
      const { body } = await report({ framework, format: 'oscal' })
      expect(faultsOfOscal(body)).toEqual([])
    }
  })

  test('changes neither column of a control past the calls', async () => {
    for (const change of [{ automated_status: 'compliant' as const }, { decision: 'compliant' as const }]) {
      const { error } = await security.client
        .from('compliance_controls')
        .update(change)
        .eq('id', 'ctl_gdpr_28')
      expect(error?.code).toBe('42501')
    }
  })
})

test.each([
  ['a student', () => newStudent(project, [])],
  ['a counselor', () => newStaff(project, 'counselor')],
  ['a university administrator', () => newStaff(project, 'university_admin')],
])('%s neither assesses, decides nor reads', async (_, newPerson) => {
  const { token } = await newPerson()
  const attempts = [
    await call(project, token, 'POST', 'api/compliance/assess/gdpr'),
    await call(project, token, 'POST', 'api/compliance/reports', { framework: 'gdpr' }),
    await call(project, token, 'PUT', 'api/compliance/controls/ctl_gdpr_35', DECISION),
    await call(project, token, 'GET', 'api/compliance/controls'),
  ]
  for (const { status, body } of attempts) expect([status, body.code]).toEqual([403, 'forbidden'])
})
