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
    const top = (at: number, from: number, to: number) => {
      const wave = Float32Array.from({ length: 400 }, (_, i) => Math.cos(0.4 * (i - at)) * (1 - 0.0001 * i))
      return memory.run.strongestMaximum(memory.place(wave), 400, from, to)
    }
    // In the middle all neighbours take part; near the end fewer do.
    expect(top(200.3, 195, 206)).toBeCloseTo(0.98, 3)
    expect(top(200.3, 206, 399)).toBeCloseTo(0.978, 2)
    expect(top(200.3, 199, 200)).toBe(0)
  })

  it('choose the highest maxima as pitch candidates, of those above a level, and leave out what a better one beats', () => {
    const memory = kernels()
    const lags = 300
    const bump = (lag: number, height: number) => height * Math.exp(-((lag / 10) ** 2))
    // Of 100 Hz, and less of 200.
    const correlation = Float64Array.from({ length: 2 * lags + 1 }, (_, i) => {
      const lag = Math.abs(i - lags)
      return bump(lag - 160, 0.9) + bump(lag - 80, 0.4)
    })
    const chosen = (settings: { weakest: number; jumps: number }) => {
      const y = memory.begin().place(correlation)
      const values = [16000, 600, 25, 280, settings.weakest, 0.01, settings.jumps]
      const [hertz, strengths] = [memory.reserve(16), memory.reserve(16)]
      const choice = memory.placeDoubles(values)
      const count = memory.run.choosePitchCandidates(y, lags, choice, hertz, strengths)
      return Array.from(memory.floats(hertz, count), (value, n) => [
        value,
        memory.floats(strengths, count)[n],
      ])
    }
    const both = chosen({ weakest: 0.2, jumps: 10 })
    expect(both.map(([hertz]) => Math.round(hertz ?? 0))).toEqual([100, 200])
    expect(both[0]?.[1]).toBeCloseTo(0.9, 3)
    expect(both[1]?.[1]).toBeCloseTo(0.4, 3)
    expect(chosen({ weakest: 0.2, jumps: 0.4 })).toEqual([both[0]])
    expect(chosen({ weakest: 0.5, jumps: 10 })).toEqual([both[0]])
    expect(chosen({ weakest: 0.95, jumps: 10 })).toEqual([])
  })

  it('find the best path, whose jumps cost more than one better candidate brings', () => {
    const memory = kernels()
    const pathOf = (octaveJump: number) => {
      memory.begin()
      const counts = memory.placeBytes(Uint8Array.from([1, 2, 1, 0]))
      const hertz = memory.place([100, 100, 200, 100])
      const strengths = memory.place([0.9, 0.8, 0.9, 0.9])
      const peaks = memory.place([1, 1, 1, 0.001])
      const costs = memory.placeDoubles([500, 0.03, 0.45, 0.01, octaveJump, 0.14, 1])
      const [cameFrom, path] = [memory.reserve(16), memory.reserve(4)]
      memory.run.findPitchPath(4, counts, hertz, strengths, peaks, costs, cameFrom, path)
      return [...memory.floats(path, 4)]
    }
    expect(pathOf(0.35)).toEqual([100, 100, 100, 0])
    expect(pathOf(0)).toEqual([100, 200, 100, 0])
  })

  it('take no more candidates of a frame than they have room for', () => {
    const pathOf = (count: number) => {
      const memory = kernels()
      const counts = memory.placeBytes(Uint8Array.from([count, 1, 1]))
      const hertz = memory.place(Array.from({ length: count + 2 }, (_, n) => 100 + n / 10))
      const strengths = memory.place(new Float32Array(count + 2).fill(0.9))
      const peaks = memory.place([1, 1, 1])
      const costs = memory.placeDoubles([500, 0.03, 0.45, 0.01, 0.35, 0.14, 1])
      const [cameFrom, path] = [memory.reserve(12), memory.reserve(3)]
      const fixed = memory.floats(0, memory.run.free.value / 4).slice()
      memory.run.findPitchPath(3, counts, hertz, strengths, peaks, costs, cameFrom, path)
      const changed = memory.floats(0, fixed.length).filter((value, i) => !Object.is(value, fixed[i])).length
      return { path: [...memory.floats(path, 3)].map((value) => Math.round(value * 10) / 10), changed }
    }
    expect(pathOf(200).path).toEqual([101.3, 120, 120.1])
    // Two rows of scores and two of octaves, 16 numbers of 64 bits each.
    expect(pathOf(200).changed).toBeLessThanOrEqual(4 * 16 * 2)
  })

  it('tidy samples that no microphone gives, and count those at full scale', () => {
    const memory = kernels()
    const samples = [0.5, Number.NaN, 1e-9, -3, 1, Number.POSITIVE_INFINITY, -0.25, 0.9994, 2, -1e-12]
    for (const count of [samples.length, 7, 1]) {
      const at = memory.begin().place(samples.slice(0, count))
      const clipped = memory.run.tidy(at, count, 1e-8, 0.9995, 2)
      const expected = [0.5, 0, 0, -2, 1, 0, -0.25, Math.fround(0.9994), 2, 0].slice(0, count)
      expect([...memory.floats(at, count)]).toEqual(expected)
      expect(clipped).toBe([0, 1, 0, 1, 1, 1, 0, 0, 1, 0].slice(0, count).reduce((a, b) => a + b))
    }
  })

  it('measure the amplitude about each pulse as a sum over its samples does', () => {
    const memory = kernels()
    const start = 160_000
    const samples = Float32Array.from({ length: 4000 }, (_, i) => Math.sin(i / 7) * Math.cos(i / 900))
    const times = [10.01, 10.0181, 10.0252, 10.0333, 10.06, 10.0671, 10.0742]
    const { first } = memory.placeSamples(samples)
    const into = memory.reserve(2 * times.length)
    memory.run.pulseAmplitudes(first, start, 16000, memory.placeDoubles(times), times.length, into)
    const summed = times.map((timeS, i) => {
      const before = timeS - (times[i - 1] ?? Number.NEGATIVE_INFINITY)
      const after = (times[i + 1] ?? Number.POSITIVE_INFINITY) - timeS
      if (before > 0.02 || after > 0.02) return 0
      let [squares, weights] = [0, 0]
      samples.forEach((sample, n) => {
        const offsetS = (start + n + 0.5) / 16000 - timeS
        const half = 0.2 * (offsetS < 0 ? before : after)
        if (Math.abs(offsetS) > half) return
        const window = 0.5 + 0.5 * Math.cos((Math.PI * offsetS) / half)
        squares += (sample * window) ** 2
        weights += window ** 2
      })
      return Math.sqrt(squares / weights)
    })
    expect(summed.filter((value) => value > 0)).toHaveLength(3)
    for (const [i, value] of summed.entries()) expect(memory.doubles(into, 7)[i]).toBeCloseTo(value, 9)
  })

  it('sum the bins of eight spectra, the outermost in part, and find the largest', () => {
    const memory = kernels()
    const { run } = memory
    const batch = memory.floats(run.batch.value, SLOTS * 20)
    batch.forEach((_, i) => {
      batch[i] = 1 + (i % SLOTS) + ((Math.floor(i / SLOTS) * 7) % 11)
    })
    const bin = (slot: number, q: number) => batch[SLOTS * q + slot] ?? 0
    run.sumBins(3, 12, 0.25, 0.5, 0)
    run.largestBin(4, 9, 1)
    const left = memory.floats(run.scratch.value, 2 * SLOTS)
    for (let slot = 0; slot < SLOTS; slot++) {
      let sum = 0.25 * bin(slot, 3) + 0.5 * bin(slot, 12)
      for (let q = 4; q < 12; q++) sum += bin(slot, q)
      expect(left[slot]).toBeCloseTo(sum, 4)
      expect(left[SLOTS + slot]).toBe(Math.max(...[4, 5, 6, 7, 8, 9].map((q) => bin(slot, q))))
    }
  })

  it('keep what was placed before when their memory grows', () => {
    const memory = kernels()
    const first = memory.place([1, 2, 3])
    const rest = memory.reserve(5_000_000)
    expect([...memory.floats(first, 3)]).toEqual([1, 2, 3])
    expect(memory.floats(rest, 5_000_000).every((value) => value === 0)).toBe(true)
  })
})
