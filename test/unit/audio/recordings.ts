import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import type { LoadAsset } from '../../../functions/_shared/audio/decode/aac.ts'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import { type AudioAnalysis, mergeSlices } from '../../../functions/_shared/audio/merge-slices.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import type { MediaSource } from '../../../functions/_shared/audio/recording.ts'
import {
  assembleMeasures,
  type RecordingMeasures,
} from '../../../functions/_shared/audio/recording-measures.ts'
import { type AudioSliceOutcome, planSlices } from '../../../functions/_shared/audio/slices.ts'
import type { AudioFeatureName } from '../../../functions/_shared/features/audio.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** Reads the binaries from where the build puts them. */
export const loadAsset: LoadAsset = async (name) =>
  new Uint8Array(await readFile(join(root, 'vendor', 'assets', name)))

/** The bytes of a recording in `corpora/speech`. */
export async function fixture(name: string): Promise<Uint8Array> {
  return new Uint8Array(await readFile(join(root, 'corpora', 'speech', name)))
}

export function sourceOf(bytes: Uint8Array): MediaSource {
  return { size: bytes.length, read: async (start, end) => bytes.slice(start, end) }
}

/** A mono 16-bit wav file of samples between -1 and 1. */
export function wav(samples: ArrayLike<number>, rateHz = 16000): Uint8Array {
  const bytes = wavHeader(samples.length * 2, rateHz, samples.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < samples.length; i++) {
    const level = Math.round((samples[i] ?? 0) * 32768)
    view.setInt16(44 + 2 * i, Math.max(-32768, Math.min(32767, level)), true)
  }
  return bytes
}

/** A stereo 16-bit wav file at 16 kHz of two channels of equal length. */
export function stereoWav(left: ArrayLike<number>, right: ArrayLike<number>): Uint8Array {
  const rateHz = 16000
  const bytes = wav(
    Float64Array.from({ length: 2 * left.length }, (_, i) => (i % 2 ? right : left)[i >> 1] ?? 0),
    rateHz,
  )
  const view = new DataView(bytes.buffer)
  view.setUint16(22, 2, true)
  view.setUint32(28, rateHz * 4, true)
  view.setUint16(32, 4, true)
  return bytes
}

/** Samples at another rate, by a sum of sines over x under a Hann window of 48 samples of the lower rate. */
export function atRate(samples: ArrayLike<number>, fromHz: number, toHz: number): Float64Array {
  const cutoff = Math.min(1, toHz / fromHz)
  const reach = 24 / cutoff
  return Float64Array.from({ length: Math.floor((samples.length * toHz) / fromHz) }, (_, i) => {
    const place = ((i + 0.5) * fromHz) / toHz - 0.5
    let sum = 0
    for (let k = Math.ceil(place - reach); k <= place + reach; k++) {
      const x = place - k
      const sinc = x === 0 ? cutoff : Math.sin(Math.PI * cutoff * x) / (Math.PI * x)
      sum += (samples[k] ?? 0) * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / reach))
    }
    return sum
  })
}

/** A wav header that declares `declaredBytes` of 16-bit mono sound, followed by `heldBytes` of silence. */
export function wavHeader(declaredBytes: number, rateHz = 16000, heldBytes = 0): Uint8Array {
  const bytes = new Uint8Array(44 + heldBytes)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode('RIFF____WAVEfmt '))
  view.setUint32(4, 36 + declaredBytes, true)
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rateHz, true)
  view.setUint32(28, rateHz * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  bytes.set(new TextEncoder().encode('data'), 36)
  view.setUint32(40, declaredBytes, true)
  return bytes
}

/** `seconds` of sound at `rateHz`, sample by sample. */
export function sound(
  seconds: number,
  valueAt: (timeS: number, index: number) => number,
  rateHz = 16000,
): Float64Array {
  return Float64Array.from({ length: Math.round(seconds * rateHz) }, (_, i) => valueAt((i + 0.5) / rateHz, i))
}

/** Uniform noise between -1 and 1 that is the same each time (Lehmer's generator). */
export function noise(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return (2 * state) / 2147483647 - 1
  }
}

/** A voice-like sound: at each pulse time a decaying resonance of 700 Hz. */
export function pulseTrain(
  pulseTimes: number[],
  amplitudes: number[],
  seconds: number,
  rateHz = 16000,
): Float64Array {
  const samples = new Float64Array(Math.round(seconds * rateHz))
  pulseTimes.forEach((pulseS, p) => {
    const first = Math.ceil(pulseS * rateHz - 0.5)
    for (let i = first; i < Math.min(samples.length, first + 0.02 * rateHz); i++) {
      const since = (i + 0.5) / rateHz - pulseS
      const value = Math.exp(-since * 500) * Math.sin(2 * Math.PI * 700 * since)
      samples[i] = (samples[i] ?? 0) + 0.5 * (amplitudes[p] ?? 1) * value
    }
  })
  return samples
}

/** Probes, slices, analyses and merges a recording, as the pipeline does. */
export async function analyze(bytes: Uint8Array, maxSliceS?: number): Promise<AudioAnalysis> {
  const { outcomes, durationS } = await analyzeSlices(bytes, maxSliceS)
  return mergeSlices(outcomes, durationS)
}

/** What the features are computed from, and each feature, even where noise or an echo would leave it out. */
export async function measure(
  bytes: Uint8Array,
): Promise<{ measures: RecordingMeasures; features: Record<AudioFeatureName, number | null> }> {
  const { outcomes, durationS } = await analyzeSlices(bytes)
  const measures = assembleMeasures(outcomes, durationS)
  const features = Object.fromEntries(AUDIO_FEATURES.map(({ name, extract }) => [name, extract(measures)]))
  return { measures, features: features as Record<AudioFeatureName, number | null> }
}

async function analyzeSlices(
  bytes: Uint8Array,
  maxSliceS?: number,
): Promise<{ outcomes: AudioSliceOutcome[]; durationS: number }> {
  const source = sourceOf(bytes)
  const info = await probeRecording(source)
  const slices = planSlices(info.durationS, maxSliceS)
  const outcomes = await Promise.all(slices.map((slice) => analyzeSlice(source, info, slice, loadAsset)))
  return { outcomes, durationS: info.durationS }
}
