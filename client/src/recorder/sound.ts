export type SoundHint = 'too_quiet' | 'too_loud'

/** What one reading of the microphone says. */
export type SoundReading = {
  /** Root mean square in decibels, 0 of a full-scale square wave; -Infinity of silence. */
  db: number
  /** Share of the samples at full scale, 0 to 1. */
  clipped: number
}

/** Where the meter begins, dB. */
const FLOOR_DB = -60
/** Seconds without a louder moment before somebody is told that they can't be heard. */
const QUIET_FOR_S = 4
/** The service calls a recording silent that stays under -60 dB; whoever stays under this is close to it. */
const QUIET_BELOW_DB = -48
/** As the service: from here on clipping lowers the quality. */
const CLIPPED_SHARE = 0.01
const FULL_SCALE = 0.99

/** Measures samples of -1 to 1. */
export function measureSound(samples: Float32Array): SoundReading {
  let squares = 0
  let clipped = 0
  for (const sample of samples) {
    squares += sample * sample
    if (Math.abs(sample) >= FULL_SCALE) clipped++
  }
  const count = Math.max(1, samples.length)
  return { db: 10 * Math.log10(squares / count), clipped: clipped / count }
}

/** A reading as a meter shows it: 0 at -60 dB and below, 1 at full scale. */
export function levelOf({ db }: SoundReading): number {
  return Math.min(1, Math.max(0, 1 - db / FLOOR_DB))
}

/** What is wrong with the sound, from readings at even distances of `stepS` seconds, the last one last. */
export function soundHints(readings: readonly SoundReading[], stepS: number): SoundHint[] {
  const recent = readings.slice(-Math.round(QUIET_FOR_S / stepS))
  if (recent.length === 0) return []
  const clipped = recent.reduce((sum, reading) => sum + reading.clipped, 0) / recent.length
  if (clipped > CLIPPED_SHARE) return ['too_loud']
  const heard = recent.some(({ db }) => db >= QUIET_BELOW_DB)
  return recent.length * stepS >= QUIET_FOR_S && !heard ? ['too_quiet'] : []
}

/** Listens to a microphone, and plays nothing. */
export function openMeter(track: MediaStreamTrack) {
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  analyser.fftSize = 4096 // 85 ms at 48 kHz
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
  const samples = new Float32Array(analyser.fftSize)
  return {
    /** Null while the system keeps the sound from the page, as in a phone call. */
    read(): SoundReading | null {
      if (context.state !== 'running') return null
      analyser.getFloatTimeDomainData(samples)
      return measureSound(samples)
    },
    /** Goes on after an interruption. While that lasts (`interrupted`, in Safari) asking would leave the context dead. */
    wake(): void {
      if (context.state === 'suspended') context.resume().catch(() => {})
    },
    close(): void {
      context.close().catch(() => {})
    },
  }
}
