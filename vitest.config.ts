import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // What a library prints in a passing test is noise.
    silent: 'passed-only',
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      'local',
      {
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
      {
        test: {
          name: 'stack',
          include: ['test/{api,policies,schema}/**/*.test.ts'],
          globalSetup: ['test/stack/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/stack/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'accuracy',
          include: ['test/accuracy/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      { test: { name: 'local', include: ['test/local/**/*.test.ts'], testTimeout: 120_000 } },
      {
        test: {
          name: 'hostile',
          include: ['test/hostile/**/*.test.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'deploy',
          include: ['test/deploy/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
