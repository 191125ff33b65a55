import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with the plain counts, which any CI reads. A file that could not be loaded counts as one failure. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      for (const test of tests) counts[test.result().state] += 1
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed'))
        counts.failed += 1
    }
    console.log(
      `\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped + counts.pending} skipped`,
    )
  }
}
