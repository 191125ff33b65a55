import * as z from 'zod'
import { serviceErrorOf } from '../data-api/postgrest-errors.ts'
import { titled } from '../enumerations.ts'
import { ofPlainJson, storable } from '../fields.ts'
import { pattern } from '../pattern.ts'
import type { ProjectClient } from '../platform/clients.ts'

/** Frameworks whose controls are assessed. */
export const FRAMEWORKS = ['hipaa', 'gdpr', 'soc2'] as const

export type Framework = (typeof FRAMEWORKS)[number]

/** How a control stands. */
export const STATUSES = ['not_assessed', 'compliant', 'partial', 'non_compliant', 'not_applicable'] as const

export type Status = (typeof STATUSES)[number]

/** A framework; upper case and `SOC 2` count too. */
export const framework = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.toLowerCase().replaceAll(/[ _-]/g, '') : given),
    z.enum(FRAMEWORKS),
  )
  .describe('hipaa, gdpr or soc2.')

export const controlId = z
  .string()
  .regex(/^ctl_[a-z0-9_]{1,60}$/, 'is the id of a control such as ctl_gdpr_17')
  .describe('The control.')

const status = z.enum(STATUSES)
const time = z.iso.datetime({ offset: true })
const text = (most: number) =>
  z.string().trim().min(1).max(most).refine(storable, 'is text that can be stored')

/** An https address as RFC 3986 writes it, which OSCAL asks for; the database has the same rule. */
const LINK = new RegExp(pattern`
    ^https:\/\/[\w.-]+(:\d{1,5})?(\/([\w.~:/@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)?
    (\?([\w.~:/?@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)?(#([\w.~:/?@!$&'()*+,;=-]|%[\dA-Fa-f]{2})*)?$
  `)

const evidence = z
  .array(
    z.strictObject({
      description: text(1000).describe('What it is, and what it shows.'),
      link: z.string().max(500).regex(LINK, 'is an https address').optional().describe('Where it is kept.'),
    }),
  )
  .min(1)
  .max(20)

/** What an assessor decides of a control. */
export const newDecision = ofPlainJson(
  z.strictObject({
    status: titled(STATUSES).describe(
      `${STATUSES.join(', ')}; a title such as Non-Compliant too. not_assessed withdraws the decision.`,
    ),
    reason: text(2000).describe('Why. Names no person: it is in reports and in the audit log.'),
    evidence: evidence.describe('What the decision rests on.'),
  }),
)

/** What an assessor decided. Who it was is in the audit log alone. */
export const decision = z.object({
  status: status.describe('What was decided.'),
  reason: z.string().describe('Why.'),
  evidence: z
    .array(
      z.object({
        description: z.string().describe('What it is, and what it shows.'),
        link: z.string().optional().describe('Where it is kept.'),
      }),
    )
    .describe('What the decision rests on.'),
  decided_at: time.describe('When.'),
})

export type Decision = z.output<typeof decision>

/** A control as every call shows it. */
export const control = z.object({
  id: controlId,
  reference: z.string().describe('Where the framework has it, such as 164.312(b).'),
  title: z.string().describe('Title, in our own words.'),
  requirement: z.string().describe('What it asks for, in our own words.'),
  checks: z
    .array(z.string())
    .describe('Automated checks that it is assessed with; none: it takes a person to assess it.'),
  automated_status: status.describe('What the checks found. No decision changes it.'),
  decision: decision.nullable().describe('What an assessor decided. No assessment changes it.'),
})

export type Control = z.output<typeof control>

/** A control as it stands at the moment. */
export const currentControl = control.extend({
  framework: z.enum(FRAMEWORKS).describe('Its framework.'),
  automated_at: time
    .nullable()
    .describe('When the checks ran last; null before the first time, and without checks.'),
})

type CurrentControl = z.output<typeof currentControl>

const COLUMNS =
  'id, framework, reference, title, requirement, checks, automated_status, automated_at, decision, decision_reason, decision_evidence, decided_at'

/** Controls, all or those of one framework, as security administrators see them: none for others. */
export async function readControls(
  client: ProjectClient,
  of: Framework | undefined,
): Promise<CurrentControl[]> {
  const all = client.from('compliance_controls').select(COLUMNS).order('id')
  const { data, error } = await (of === undefined ? all : all.eq('framework', of))
  if (error) throw serviceErrorOf(error)
  return data.map(shown)
}

/** Stores what an assessor decides. Throws `control_not_found`, and `forbidden` unless a security administrator asks. */
export async function decide(
  client: ProjectClient,
  control_id: string,
  { status, reason, evidence }: z.output<typeof newDecision>,
): Promise<CurrentControl> {
  const { data, error } = await client
    .rpc('decide_control', { control_id, status, reason, evidence })
    .select(COLUMNS)
    .single()
  if (error) throw serviceErrorOf(error)
  return shown(data)
}

type Row = {
  decision: string | null
  decision_reason: string | null
  decision_evidence: unknown
  decided_at: string | null
}

function shown({ decision, decision_reason, decision_evidence, decided_at, ...row }: Row): CurrentControl {
  return currentControl.parse({
    ...row,
    decision: decision && {
      status: decision,
      reason: decision_reason,
      evidence: decision_evidence,
      decided_at,
    },
  })
}
