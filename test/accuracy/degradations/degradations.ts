import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noise, wav } from '../../unit/audio/recordings.ts'
import { type CleanRecording, ffmpeg, RATE_HZ, speechLevel } from './readers.ts'

export interface Degradation {
  name: string
  /** The degraded samples of a recording; `others` are recordings of other readers. */
  apply(samples: Float32Array, others: CleanRecording[]): Float32Array
}

/** What happens to a recording on its way: the room, other people, the street, the phone and the line. */
export const DEGRADATIONS: Degradation[] = [
  { name: 'babble, 10 dB', apply: (samples, others) => mixed(samples, babble(samples.length, others), 10) },
  { name: 'babble, 5 dB', apply: (samples, others) => mixed(samples, babble(samples.length, others), 5) },
  { name: 'street, 10 dB', apply: (samples) => mixed(samples, street(samples.length), 10) },
  { name: 'street, 5 dB', apply: (samples) => mixed(samples, street(samples.length), 5) },
  { name: 'reverberation, 0.6 s', apply: (samples) => reverberated(samples) },
  {
    name: 'automatic gain control',
    apply: (samples) => filtered(samples, 'dynaudnorm=framelen=150:gausssize=5:maxgain=20'),
  },
  {
    name: 'Opus, 16 kbit/s',
    apply: (samples) =>
      coded(samples, ['-c:a', 'libopus', '-b:a', '16k', '-application', 'voip', '-f', 'ogg'], ['-f', 'ogg']),
  },
  {
    name: 'GSM',
    apply: (samples) => coded(samples, ['-ar', '8000', '-c:a', 'libgsm', '-f', 'gsm'], ['-f', 'gsm']),
  },
  {
    name: '8 kHz',
    apply: (samples) =>
      coded(samples, ['-ar', '8000', '-f', 's16le'], ['-f', 's16le', '-ar', '8000', '-ac', '1']),
  },
  { name: 'DC of 0.3', apply: (samples) => samples.map((x) => x + 0.3) },
  { name: 'soft, -35 dB', apply: (samples) => samples.map((x) => x * 10 ** (-35 / 20)) },
  { name: 'clipped, 3%', apply: (samples) => clipped(samples, 0.03) },
  {
    name: 'AAC, 16 kbit/s',
    apply: (samples) => coded(samples, ['-c:a', 'aac', '-b:a', '16k', '-f', 'adts'], ['-f', 'aac']),
  },
  {
    name: 'pauses gated',
    apply: (samples) => filtered(samples, 'agate=threshold=0.02:ratio=20:range=0.00001:attack=5:release=80'),
  },
  { name: 'white noise, 20 dB', apply: (samples) => mixed(samples, hiss(samples.length), 20) },
  {
    name: 'second speaker',
    apply: (samples, others) => dialogue(samples, others),
  },
]

/** Adds noise so many dB under the level of the speech. */
function mixed(samples: Float32Array, noise: Float32Array, snrDb: number): Float32Array {
  const level = Math.sqrt(noise.reduce((sum, x) => sum + x * x, 0) / noise.length)
  const gain = (speechLevel(samples) / (level || 1)) * 10 ** (-snrDb / 20)
  return samples.map((x, i) => x + gain * (noise[i] ?? 0))
}

/** Six voices at once, each from another place of its recording. */
function babble(length: number, others: CleanRecording[]): Float32Array {
  const voices = [...new Map(others.map((other) => [other.reader, other])).values()].slice(0, 6)
  const sum = new Float32Array(length)
  voices.forEach(({ samples }, v) => {
    for (let i = 0; i < length; i++) {
      sum[i] = (sum[i] ?? 0) + (samples[(i + v * 5 * RATE_HZ) % samples.length] ?? 0)
    }
  })
  return sum
}

/** Somebody else speaks in place of the reader for every other eight seconds. */
function dialogue(samples: Float32Array, others: CleanRecording[]): Float32Array {
  const voice = others[Math.floor(others.length / 2)]?.samples ?? samples
  return samples.map((x, i) => (Math.floor(i / (8 * RATE_HZ)) % 2 === 1 ? (voice[i % voice.length] ?? 0) : x))
}

/** Traffic: noise of 6 dB less an octave, that swells as vehicles pass, and hiss of tyres with it. */
function street(length: number): Float32Array {
  const random = noise(7)
  const passes = Array.from({ length: Math.ceil(length / RATE_HZ / 4) + 1 }, (_, p) => ({
    atS: 4 * p + 2 * random(),
    widthS: 1.2 + 0.6 * random(),
    level: 1.5 + random(),
  }))
  let low = 0
  return Float32Array.from({ length }, (_, i) => {
    const white = random()
    low = 0.97 * low + 0.03 * white
    const swell = passes.reduce(
      (sum, { atS, widthS, level }) => sum + level * Math.exp(-(((i / RATE_HZ - atS) / widthS) ** 2)),
      0.5,
    )
    return swell * (low + 0.015 * white)
  })
}

function hiss(length: number): Float32Array {
  const random = noise(11)
  return Float32Array.from({ length }, random)
}

/** In a room whose sound decays by 60 dB in 0.6 s, the direct sound 3 dB over the reverberation. */
function reverberated(samples: Float32Array): Float32Array {
  const random = noise(13)
  const tail = Float32Array.from({ length: 0.6 * RATE_HZ }, (_, i) =>
    i < 0.01 * RATE_HZ ? 0 : random() * 10 ** ((-3 * i) / (0.6 * RATE_HZ)),
  )
  const energy = tail.reduce((sum, x) => sum + x * x, 0)
  const response = tail.map((x, i) => 0.5 * (i === 0 ? 1 : x * Math.sqrt(0.5 / energy)))
  const folder = mkdtempSync(join(tmpdir(), 'degradations-'))
  try {
    const path = join(folder, 'room.wav')
    writeFileSync(path, wav(response))
    const filter = '[0:a][1:a]afir=dry=1:wet=1:gtype=none:maxir=1[out]'
    const inputs = ['-f', 'wav', '-i', 'pipe:0', '-i', path, '-filter_complex', filter, '-map', '[out]']
    return ffmpeg(inputs, wav(samples)).subarray(0, samples.length)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function filtered(samples: Float32Array, filter: string): Float32Array {
  return ffmpeg(['-f', 'wav', '-i', 'pipe:0', '-af', filter], wav(samples))
}

/** Through a codec and back. */
function coded(samples: Float32Array, encoder: string[], decoder: string[]): Float32Array {
  const bytes = execFileSync('ffmpeg', ['-loglevel', 'error', '-f', 'wav', '-i', 'pipe:0', ...encoder, '-'], {
    input: wav(samples),
    maxBuffer: 2 ** 28,
  })
  return ffmpeg([...decoder, '-i', 'pipe:0'], bytes)
}

/** Amplified until so large a part of the samples that hold speech is beyond full scale. */
function clipped(samples: Float32Array, part: number): Float32Array {
  const sorted = samples.map(Math.abs).sort()
  const limit = sorted[Math.floor((1 - part) * sorted.length)] ?? 1
  return samples.map((x) => Math.max(-1, Math.min(1, x / limit)))
}
