import { describe, expect, it } from 'vitest'
import { AUDIO_FEATURES } from '../../../functions/_shared/audio/features/registry.ts'
import { analyze, measure, noise, pulseTrain, sound, wav } from './recordings.ts'

/** Pulse times with a period that alternates by `jitter`, and amplitudes that alternate by `shimmer`. */
function alternating(seconds: number, periodS: number, jitter: number, shimmer: number) {
  const times: number[] = []
  for (let timeS = 0.01; timeS < seconds; timeS += periodS * (1 + (times.length % 2 ? 0.5 : -0.5) * jitter)) {
    times.push(timeS)
  }
  return { times, amplitudes: times.map((_, i) => 1 + (i % 2 ? 0.5 : -0.5) * shimmer) }
}

/** The mean absolute difference of neighbours over the mean: what "local" perturbation is by definition. */
function localPerturbation(values: number[]): number {
  const differences = values.slice(1).map((value, i) => Math.abs(value - (values[i] ?? value)))
  const mean = (of: number[]) => of.reduce((sum, value) => sum + value, 0) / of.length
  return mean(differences) / mean(values)
}

/**
 * How far a measure may lie from the truth. Pulses are found where the waveform correlates best with itself, which the tail of
 * the pulse before disturbs a little; amplitudes are means under a window that reaches beyond the pulse. Praat gives
 * the same figures for these sounds. The spectrum is sampled every 31 Hz, between which a peak loses some height.
 * In strong noise the strongest of several maxima of the correlation is a little too high.
 */
const WITHIN = { jitter: 0.03, shimmer: 0.05, hnrDb: 0.8, spectralDb: 0.3 }

function expectWithin(value: number | null, truth: number, part: number): void {
  expect(Math.abs((value ?? Number.NaN) / truth - 1)).toBeLessThanOrEqual(part)
}

describe('sounds of which the truth is known', () => {
  it.each([90, 150, 220.5, 440])('finds the pitch of a tone of %d Hz', async (hertz) => {
    const { features } = await measure(wav(sound(3, (timeS) => 0.5 * Math.sin(2 * Math.PI * hertz * timeS))))
    expect(features.f0_mean_hz).toBeCloseTo(hertz, 1)
    expect(features.f0_sd_semitones).toBeLessThan(0.01)
    expect(features.voiced_fraction).toBeGreaterThan(0.99)
    expect(features.jitter_local).toBeLessThan(0.001)
  })

  it('finds the intensity of a tone: a full-scale sine has 91 dB re 2e-5 Pa', async () => {
    const { features } = await measure(wav(sound(3, (timeS) => 0.1 * Math.sin(2 * Math.PI * 200 * timeS))))
    expect(features.intensity_mean_db).toBeCloseTo(20 * Math.log10(0.1 / Math.SQRT2 / 2e-5), 1)
  })

  it('finds a rise of one octave in two seconds', async () => {
    const octaves = (timeS: number) => timeS / 2
    const phase = (timeS: number) => (2 * Math.PI * 110 * (2 ** octaves(timeS) - 1)) / (Math.LN2 / 2)
    const { features } = await measure(wav(sound(2, (timeS) => 0.5 * Math.sin(phase(timeS)))))
    expect(features.f0_slope_semitones_per_s).toBeCloseTo(6, 1)
    expect(features.f0_range_semitones).toBeCloseTo(0.9 * 12, 0)
  })

  it.each([0.005, 0.01, 0.03])('finds a jitter of %d that alternates', async (jitter) => {
    const { times, amplitudes } = alternating(3, 1 / 130, jitter, 0)
    const { features } = await measure(wav(pulseTrain(times, amplitudes, 3)))
    expectWithin(features.jitter_local, jitter, WITHIN.jitter)
  })

  it.each([0.05, 0.15])('finds a shimmer of %d that alternates', async (shimmer) => {
    const { times, amplitudes } = alternating(3, 1 / 130, 0, shimmer)
    const { features } = await measure(wav(pulseTrain(times, amplitudes, 3)))
    expectWithin(features.shimmer_local, shimmer, WITHIN.shimmer)
  })

  // Slow enough for a pulse to have died away when the next begins.
  it.each([80, 100, 120])('finds the jitter and shimmer of random periods at %d Hz', async (hertz) => {
    const random = noise(hertz)
    const times: number[] = []
    for (let timeS = 0.01; timeS < 3; timeS += (1 + 0.02 * random()) / hertz) times.push(timeS)
    const amplitudes = times.map(() => 1 + 0.1 * random())
    const periods = times.slice(1).map((timeS, i) => timeS - (times[i] ?? timeS))
    const { features } = await measure(wav(pulseTrain(times, amplitudes, 3)))
    expectWithin(features.jitter_local, localPerturbation(periods), WITHIN.jitter)
    expectWithin(features.shimmer_local, localPerturbation(amplitudes), WITHIN.shimmer)
  })

  it.each([5, 10, 20, 30])('finds a harmonics-to-noise ratio of %d dB', async (hnr) => {
    const random = noise()
    const rms = 0.3 / Math.SQRT2 / 10 ** (hnr / 20)
    const { features } = await measure(
      wav(sound(3, (timeS) => 0.3 * Math.sin(2 * Math.PI * 150 * timeS) + rms * Math.sqrt(3) * random())),
    )
    expect(Math.abs((features.hnr_db ?? Number.NaN) - hnr)).toBeLessThanOrEqual(WITHIN.hnrDb)
  })

  it('finds a clearer cepstral peak in a clearer voice', async () => {
    const prominences = []
    for (const level of [0.3, 0.1, 0.03, 0.01]) {
      const random = noise()
      const { times, amplitudes } = alternating(3, 1 / 130, 0, 0)
      const voice = pulseTrain(times, amplitudes, 3)
      const { features } = await measure(wav(voice.map((sample) => sample + level * random())))
      prominences.push(features.cpps_db ?? Number.NaN)
    }
    expect(prominences).toEqual([...prominences].sort((a, b) => a - b))
  })

  it.each([6, 12, 20])('finds an alpha ratio of %d dB', async (ratio) => {
    // One harmonic on each side of 1 kHz: their energies alone make the ratio.
    const high = 0.2 / 10 ** (ratio / 20)
    const low = (timeS: number) => 0.2 * Math.sin(2 * Math.PI * 190 * timeS)
    const { features } = await measure(
      wav(sound(2, (timeS) => low(timeS) + high * Math.sin(2 * Math.PI * 3000 * timeS))),
    )
    expect(Math.abs((features.alpha_ratio_db ?? Number.NaN) - ratio)).toBeLessThanOrEqual(WITHIN.spectralDb)
    expect(Math.abs((features.hammarberg_index_db ?? Number.NaN) - ratio)).toBeLessThanOrEqual(
      WITHIN.spectralDb,
    )
  })

  it('counts bursts of sound as syllables and the gaps between groups as pauses', async () => {
    // Three groups of four bursts of 0.25 s, a second of silence between the groups.
    const level = (timeS: number) => (timeS % 2 < 1 ? Math.sin(Math.PI * ((timeS % 0.25) / 0.25)) ** 2 : 0)
    const { features } = await measure(
      wav(sound(6, (timeS) => (timeS < 5 ? level(timeS) : 0) * 0.5 * Math.sin(2 * Math.PI * 140 * timeS))),
    )
    expect(features.pause_rate_per_min).toBeCloseTo(24, 0)
    expect(features.pause_mean_s).toBeGreaterThan(0.9)
    expect(features.pause_mean_s).toBeLessThan(1.1)
    // The script by de Jong and Wempe never counts the last peak.
    expect(Math.round((features.speech_rate_syllables_per_s ?? 0) * 5)).toBe(11)
    expect(features.articulation_rate_syllables_per_s).toBeCloseTo(11 / 3, 0)
  })

  it('finds less high frequency in a darker voice', async () => {
    const harmonics = (slope: number) => (timeS: number) => {
      let sum = 0
      for (let h = 1; h <= 30; h++) sum += Math.sin(2 * Math.PI * 150 * h * timeS + h * h) / h ** slope
      return 0.1 * sum
    }
    const bright = await measure(wav(sound(2, harmonics(0.5))))
    const dark = await measure(wav(sound(2, harmonics(2))))
    expect(dark.features.alpha_ratio_db).toBeGreaterThan((bright.features.alpha_ratio_db ?? 0) + 10)
    expect(dark.features.hammarberg_index_db).toBeGreaterThan((bright.features.hammarberg_index_db ?? 0) + 10)
  })
})

describe('recordings without speech', () => {
  it.each([
    ['digital silence', () => 0],
    ['a constant offset', () => 0.3],
    ['the noise of a quiet microphone', noise()],
  ])('says that %s is silent and measures nothing', async (name, value) => {
    const gain = name.startsWith('the noise') ? 0.0002 : 1
    const { features, quality } = await analyze(wav(sound(5, () => gain * value())))
    expect(Object.values(features).every((feature) => feature === null)).toBe(true)
    expect(quality).toMatchObject({ score: 0, reason: 'silent', speech_s: 0 })
  })

  it('does not take loud noise for speech', async () => {
    const random = noise()
    const { quality } = await analyze(wav(sound(20, () => 0.3 * random())))
    expect(quality.score).toBeLessThan(0.2)
    expect(quality.reason).not.toBeNull()
  })

  it('gives finite numbers or null for anything', async () => {
    const random = noise(7)
    const click = (_: number, i: number) => (i === 16000 ? 1 : 0)
    const square = (timeS: number) => (Math.sin(2 * Math.PI * 100 * timeS) > 0 ? 1 : -1)
    for (const valueAt of [click, square, (timeS: number) => random() * timeS, () => random() * 1e-5]) {
      const { features, quality } = await analyze(wav(sound(2, valueAt)))
      expect(Object.keys(features)).toEqual(AUDIO_FEATURES.map(({ name }) => name))
      for (const value of [
        ...Object.values(features),
        quality.score,
        quality.clipping_fraction,
        quality.speech_s,
      ]) {
        expect(value === null || Number.isFinite(value)).toBe(true)
      }
      expect(quality.score).toBeGreaterThanOrEqual(0)
      expect(quality.score).toBeLessThanOrEqual(1)
    }
  })
})
