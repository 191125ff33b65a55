import { readFile } from 'node:fs/promises'

/*
 * Alpha ratio and Hammarberg index as eGeMAPS defines them (Eyben et al. 2016), written down as plainly as can be and apart
 * from the analysis: a discrete Fourier transform, term by term, every 10 Hz.
 */

const STEP_HZ = 10
const HIGHEST_HZ = 5000
const WINDOW_S = 0.02

export interface SpectralIndices {
  alpha_ratio_db: number
  hammarberg_index_db: number
}

/** The means over the frames whose centres are given, in seconds, of a wav file of 16-bit mono sound. */
export async function spectralIndices(path: string, centres: number[]): Promise<SpectralIndices> {
  const { samples, rateHz } = await readSamples(path)
  const length = WINDOW_S * rateHz
  const waves = Array.from({ length: HIGHEST_HZ / STEP_HZ + 1 }, (_, k) => wave(k * STEP_HZ, length, rateHz))
  const frames = centres.map((centreS) => {
    const first = Math.round(centreS * rateHz - length / 2)
    const windowed = Float64Array.from({ length }, (_, n) => {
      const hamming = 0.54 - 0.46 * Math.cos((2 * Math.PI * n) / (length - 1))
      return hamming * (samples[first + n] ?? 0)
    })
    const power = waves.map(({ cosine, sine }) => inner(windowed, cosine) ** 2 + inner(windowed, sine) ** 2)
    const band = (fromHz: number, toHz: number) =>
      power.filter((_, k) => k * STEP_HZ >= fromHz && k * STEP_HZ < toHz)
    return {
      alpha: decibels(total(band(50, 1000)) / total(band(1000, 5000))),
      hammarberg: decibels(Math.max(...band(0, 2000)) / Math.max(...band(2000, 5000))),
    }
  })
  return {
    alpha_ratio_db: total(frames.map(({ alpha }) => alpha)) / frames.length,
    hammarberg_index_db: total(frames.map(({ hammarberg }) => hammarberg)) / frames.length,
  }
}

function wave(hertz: number, length: number, rateHz: number) {
  const phase = (n: number) => (2 * Math.PI * hertz * n) / rateHz
  return {
    cosine: Float64Array.from({ length }, (_, n) => Math.cos(phase(n))),
    sine: Float64Array.from({ length }, (_, n) => Math.sin(phase(n))),
  }
}

function inner(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let n = 0; n < a.length; n++) sum += (a[n] ?? 0) * (b[n] ?? 0)
  return sum
}

function total(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function decibels(ratio: number): number {
  return 10 * Math.log10(ratio)
}

async function readSamples(path: string): Promise<{ samples: Float64Array; rateHz: number }> {
  const bytes = await readFile(path)
  const data = bytes.indexOf('data') + 8
  const count = Math.floor((bytes.length - data) / 2)
  return {
    samples: Float64Array.from({ length: count }, (_, i) => bytes.readInt16LE(data + 2 * i) / 32768),
    rateHz: bytes.readUInt32LE(24),
  }
}
