import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { inDepth } from './test/depth.ts'
import { LEFT_TO_A_RELEASE } from './test/left-to-a-release.ts'

/** Limits that only end what hangs: a machine with other work takes many times as long as an idle one. */
const patience = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 30_000 } } }

/** What measures the memory of its own process shares it with no other file. */
const measuringMemory = ['test/unit/audio/reusable-decoders.test.ts', 'test/attacks/media/images.test.ts']

/** Attacks that need no stack: on the pure code that reads files and texts. */
const attacksOnDomains = ['test/attacks/{media,text}/**/*.test.ts']

/** Short files that take the longest: begun last, as their size has it, they would keep one worker after all others. */
const longest = [
  'test/policies/policies.test.ts',
  'test/attacks/incidents/incidents.test.ts',
  'test/api/pipeline/recovery.test.ts',
  'test/api/access/access.test.ts',
  'test/api/messaging/providers.test.ts',
  'test/api/accounts/sign-in-new-accounts.test.ts',
  'test/schema/schema.test.ts',
  'test/api/textmodel/provider.test.ts',
  'test/attacks/media/media.test.ts',
  'test/api/support/alerts/histories.test.ts',
  'test/browser/buddy.test.ts',
  'test/attacks/accounts/aimed-blocks.test.ts',
  'test/attacks/requests/bad-input.test.ts',
  'test/attacks/requests/hostile.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => longest.some((name) => moduleId.endsWith(name))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

// The workers, and the forty commands that tests start, read the same files: compiled once, a start takes half the CPU.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'node')

export default defineConfig({
  test: {
    // Most tests wait for the stack, so two workers for each core keep them busy; the default is one less than cores.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    // What a library prints in a passing test is noise.
    silent: 'passed-only',
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts', ...attacksOnDomains],
          // The domains are pure, so that files may share a worker, which then loads the models and lists once.
          exclude: measuringMemory,
          isolate: false,
          ...patience,
        },
      },
      { test: { name: 'memory', include: measuringMemory, ...patience } },
      {
        // The suites that need a running project. They share one, which is booted when the first of them begins; those that
        // start stacks of their own begin with a copy of its database.
        test: {
          name: 'stack',
          include: ['test/{api,policies,schema,browser,attacks,local,apps}/**/*.test.ts'],
          exclude: [
            ...attacksOnDomains,
            ...(inDepth ? [] : LEFT_TO_A_RELEASE.map((path) => path.replace(/\/$/, '/**'))),
          ],
          globalSetup: ['harness/stack/global-setup.ts'],
          // They share nothing but what is read, so that a worker loads the clients and the description of the API once.
          isolate: false,
          ...patience,
        },
      },
      // Before a release.
      ...(inDepth
        ? ['local', { test: { name: 'deep', include: ['test/{deep,accuracy}/**/*.test.ts'], ...patience } }]
        : []),
    ],
  },
})
