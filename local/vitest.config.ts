import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'local-supabase',
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As many as the suites of a project that holds this package, or Vitest runs these after them.
    maxWorkers: availableParallelism() + 1,
  },
})
