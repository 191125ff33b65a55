import type { Stage } from '../stage/stage.ts'
import { pages, providers } from './addresses.ts'
import { cronJobs, databaseState, migrations, universities } from './database.ts'
import type { Check, Finding } from './finding.ts'
import { deployedVersions, startedFunctions } from './functions.ts'
import { advisors, ages, authAddresses, projectStatus, settings, switches } from './platform.ts'
import { secretsOfFunctions, vault } from './secrets.ts'
import { bucketsAndAssets, objectNames } from './storage.ts'

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
  objectNames,
  deployedVersions,
  startedFunctions,
  cronJobs,
  databaseState,
  universities,
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
  /** What a stage may stay like. */
  warnings: Finding[]
  /** What could not be read, with why. */
  unread: { check: string; reason: string }[]
  /** What a stage of its kind does not have. */
  skipped: string[]
}

/** Reads a stage, and changes nothing on it. */
export async function examine(stage: Stage, checks: readonly Check[] = CHECKS): Promise<Examination> {
  const examination: Examination = {
    stage: stage.name,
    at: stage.now().toISOString(),
    findings: [],
    warnings: [],
    unread: [],
    skipped: [],
  }
  for (const check of checks) {
    if (check.needsPlatform && !stage.management) {
      examination.skipped.push(check.name)
      continue
    }
    try {
      const found = await check.read(stage)
      for (const { isWarning, ...finding } of found) {
        const mend = finding.mend.replaceAll('--stage NAME', stage.option).replaceAll('NAME', stage.name)
        examination[isWarning ? 'warnings' : 'findings'].push({ ...finding, mend })
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      examination.unread.push({ check: check.name, reason })
    }
  }
  return examination
}
