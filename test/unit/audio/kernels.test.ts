import { describe, expect, it } from 'vitest'
import { kernels, SLOTS } from '../../../functions/_shared/audio/kernels.ts'

/** Numbers between -1 and 1 that repeat with the seed. */
function numbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, i) => Math.sin((i + 1) * (i + seed) * 0.37))
}

function quantile(values: number[], rank: number): number {
  return values.toSorted((a, b) => a - b)[rank] ?? Number.NaN
}

describe('a batch of eight frames', () => {
  it.each([512, 1024, 2048])('is transformed as eight sequences of %d would be one by one', (size) => {
    const memory = kernels()
    const window = memory.place(new Float32Array(size).fill(1))
    const frames = Array.from({ length: SLOTS }, (_, slot) => numbers(size, slot + 2))
    frames.forEach((frame, slot) => {
      memory.setFrame(slot, memory.place(frame), 0)
    })
    memory.run.loadFrames(window, size, size)
    memory.run.transform(size)
    memory.run.powers(size)
    const batch = memory.floats(memory.run.batch.value, SLOTS * size)
    for (const [slot, frame] of frames.entries()) {
      for (const k of [0, 1, 7, size / 4, size / 2]) {
        const re = frame.reduce((sum, x, i) => sum + x * Math.cos((2 * Math.PI * i * k) / size), 0)
        const im = frame.reduce((sum, x, i) => sum - x * Math.sin((2 * Math.PI * i * k) / size), 0)
        const power = re ** 2 + im ** 2
        expect(Math.abs((batch[SLOTS * k + slot] ?? Number.NaN) - power)).toBeLessThan(1e-4 * size)
      }
    }
  })

  it('has the logarithm of its power where there is none, too', () => {
    const memory = kernels()
    const window = memory.place(new Float32Array(512).fill(1))
    const pulse = new Float32Array(512)
    pulse[0] = 0.25
    for (let slot = 0; slot < SLOTS; slot++) {
      memory.setFrame(slot, memory.place(slot % 2 === 0 ? pulse : new Float32Array(512)), 0)
    }
    memory.run.loadFrames(window, 512, 512)
    memory.run.transform(512)
    memory.run.logPowers(512)
    const batch = memory.floats(memory.run.batch.value, SLOTS * 512)
    for (const k of [0, 1, 100, 256, 400, 511]) {
      expect(batch[SLOTS * k]).toBeCloseTo(Math.log(0.0625), 5)
      expect(batch[SLOTS * k + 1]).toBeCloseTo(Math.log(1e-37), 3)
    }
  })

  it('gets a line by medians of its own for each frame', () => {
    const memory = kernels()
    const [from, to] = [10, 61]
    const batch = memory.floats(memory.run.batch.value, SLOTS * to)
    for (let q = 0; q < to; q++) {
      for (let slot = 0; slot < SLOTS; slot++) {
        // One value in five lies far off.
        batch[SLOTS * q + slot] = slot - 0.1 * slot * q + (q % 5 === 0 ? 40 : 0)
      }
    }
    const levels = Array.from({ length: SLOTS }, (_, slot) =>
      Array.from({ length: to }, (_, q) => batch[SLOTS * q + slot] ?? 0),
    )
    memory.run.theilLines(from, to)
    const lines = memory.floats(memory.run.scratch.value, 2 * SLOTS)
    for (const [slot, level] of levels.entries()) {
      const slopes = Array.from({ length: 25 }, (_, i) => ((level[i + 36] ?? 0) - (level[i + 10] ?? 0)) / 26)
      const slope = quantile(slopes, 12)
      const intercepts = level.slice(from).map((value, i) => value - slope * (from + i))
      expect(lines[slot]).toBeCloseTo(slope, 3)
      expect(Math.abs((lines[SLOTS + slot] ?? Number.NaN) - quantile(intercepts, 25))).toBeLessThan(0.02)
    }
  })
})

describe('the kernels', () => {
  it('find the top of a wave between its samples', () => {
    const memory = kernels()
    const y = memory.place(Float32Array.from({ length: 400 }, (_, i) => Math.cos(0.4 * (i - 200.3))))
    // In the middle all neighbours take part; near the end fewer do.
    expect(memory.run.sincPeak(y, 400, 200)).toBeCloseTo(1, 3)
    expect(memory.result(0)).toBeCloseTo(200.3, 2)
    const late = 200.3 + (2 * Math.PI * 11) / 0.4
    expect(memory.run.sincPeak(y, 400, Math.round(late))).toBeCloseTo(1, 2)
    expect(memory.result(0)).toBeCloseTo(late, 1)
  })

  it('find local maxima above a level only', () => {
    const memory = kernels()
    const y = memory.place([0, 0.2, 0.1, 0.9, 0.9, 0.3, 0.5, 0.4, 1])
    expect([...memory.maxima(y, 1, 8, 0.15)]).toEqual([1, 3, 6])
    expect([...memory.maxima(y, 1, 8, 0.4)]).toEqual([3, 6])
  })

  it('keep what was placed before when their memory grows', () => {
    const memory = kernels()
    const first = memory.place([1, 2, 3])
    const rest = memory.reserve(5_000_000)
    expect([...memory.floats(first, 3)]).toEqual([1, 2, 3])
    expect(memory.floats(rest, 5_000_000).every((value) => value === 0)).toBe(true)
  })
})
