import { platform } from 'node:os'
import { describe, expect, it } from 'vitest'
import { dose, SEED } from '../depth.ts'
import { attack, LIMITS } from './attack.ts'

const seed = Number.parseInt(SEED, 10) || 1

// Peaks of memory are read from Linux' /proc.
describe.skipIf(platform() !== 'linux')('hostile recordings', () => {
  it('end no process, and take no request more than a function has', { timeout: 600_000 }, async () => {
    // Other suites run on the same cores, which makes the same work cost more; and a worker has not reached its memory at rest
    // after few files. What leaks keeps tens of megabytes a file.
    const limits = { ...LIMITS, cpuS: 2 * LIMITS.cpuS, keptMb: 5 * LIMITS.keptMb }
    const report = await attack('audio', seed, dose(60, 2000), limits)
    expect(report.failures).toEqual([])
    expect(report.requests).toBeGreaterThan(report.files)
    // Both kinds are there: what is refused at once, and what is taken and must be analysed within bounds.
    expect(report.outcomes.analysed).toBeGreaterThan(0)
    expect(report.outcomes.audio_unreadable).toBeGreaterThan(0)
  })
})
