import { platform } from 'node:os'
import { describe, expect, it } from 'vitest'
import { dose, inDepth, SEED } from '../../depth.ts'
import { attack, LIMITS } from './attack.ts'
import { attackStack } from './through-stack.ts'

const seed = Number.parseInt(SEED, 10) || 1

// Other suites run on the same cores, which makes the same work cost more; and a worker has not reached its memory at rest
// after few files. What leaks keeps tens of megabytes a file.
const limits = { ...LIMITS, keptMb: 5 * LIMITS.keptMb }

/** In seconds: the costliest of them takes 0.3 s on idle cores. */
const IMAGE_CPU_S = 1

// Peaks of memory are read from Linux' /proc.
describe.skipIf(platform() !== 'linux')(
  'hostile media end no process, and take no request more than a function has',
  () => {
    it.each([
      ['audio', 'audio_unreadable', 2 * LIMITS.cpuS],
      ['images', 'image_unreadable', IMAGE_CPU_S],
    ] as const)('%s', { timeout: 3_600_000 }, async (kind, rejected, cpuS) => {
      // A slice of a few seconds holds every structure; what a whole one costs is measured on demand.
      const report = await attack(kind, seed, dose(500, 10_000), {
        limits: { ...limits, cpuS },
        mostSliceS: dose(2, 60),
      })
      expect(report.failures).toEqual([])
      expect(report.requests).toBeGreaterThan(report.files)
      // Both kinds are there: what is rejected at once, and what is taken and must be analysed within bounds.
      expect(report.outcomes.analysed).toBeGreaterThan(0)
      expect(report.outcomes[rejected]).toBeGreaterThan(0)
    })

    it.runIf(inDepth)(
      'also through a stack, where another student goes on using the service',
      { timeout: 3_600_000 },
      async () => {
        const report = await attackStack(seed, 400)
        expect(report.failures).toEqual([])
        expect(report.outcomes['200']).toBeGreaterThan(0)
      },
    )
  },
)
