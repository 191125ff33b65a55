import type { Stage } from '../stage/stage.ts'
import { pages, providers } from './addresses.ts'
import { cronJobs, databaseState, migrations } from './database.ts'
import type { Check, Finding } from './finding.ts'
import { deployedVersions, startedFunctions } from './functions.ts'
import { advisors, ages, authAddresses, projectStatus, settings, switches } from './platform.ts'
import { secretsOfFunctions, vault } from './secrets.ts'
import { bucketsAndAssets } from './storage.ts'

/** Everything that is read of a stage, what the rest depends on first. */
export const CHECKS: Check[] = [
  projectStatus,
  migrations,
  vault,
  secretsOfFunctions,
  settings,
  switches,
  authAddresses,
  bucketsAndAssets,
  deployedVersions,
  startedFunctions,
  cronJobs,
  databaseState,
  pages,
  providers,
  advisors,
  ages,
]

/** What was found on a stage. */
export type Examination = {
  stage: string
  at: string
  findings: Finding[]
  /** What could not be read, with why. */
  unread: { check: string; reason: string }[]
  /** What a stage of its kind does not have. */
  skipped: string[]
}

/** Reads a stage, and changes nothing on it. */
export async function examine(
  stage: Stage,
  report: (check: string) => void = () => {},
): Promise<Examination> {
  const examination: Examination = {
    stage: stage.name,
    at: stage.now().toISOString(),
    findings: [],
    unread: [],
    skipped: [],
  }
  for (const check of CHECKS) {
    if (check.needsPlatform && !stage.management) {
      examination.skipped.push(check.name)
      continue
    }
    report(check.name)
    try {
      const found = await check.read(stage)
      const named = found.map((each) => ({ ...each, mend: each.mend.replaceAll('NAME', stage.name) }))
      examination.findings.push(...named)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      examination.unread.push({ check: check.name, reason })
    }
  }
  return examination
}
