import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Recording {
  name: string
  /** A wav file at 16 kHz, 16 bit, mono: Praat and the analysis get the same samples. */
  path: string
}

const TEXTS = join(import.meta.dirname, '..', '..', '..', 'corpora', 'speech')

/** Speech read aloud by volunteers of LibriVox (public domain), as Debian's pocketsphinx-testdata holds it. */
const READ_ALOUD = '/usr/share/pocketsphinx/test/data/librivox'

/** Voices of eSpeak NG: pitch 0 to 99, words per minute, and pauses between words in units of 10 ms. */
const VOICES = [
  { name: 'synthetic man, very low', voice: 'en-us+m7', pitch: 15, words: 140, gap: 3, text: 'neutral.txt' },
  {
    name: 'synthetic man, low and slow',
    voice: 'en-us+m3',
    pitch: 30,
    words: 120,
    gap: 8,
    text: 'struggling.txt',
  },
  { name: 'synthetic man', voice: 'en-us', pitch: 45, words: 165, gap: 4, text: 'neutral.txt' },
  { name: 'synthetic woman, low', voice: 'en-us+f1', pitch: 40, words: 175, gap: 2, text: 'positive.txt' },
  { name: 'synthetic woman', voice: 'en-gb-x-rp+f2', pitch: 55, words: 160, gap: 3, text: 'neutral.txt' },
  { name: 'synthetic woman, lively', voice: 'en-us+f5', pitch: 70, words: 195, gap: 0, text: 'positive.txt' },
  { name: 'synthetic voice, high', voice: 'en-us+f4', pitch: 95, words: 220, gap: 0, text: 'struggling.txt' },
]

/**
 * Faint noise as any microphone adds it. A synthesizer's pauses hold nothing at all, and of nothing Praat measures a
 * cepstral peak: the ripple of its own resampling.
 */
const ROOM = { color: 'pink', amplitude: 0.002 }

const NOISES = [
  { name: 'faint white noise', color: 'white', amplitude: 0.003 },
  { name: 'pink noise', color: 'pink', amplitude: 0.01 },
  { name: 'strong brown noise', color: 'brown', amplitude: 0.03 },
]

/** The commands and files that the recordings and the reference need and this machine lacks. */
export function missingTools(): string[] {
  const lacks = (command: string) => {
    try {
      execFileSync(command, ['--version'], { stdio: 'ignore' })
      return false
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT'
    }
  }
  return [
    ...['praat', 'espeak-ng', 'ffmpeg'].filter(lacks),
    ...(existsSync(READ_ALOUD) ? [] : ['pocketsphinx-testdata']),
  ]
}

/**
 * Makes recordings of several voices, pitches, speeds and levels of noise in a folder: synthetic voices, people reading
 * aloud, both with noise added, and one that is longer than a slice.
 */
export function makeRecordings(folder: string): Recording[] {
  const made: Recording[] = []
  const add = (name: string, inputs: string[], filter?: string) => {
    const path = join(folder, `${made.length}.wav`)
    ffmpeg(inputs, filter, path)
    made.push({ name, path })
    return path
  }

  const synthetic = VOICES.map(({ name, voice, pitch, words, gap, text }) => {
    const spoken = join(folder, 'spoken.wav')
    const settings = ['-v', voice, '-p', String(pitch), '-s', String(words), '-g', String(gap)]
    execFileSync('espeak-ng', [...settings, '-f', join(TEXTS, text), '-w', spoken])
    return add(name, ...withNoise(spoken, ROOM))
  })
  const read = readdirSync(READ_ALOUD)
    .filter((name) => name.endsWith('.wav'))
    .sort()
    .map((name, i) => add(`read aloud ${i + 1}`, ['-i', join(READ_ALOUD, name)]))
  NOISES.forEach(({ name, ...noise }, i) => {
    add(`${VOICES[i + 1]?.name}, ${name}`, ...withNoise(synthetic[i + 1] ?? '', noise))
    add(`read aloud ${i + 1}, ${name}`, ...withNoise(read[i] ?? '', noise))
  })
  const all = [...read, ...synthetic]
  add(
    'all voices, one after another',
    all.flatMap((path) => ['-i', path]),
    `concat=n=${all.length}:v=0:a=1`,
  )
  return made
}

/** The inputs and the filter that add noise to a recording, the same each time. */
function withNoise(
  path: string,
  { color, amplitude }: { color: string; amplitude: number },
): [string[], string] {
  const noise = `anoisesrc=color=${color}:amplitude=${amplitude}:sample_rate=16000:seed=1`
  const filter = '[0:a]aresample=16000[speech];[speech][1:a]amix=inputs=2:duration=first:normalize=0'
  return [['-i', path, '-f', 'lavfi', '-i', noise], filter]
}

function ffmpeg(inputs: string[], filter: string | undefined, path: string): void {
  const filters = filter ? ['-filter_complex', filter] : []
  const format = ['-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le']
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...inputs, ...filters, ...format, path])
}
