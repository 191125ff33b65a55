import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'local-supabase',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // They share nothing, so that a worker loads what it tests once.
    isolate: false,
    // These only end what hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 30_000 } },
    // As many as the suites of a project that holds this package, or Vitest runs these after them.
    maxWorkers: 2 * availableParallelism(),
  },
})
