import type postgres from 'postgres'
import { vi } from 'vitest'
import type { Enums } from '../../types/database.ts'
import { call } from '../client/call.ts'
import { type Project, withDatabase } from '../stack/project.ts'
import type { Student } from './students.ts'

export type ProbeId = Enums<'security_probe'>

/** What a probe of a run found, as the API returns it. */
export type ProbeResult = {
  probe: ProbeId
  status: Enums<'security_probe_status'>
  attempts: number
  checks: number | null
  findings: { fault: string; severity: string; title: string; evidence: Record<string, unknown> }[]
  error_code: string | null
}

/** A run that has ended, with its results. */
export type EndedRun = { id: string; status: string; results: ProbeResult[] }

/** Creates a test of these probes over the API, and returns its id. */
export async function newSecurityTest(
  project: Project,
  { token }: Student,
  probes: readonly ProbeId[],
): Promise<string> {
  const { status, body } = await call(project, token, 'POST', 'api/security/tests', {
    name: `Of ${probes.length} probes`,
    probes,
  })
  if (status !== 200) throw new Error(`The test was not created: ${status} ${body.error}`)
  return String(body.id)
}

/** Begins a run over the API, and returns its id. */
export async function execute(project: Project, { token }: Student, test: string): Promise<string> {
  const { status, body } = await call(project, token, 'POST', `api/security/tests/${test}/execute`)
  if (status !== 202) throw new Error(`The test was not begun: ${status} ${body.error}`)
  return String(body.id)
}

/** Waits until a run has ended, and reads it over the API. */
export async function ended(
  project: Project,
  { token }: Student,
  test: string,
  run: string,
): Promise<EndedRun> {
  // Asked of the database, as there is a limit to what one person may ask of the API.
  await withDatabase(project, (sql) =>
    vi.waitFor(
      async () => {
        const [going] = await sql`
          select from public.security_test_runs where id = ${run} and status = 'running'`
        if (going) throw new Error('The run goes on')
      },
      { timeout: 240_000, interval: 200 },
    ),
  )
  const { body } = await call(project, token, 'GET', `api/security/tests/${test}`)
  const runs: EndedRun[] = Array.isArray(body.runs) ? body.runs : []
  const found = runs.find(({ id }) => id === run)
  if (!found) throw new Error(`The run is not shown: ${JSON.stringify(body)}`)
  return found
}

/** Runs these probes to their end. */
export async function probed(
  project: Project,
  admin: Student,
  probes: readonly ProbeId[],
): Promise<EndedRun> {
  const test = await newSecurityTest(project, admin, probes)
  return ended(project, admin, test, await execute(project, admin, test))
}

/** Runs statements that break something, and after `use` those that mend it. */
export async function whileBroken<Result>(
  project: Project,
  { breaks, mends }: { breaks: string; mends: string },
  use: () => Promise<Result>,
): Promise<Result> {
  const run = (statements: string) => withDatabase(project, (sql: postgres.Sql) => sql.unsafe(statements))
  await run(breaks)
  try {
    return await use()
  } finally {
    await run(mends)
  }
}
