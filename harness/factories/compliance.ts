import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TestOptions } from 'vitest'
import type { Assessment, Check } from '../../functions/_shared/compliance/assessments.ts'
import { summaryOf } from '../../functions/_shared/compliance/assessments.ts'
import type { Control } from '../../functions/_shared/compliance/controls.ts'
import { ROOT } from '../../scripts/root.ts'

/** Where NIST's schemas of OSCAL are, which are no part of the project: beside it, or as the environment says. */
const SCHEMA = join(
  process.env.OSCAL_SCHEMA ?? resolve(ROOT, '..', 'shared', 'oscal'),
  'assessment-results-schema.json',
)

/** Options of a test that needs the schema; without it, the test is skipped and the end of the run says why. */
export const withOscalSchema: TestOptions = existsSync(SCHEMA)
  ? {}
  : {
      skip: true,
      meta: {
        skippedBecause: 'needs NIST’s schema of OSCAL assessment results: set OSCAL_SCHEMA to its folder',
      },
    }

let compiled: ValidateFunction | undefined

/** In what a document is not as NIST's schema says; nothing where it is. */
export function faultsOfOscal(document: unknown): string[] {
  compiled ??= compiledSchema()
  if (compiled(document)) return []
  return (compiled.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

function compiledSchema(): ValidateFunction {
  // Its definitions carry identifiers that repeat the way to them, which Ajv takes for others.
  const schema = JSON.parse(readFileSync(SCHEMA, 'utf8'), (key, value) =>
    key === '$id' && String(value).startsWith('#') ? undefined : value,
  )
  return addFormats.default(new Ajv({ strict: false, allErrors: true })).compile(schema)
}

/** What an invented check found. */
export function inventedCheck(check_id: string, values: Partial<Check> = {}): Check {
  return {
    check_id,
    title: `Invented check ${check_id}`,
    expected: 'Everything is right.',
    query: '\n    select item\n    from things\n  ',
    result: 'passed',
    failure: 'partial',
    found: [],
    more: false,
    problem: null,
    checked_at: '2026-11-20T02:37:01.123456Z',
    hash: 'a'.repeat(64),
    ...values,
  }
}

/** An invented control that one check assesses. */
export function inventedControl(id: string, values: Partial<Control> = {}): Control {
  return {
    id,
    reference: `Art. ${id}`,
    title: 'An invented control',
    requirement: 'Everything has to be right.',
    checks: ['first'],
    automated_status: 'compliant',
    decision: null,
    ...values,
  }
}

/** An invented assessment of these controls and checks. */
export function inventedAssessment(controls: Control[], evidence: Check[]): Assessment {
  return {
    id: `asm_${'b'.repeat(32)}`,
    framework: 'gdpr',
    started_at: '2026-11-20T02:37:00.5+00:00',
    ended_at: '2026-11-20T02:37:02.25+00:00',
    sha256: 'c'.repeat(64),
    summary: summaryOf(controls),
    controls,
    evidence,
  }
}
