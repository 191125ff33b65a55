import * as z from 'zod'
import type { Enums } from '../../../types/database.ts'
import { line, ofPlainJson, storable } from '../fields.ts'
import { CATALOGUE, type ProbeId } from './catalogue.ts'

/** Ids of the catalogue, in the order in which they run. */
export const PROBES = Object.keys(CATALOGUE) as [ProbeId, ...ProbeId[]]

const SCHEDULES = ['on_demand', 'daily', 'weekly'] as const satisfies Enums<'security_test_schedule'>[]
const RUN_STATUSES = ['running', 'completed', 'failed'] as const satisfies Enums<'security_test_run_status'>[]
const PROBE_STATUSES = [
  'queued',
  'running',
  'passed',
  'faults_found',
  'failed',
] as const satisfies Enums<'security_probe_status'>[]
const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const satisfies Enums<'vulnerability_severity'>[]
const STATUSES = ['open', 'fixed', 'accepted'] as const satisfies Enums<'vulnerability_status'>[]

const time = z.iso.datetime({ offset: true })

export const testId = z
  .string()
  .regex(/^tst_[a-z0-9_]{1,60}$/, 'is an id such as tst_all_probes')
  .describe('The test.')

export const vulnerabilityId = z
  .string()
  .regex(/^vul_[a-z0-9_]{1,60}$/, 'is an id such as vul_5f1c0c8e7a2b4d6f9e3a1b5c7d9f0e2a')
  .describe('The vulnerability.')

const probe = z.enum(PROBES).describe('The probe.')

/** A security test as an administrator sends it. */
export const newTest = ofPlainJson(
  z.strictObject({
    name: line(200).min(1).describe('Name.'),
    probes: z.array(probe).min(1).max(PROBES.length).describe('What it probes, of the catalogue.'),
    schedule: z.enum(SCHEDULES).default('on_demand').describe('When it runs by itself.'),
  }),
)

/** A security test as it is stored. */
export const storedTest = z.object({
  id: testId,
  name: z.string().describe('Name.'),
  probes: z.array(probe).describe('What it probes, in the order in which it does.'),
  schedule: z.enum(SCHEDULES).describe('When it runs by itself.'),
  enabled: z.boolean().describe('Whether its schedule counts.'),
  next_run_at: time.nullable().describe('When it runs by itself next.'),
  created_at: time.describe('When it was created.'),
})

/** A run of a test. */
export const run = z.object({
  id: z.string().describe('The run.'),
  test_id: testId,
  status: z
    .enum(RUN_STATUSES)
    .describe(
      '`failed`: a probe could not be carried out, so that the run says nothing about what it looks for.',
    ),
  scheduled: z.boolean().describe('Whether its schedule began it.'),
  created_at: time.describe('When it began.'),
  ended_at: time.nullable().describe('When it ended.'),
})

const finding = z.object({
  fault: z.string().describe('Which fault, the same in every run.'),
  severity: z.enum(SEVERITIES).describe('How bad it is.'),
  title: z.string().describe('What is wrong.'),
  evidence: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe('What was seen: addresses and statuses.'),
})

/** What a probe of a run found. */
export const result = z.object({
  probe,
  status: z.enum(PROBE_STATUSES).describe('How far it is, and what came of it.'),
  attempts: z.int().describe('Attempts so far.'),
  started_at: time.nullable().describe('When its last attempt began.'),
  ended_at: time.nullable().describe('When it ended.'),
  checks: z.int().nullable().describe('Attacks that it tried.'),
  findings: z.array(finding).describe('Faults that it found.'),
  error_code: z.string().nullable().describe('Why the last attempt could not be carried out.'),
})

/** A vulnerability. */
export const vulnerability = z.object({
  id: vulnerabilityId,
  probe,
  fault: z.string().describe('What is wrong, for programs.'),
  title: z.string().describe('What is wrong, in a sentence.'),
  severity: z.enum(SEVERITIES).describe('How bad it is.'),
  status: z.enum(STATUSES).describe('`fixed` is final: what comes back is another vulnerability.'),
  evidence: finding.shape.evidence,
  found_at: time.describe('When it was found first.'),
  last_found_at: time.describe('When it was found last.'),
  times_found: z.int().describe('Runs that found it.'),
  fixed_at: time.nullable().describe('When a run did not find it any more.'),
  accepted_until: time.nullable().describe('Until when it was accepted.'),
  accepted_reason: z.string().nullable().describe('Why it was accepted.'),
  regression_of: vulnerabilityId.nullable().describe('What it was before it was fixed.'),
})

/** Query of the list of vulnerabilities. */
export const statusFilter = z
  .enum(STATUSES)
  .optional()
  .describe('Only those of this status; all by default, the open ones first.')

/** An acceptance as an administrator sends it. */
export const acceptance = z.strictObject({
  status: z.literal('accepted').describe('It is to stay for the time being.'),
  reason: z
    .string()
    .min(10)
    .max(2000)
    .refine(storable, 'is text that can be stored')
    .describe('Why. No names of people.'),
  until: time.describe('Until when, at most 366 days ahead; then it is open again.'),
})

/** How security tests went. */
export const statistics = z.object({
  tests: z.int().describe('Security tests that there are.'),
  runs: z
    .object({
      last_30_days: z.int().describe('Runs that began within 30 days.'),
      completed: z.int().describe('Those that could look at everything.'),
      failed: z.int().describe('Those that could not.'),
      last_ended_at: time.nullable().describe('When the last one ended.'),
    })
    .describe('Runs.'),
  probes: z
    .array(
      z.object({
        probe,
        status: z.enum(PROBE_STATUSES).describe('What came of it.'),
        ended_at: time.describe('When it ended.'),
        checks: z.int().nullable().describe('Attacks that it tried.'),
        faults: z.int().describe('Faults that it found.'),
      }),
    )
    .describe('Each probe as it went last.'),
  vulnerabilities: z
    .array(
      z.object({
        severity: z.enum(SEVERITIES).describe('How bad.'),
        open: z.int().describe('Open ones.'),
        accepted: z.int().describe('Accepted ones.'),
        fixed: z.int().describe('Fixed ones.'),
        regressions: z.int().describe('Those that had been fixed before.'),
        oldest_open_at: time.nullable().describe('When the oldest open one was found.'),
        mean_hours_to_fix: z.number().nullable().describe('From finding to fix, hours, on average.'),
        median_hours_to_fix: z.number().nullable().describe('The same, median.'),
      }),
    )
    .describe('Vulnerabilities by severity, the worst first.'),
})
