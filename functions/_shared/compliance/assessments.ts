import * as z from 'zod'
import { serviceErrorOf } from '../data-api/postgrest-errors.ts'
import { ServiceError } from '../errors.ts'
import type { ProjectClient } from '../platform/clients.ts'
import { type Control, control, FRAMEWORKS, type Framework, type Status } from './controls.ts'

export const assessmentId = z
  .string()
  .regex(/^asm_[0-9a-f]{32}$/, 'is the id of an assessment')
  .describe('The assessment.')

const time = z.iso.datetime({ offset: true })
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** What one check found. */
const check = z.object({
  check_id: z.string().describe('The check.'),
  title: z.string().describe('What is checked.'),
  expected: z.string().describe('What is right.'),
  query: z.string().describe('The SQL query that looked for what is wrong, as it ran.'),
  result: z
    .enum(['passed', 'failed', 'not_assessed'])
    .describe('not_assessed: there was nothing to check by, or it could not run.'),
  failure: z.enum(['partial', 'non_compliant']).describe('What failing it makes of a control.'),
  found: z.array(z.string()).describe('What is wrong, 100 at most. Counts people, and names none.'),
  more: z.boolean().describe('Whether there is more than that.'),
  problem: z.string().nullable().describe('Why it was not assessed.'),
  checked_at: time.describe('When it ran.'),
  hash: sha256.describe('SHA-256 of all the rest, as Postgres writes it as jsonb.'),
})

export type Check = z.output<typeof check>

const count = z.int().describe('Controls.')
const counts = z.object({
  not_assessed: count,
  compliant: count,
  partial: count,
  non_compliant: count,
  not_applicable: count,
})

/** An assessment, which is also the report of it: what was found does not change any more. */
export const assessment = z.object({
  id: assessmentId,
  framework: z.enum(FRAMEWORKS).describe('What was assessed.'),
  started_at: time.describe('When it began.'),
  ended_at: time.describe('When it ended.'),
  sha256: sha256.describe('Hash of the assessment, which the audit log has too.'),
  summary: z
    .object({
      automated: counts.describe('Controls by what the checks found.'),
      decided: counts.describe(
        'Controls by what assessors decided; those without a decision are not_assessed.',
      ),
      differing: z.int().describe('Controls where a decision says otherwise than the checks.'),
    })
    .describe('How many controls stand how.'),
  controls: z.array(control).describe('How each control stood, with the decision at that time.'),
  evidence: z.array(check).describe('What each check found.'),
})

export type Assessment = z.output<typeof assessment>

/** Runs the checks of a framework. Throws `forbidden` unless a security administrator asks. */
export async function assess(client: ProjectClient, framework: Framework): Promise<Assessment> {
  const { data, error } = await client.rpc('assess_compliance', { framework })
  if (error) throw serviceErrorOf(error)
  return readAssessment(client, data)
}

/** A stored assessment. Throws `assessment_not_found`, which it is for everybody but security administrators. */
export async function readAssessment(client: ProjectClient, id: string): Promise<Assessment> {
  const { data, error } = await client
    .from('compliance_assessments')
    .select('id, framework, started_at, ended_at, controls, evidence, hash')
    .eq('id', id)
    .maybeSingle()
  if (error) throw serviceErrorOf(error)
  if (data === null) throw new ServiceError('assessment_not_found', 'There is no such assessment.')
  const { hash, ...row } = data
  const controls = z.array(control).parse(row.controls)
  // As PostgREST writes bytes.
  return assessment.parse({
    ...row,
    controls,
    sha256: hash.replace(/^\\x/, ''),
    summary: summaryOf(controls),
  })
}

/** How many controls stand how. */
export function summaryOf(controls: readonly Control[]): Assessment['summary'] {
  return {
    automated: countsOf(controls.map(({ automated_status }) => automated_status)),
    decided: countsOf(controls.map(({ decision }) => decision?.status ?? 'not_assessed')),
    differing: controls.filter(differs).length,
  }
}

/** Whether an assessor says otherwise than the checks. Where those could not tell, nothing contradicts. */
export function differs({ automated_status, decision }: Control): boolean {
  return decision !== null && automated_status !== 'not_assessed' && decision.status !== automated_status
}

function countsOf(statuses: readonly Status[]): Record<Status, number> {
  const counted = (wanted: Status) => statuses.filter((status) => status === wanted).length
  return {
    not_assessed: counted('not_assessed'),
    compliant: counted('compliant'),
    partial: counted('partial'),
    non_compliant: counted('non_compliant'),
    not_applicable: counted('not_applicable'),
  }
}
