import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { BARS } from './bars.ts'
import { compare, difference } from './comparison.ts'
import { makeRecordings, missingTools } from './recordings.ts'

const missing = missingTools()
const folder = await mkdtemp(join(tmpdir(), 'accuracy-'))
const recordings = missing.length > 0 ? [] : makeRecordings(folder)
afterAll(() => rm(folder, { recursive: true }))

describe("the voice features beside Praat's", () => {
  const without = missing.length > 0 ? ` (SKIPPED: ${missing.join(', ')} not installed)` : ''
  test.skipIf(missing.length > 0)(`are compared on at least twelve recordings${without}`, () => {
    expect(recordings.length).toBeGreaterThanOrEqual(12)
  })

  test.each(recordings)('agree on: $name', async (recording) => {
    const comparison = await compare(recording)
    for (const bar of BARS) {
      const off = difference(comparison, bar)
      const [ours, reference] = [comparison.ours, comparison.reference].map((values) =>
        values.get(bar.measure),
      )
      expect(Math.abs(off), `${bar.measure}: ${ours}, reference ${reference}`).toBeLessThanOrEqual(bar.limit)
    }
  })
})
