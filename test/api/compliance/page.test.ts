import { beforeAll, describe, expect, inject, test } from 'vitest'
import { call } from '../../../harness/client/call.ts'
import { requireDescribed, servedDocument } from '../../../harness/client/described-response.ts'
import { newStaff, type Student } from '../../../harness/factories/students.ts'

const project = inject('project')
const PATH = '/api/compliance/report.html'
const PASSWORD = 'invented-password-1'

let security: Student
beforeAll(async () => {
  security = await newStaff(project, 'security_admin')
})

/** Asks for the page, whose response has to be as the served description says. */
async function asked(query: string, request: RequestInit): Promise<Response> {
  const address = `${project.apiUrl}/functions/v1${PATH}${query}`
  const response = await fetch(address, { ...request, redirect: 'manual' })
  const described = { path: PATH, method: request.method ?? 'GET' }
  await requireDescribed(await servedDocument(project), described, response)
  return response
}

const bearer = ({ token }: Student) => ({ authorization: `Bearer ${token}` })

function send(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams(form)
  return asked('', { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers }, body })
}

describe('the page of compliance', () => {
  test('is signed in to with its form, and left again', async () => {
    expect(await (await asked('', {})).text()).toContain('For security administrators.')
    const response = await send({ email: security.email, password: PASSWORD })
    expect(response.status).toBe(303)
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    const page = await (await asked('', { headers: { cookie } })).text()
    for (const name of ['HIPAA', 'GDPR', 'SOC 2']) expect(page).toContain(`<h2>${name}</h2>`)
    await send({ sign_out: '1' }, { cookie })
    expect((await asked('', { headers: { cookie } })).status).toBe(401)
  })

  test('assesses a framework, and shows the report with every control, check and decision, as text', async () => {
    await call(project, security.token, 'PUT', 'api/compliance/controls/ctl_soc2_cc3_2', {
      status: 'partial',
      reason: 'An <b>invented</b> reason',
      evidence: [{ description: 'An invented document', link: 'https://evidence.example.edu/2' }],
    })
    const response = await send({ assess: 'soc2' }, bearer(security))
    expect(response.status).toBe(303)
    const query = new URL(response.headers.get('location') ?? '', 'http://here').search
    const page = await (await asked(query, { headers: bearer(security) })).text()
    expect(page).toContain('An &lt;b&gt;invented&lt;/b&gt; reason')
    expect(page).toContain('href="https://evidence.example.edu/2"')
    const { body } = await call(project, security.token, 'POST', 'api/compliance/reports', {
      assessment_id: query.slice('?assessment='.length),
    })
    for (const { reference } of body.controls as { reference: string }[])
      expect(page).toContain(`<h3>${reference} `)
    for (const { check_id, hash } of body.evidence as { check_id: string; hash: string }[]) {
      expect(page).toContain(`id="${check_id}"`)
      expect(page).toContain(hash)
    }
    expect(await (await asked('', { headers: bearer(security) })).text()).toContain(
      'Report of the assessment',
    )
  })

  test('says that there is no such assessment, or framework', async () => {
    for (const name of ['none', `asm_${'0'.repeat(32)}`]) {
      expect((await asked(`?assessment=${name}`, { headers: bearer(security) })).status).toBe(404)
    }
    expect((await send({ assess: 'iso27001' }, bearer(security))).status).toBe(422)
  })

  test('is for nobody else, and takes no form of another site', async () => {
    const counselor = await newStaff(project, 'counselor')
    expect((await asked('', { headers: bearer(counselor) })).status).toBe(403)
    expect((await send({ assess: 'gdpr' }, bearer(counselor))).status).toBe(403)
    const foreign = await send({ assess: 'gdpr' }, { ...bearer(security), 'sec-fetch-site': 'cross-site' })
    expect(foreign.status).toBe(403)
  })
})
