import { relative } from 'node:path'
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'
import { inDepth, SEED } from './depth.ts'

type Counts = { passed: number; failed: number; skipped: number; pending: number }

/** How many files a run ends with. */
const SLOWEST = 20

/**
 * Ends a run with the slowest files, what each suite took, why tests were skipped, and the plain counts, which any CI reads. A file that could
 * not be loaded counts as one failure.
 */
export default class ClosingLine implements Reporter {
  #root = ''

  onInit({ config }: Vitest): void {
    this.#root = config.root
    if (inDepth) console.log(`Seed ${SEED}; the same again: npm run test:deep -- --seed ${SEED}`)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts: Counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const suites = new Map<string, { tests: number; seconds: number }>()
    const files: { path: string; seconds: number }[] = []
    const reasons = new Map<string, number>()
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) {
        const { state } = test.result()
        counts[state] += 1
        const reason = state === 'skipped' ? reasonOf(test) : undefined
        if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      }
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) {
        counts.failed += 1
      }
      const file = { path: relative(this.#root, module.moduleId), seconds: secondsOf(module) }
      files.push(file)
      const name = suiteOf(file.path)
      const { tests: before, seconds } = suites.get(name) ?? { tests: 0, seconds: 0 }
      suites.set(name, { tests: before + tests.length, seconds: seconds + file.seconds })
    }
    files.sort((a, b) => b.seconds - a.seconds)
    console.log(`\nThe ${SLOWEST} slowest files; the workers run several at once:`)
    for (const { path, seconds } of files.slice(0, SLOWEST)) {
      console.log(`  ${seconds.toFixed(1).padStart(7)} s  ${path}`)
    }
    const longestFirst = [...suites].sort(([, a], [, b]) => b.seconds - a.seconds)
    console.log('Time of each suite:')
    for (const [name, { tests, seconds }] of longestFirst) {
      console.log(`  ${seconds.toFixed(1).padStart(7)} s  ${name}, ${tests} tests`)
    }
    if (reasons.size > 0) console.log('Skipped:')
    for (const [reason, tests] of reasons) console.log(`  ${String(tests).padStart(7)}    ${reason}`)
    console.log(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`,
    )
  }
}

/** `test/api/access/access.test.ts` is of the suite `api`; a package's own tests are of the package's. */
function suiteOf(path: string): string {
  const [top = '', folder = ''] = path.split('/')
  return top === 'test' ? folder : top
}

function secondsOf(module: TestModule): number {
  const { setupDuration, collectDuration, duration } = module.diagnostic()
  return (setupDuration + collectDuration + duration) / 1000
}

/** Why a test is skipped, where it or a group that it is in says so. */
function reasonOf(test: TestCase): string {
  for (let of: TestCase | TestSuite | TestModule = test; of.type !== 'module'; of = of.parent) {
    const { skippedBecause } = of.meta()
    if (skippedBecause !== undefined) return skippedBecause
  }
  return test.fullName
}
