import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { inDepth } from './test/depth.ts'

export default defineConfig({
  test: {
    // Most tests wait for the stack, so one worker more than cores keeps them busy; the default is one less.
    maxWorkers: availableParallelism() + 1,
    // What a library prints in a passing test is noise.
    silent: 'passed-only',
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      'local',
      {
        test: {
          name: 'unit',
          include: ['test/{unit,hostile-media}/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The suites that need a running project. They share one, which is booted when the first of them begins.
        test: {
          name: 'stack',
          include: ['test/{api,policies,schema,browser,hostile}/**/*.test.ts'],
          globalSetup: ['test/stack/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { test: { name: 'local', include: ['test/local/**/*.test.ts'], testTimeout: 120_000 } },
      // Only before a release: what takes long and protects nobody's data or life.
      ...(inDepth
        ? [
            {
              test: {
                name: 'deep',
                include: ['test/{deep,accuracy}/**/*.test.ts'],
                testTimeout: 300_000,
                hookTimeout: 300_000,
              },
            },
          ]
        : []),
    ],
  },
})
