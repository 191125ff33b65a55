import { describe, expect, it } from 'vitest'
import { Resampler, SignalWriter } from '../../../functions/_shared/audio/decode/resampling.ts'
import { ANALYSIS_RATE_HZ, silence } from '../../../functions/_shared/audio/signal.ts'
import { noise } from './recordings.ts'

/** Four seconds of noise. */
function recording(rateHz: number): Float32Array {
  const random = noise()
  return Float32Array.from({ length: 4 * rateHz }, () => 0.9 * random())
}

const START = 1.5 * ANALYSIS_RATE_HZ
const END = 3.75 * ANALYSIS_RATE_HZ

describe('a signal that is written piece by piece', () => {
  it.each([8000, 11025, 16000, 44100, 48000, 96000])(
    'is the one that the whole recording gives, at %d Hz',
    (rateHz) => {
      const samples = recording(rateHz)
      const atOnce = new Float32Array(END - START)
      new Resampler(rateHz, ANALYSIS_RATE_HZ).resample(samples, 0, atOnce, START)
      for (const pieceLength of [160, 1152, 4096, 50_000, samples.length]) {
        const signal = silence(START, END)
        const writer = new SignalWriter(signal, rateHz)
        for (let from = 0; from < samples.length; from += pieceLength) {
          writer.write([samples.subarray(from, from + pieceLength)], from)
        }
        writer.finish()
        expect(signal.samples).toEqual(atOnce)
      }
    },
  )

  it('is silent where nothing was written', () => {
    const samples = recording(48000)
    const signal = silence(0, 4 * ANALYSIS_RATE_HZ)
    const writer = new SignalWriter(signal, 48000)
    writer.write([samples.subarray(0, 48000)], 0)
    writer.write([samples.subarray(3 * 48000, 3.5 * 48000)], 3 * 48000)
    writer.finish()
    const isSilent = (fromS: number, toS: number) =>
      signal.samples.subarray(fromS * ANALYSIS_RATE_HZ, toS * ANALYSIS_RATE_HZ).every((value) => value === 0)
    expect([isSilent(0, 1), isSilent(1.01, 2.99), isSilent(3, 3.5), isSilent(3.51, 4)]).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  // Arithmetic with subnormal numbers, which spectra of such sound hold, takes a processor many times as long.
  it('is silent where no microphone hears', () => {
    const signal = silence(0, 16000)
    const writer = new SignalWriter(signal, 16000)
    const levels = [1e-45, 1e-38, 2e-34, -1e-20, 9e-9, -2e-8, 1 / 2 ** 23]
    writer.write([Float32Array.from(levels)], 0)
    writer.finish()
    expect(Array.from(signal.samples.subarray(0, 8))).toEqual([
      ...[0, 0, 0, 0, 0],
      ...[Math.fround(-2e-8), 1 / 2 ** 23, 0],
    ])
  })

  it('is the mean of the channels', () => {
    const left = recording(16000)
    const right = left.map((sample) => sample / 2)
    const signal = silence(0, 16000)
    const writer = new SignalWriter(signal, 16000)
    writer.write([left, right], 0)
    writer.finish()
    expect(signal.samples[100]).toBeCloseTo(0.75 * (left[100] ?? 0), 6)
  })

  it('holds no sample that is no number, and counts those at full scale', () => {
    const samples = new Float32Array(16000).fill(0.1)
    samples.set([Number.NaN, Number.POSITIVE_INFINITY, 5, -1], 8000)
    const signal = silence(0, 16000)
    const writer = new SignalWriter(signal, 16000)
    writer.write([samples], 0)
    writer.finish()
    expect(Array.from(signal.samples.subarray(8000, 8004))).toEqual([0, 0, 2, -1])
    expect(signal.clippedSamples).toBe(4)
  })
})
