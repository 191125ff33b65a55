import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { noise } from '../../unit/audio/recordings.ts'

export const RATE_HZ = 16_000

/** Somebody whose voice a Debian package ships. Nobody's voice is in both splits. */
interface Reader {
  name: string
  split: 'tuning' | 'held out'
  package: string
  folder: string
  /** Whether a file, by its path within the folder, is this reader's. */
  isTheirs: (path: string) => boolean
}

const PROMPTS = '/usr/share/asterisk/sounds'
const PHRASE = /\.(g722|gsm|wav)$/
const FISH = '/usr/share/games/fillets-ng/sound'
const line = (language: string, fish: string) => (path: string) =>
  new RegExp(`/${language}/.*-${fish}-[^/]*\\.ogg$`).test(path)

/** Telephone prompts, lines of a game's two characters, an audiobook and a radio operator's letter, read by people. */
const READERS: Reader[] = [
  {
    name: 'Allison, English',
    split: 'tuning',
    package: 'asterisk-core-sounds-en-g722',
    folder: `${PROMPTS}/en_US_f_Allison`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'Allison, Spanish',
    split: 'tuning',
    package: 'asterisk-core-sounds-es-g722',
    folder: `${PROMPTS}/es_MX_f_Allison`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'Carlo, Italian',
    split: 'tuning',
    package: 'asterisk-core-sounds-it-g722',
    folder: `${PROMPTS}/it_IT_m_Carlo`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'small fish, Czech',
    split: 'tuning',
    package: 'fillets-ng-data-cs',
    folder: FISH,
    isTheirs: line('cs', 'm'),
  },
  {
    name: 'big fish, Czech',
    split: 'tuning',
    package: 'fillets-ng-data-cs',
    folder: FISH,
    isTheirs: line('cs', 'v'),
  },
  {
    name: 'Colombian prompts, Spanish',
    split: 'tuning',
    package: 'asterisk-prompt-es-co',
    folder: `${PROMPTS}/es`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'LibriVox, English',
    split: 'tuning',
    package: 'pocketsphinx-testdata',
    folder: '/usr/share/pocketsphinx/test/data/librivox',
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'June, French',
    split: 'held out',
    package: 'asterisk-core-sounds-fr-g722',
    folder: `${PROMPTS}/fr_CA_f_June`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'Russian prompts',
    split: 'held out',
    package: 'asterisk-core-sounds-ru-g722',
    folder: `${PROMPTS}/ru_RU_f_IvrvoiceRU`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'Menardi, Italian',
    split: 'held out',
    package: 'asterisk-prompt-it-menardi-wav',
    folder: `${PROMPTS}/it_IT_f_Menardi`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'small fish, Dutch',
    split: 'held out',
    package: 'fillets-ng-data-nl',
    folder: FISH,
    isTheirs: line('nl', 'm'),
  },
  {
    name: 'big fish, Dutch',
    split: 'held out',
    package: 'fillets-ng-data-nl',
    folder: FISH,
    isTheirs: line('nl', 'v'),
  },
  {
    name: 'Armelle, French',
    split: 'held out',
    package: 'asterisk-prompt-fr-armelle',
    folder: `${PROMPTS}/fr`,
    isTheirs: (path) => PHRASE.test(path),
  },
  {
    name: 'radio operator, English',
    split: 'held out',
    package: 'codec2-examples',
    folder: '/usr/share/codec2/wav',
    isTheirs: (path) => path.endsWith('ve9qrp.wav'),
  },
]

/** What of the Debian packages and commands is not installed. */
export function missingPackages(): string[] {
  const lacksFfmpeg = (() => {
    try {
      execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' })
      return false
    } catch {
      return true
    }
  })()
  const without = READERS.filter(
    ({ folder, isTheirs }) => !existsSync(folder) || !files(folder).some(isTheirs),
  )
  return [...new Set([...(lacksFfmpeg ? ['ffmpeg'] : []), ...without.map((reader) => reader.package)])]
}

export interface CleanRecording {
  name: string
  reader: string
  split: Reader['split']
  /** Mono at 16 kHz, full scale 1. */
  samples: Float32Array
}

const RECORDINGS_EACH = 4

/** Of a reader, the largest files first. */
const PHRASES = 28
const LENGTH_S = 35
const LONGEST_PHRASE_S = 40

/** Level of the room under that of speech, in dB: a quiet room with a phone. */
const ROOM_DB = -45

/**
 * Four recordings of about 35 s of every reader: their phrases one after another, from the longest to the shortest, in turns, so
 * that each has long ones with the reader's own pauses. Between phrases lie pauses as in fluent speech in the first two, and of
 * somebody who speaks slowly in the others. Where a reader has less to say, fewer or shorter ones.
 */
export function cleanRecordings(split: Reader['split']): CleanRecording[] {
  return READERS.filter((reader) => reader.split === split).flatMap((reader) => {
    const phrases = phrasesOf(reader, PHRASES).sort((a, b) => b.length - a.length)
    const parts = Array.from({ length: RECORDINGS_EACH }, (_, i) => {
      const random = noise(i + 1)
      return joined(
        phrases.filter((_, p) => p % RECORDINGS_EACH === i),
        i < 2 ? fluent(random) : slow(random),
        random,
      )
    })
    return parts
      .filter(({ length }) => length >= 10 * RATE_HZ)
      .map((samples, i) => ({ name: `${reader.name} ${i + 1}`, reader: reader.name, split, samples }))
  })
}

/** Of a reader: the largest files, and recordings that say other phrases in the same manner. */
const REPEATED = { phrases: 140, twos: 8 }

/**
 * Recordings of every reader that say other phrases in the same manner, in twos, as many as there is speech for: phrases in an order of
 * chance, dealt to all, with pauses as in fluent speech in every other two and slow ones in the others.
 */
export function repeatedRecordings(split: Reader['split']): [Float32Array, Float32Array][] {
  return READERS.filter((reader) => reader.split === split).flatMap((reader) => {
    const order = noise(7)
    const phrases = phrasesOf(reader, REPEATED.phrases)
      .map((phrase) => ({ phrase, place: order() }))
      .sort((a, b) => a.place - b.place)
      .map(({ phrase }) => phrase)
    const spokenS = phrases.reduce((sum, { length }) => sum + length, 0) / RATE_HZ
    const twos = Math.max(1, Math.min(REPEATED.twos, Math.floor(spokenS / (2 * LENGTH_S))))
    const part = (index: number) => {
      const random = noise(index + 1)
      return joined(
        phrases.filter((_, p) => p % (2 * twos) === index),
        index % 4 < 2 ? fluent(random) : slow(random),
        random,
      )
    }
    return Array.from({ length: twos }, (_, two): [Float32Array, Float32Array] => [
      part(2 * two),
      part(2 * two + 1),
    ]).filter((pair) => pair.every(({ length }) => length >= 10 * RATE_HZ))
  })
}

/** Seconds between phrases. */
const fluent = (random: () => number) => () => 0.3 - 0.3 * Math.log(uniform(random))
const slow = (random: () => number) => () => 0.6 - 0.9 * Math.log(uniform(random))

/** A reader's longest phrases, without the silence around them. */
function phrasesOf(reader: Reader, most: number): Float32Array[] {
  return files(reader.folder)
    .filter(reader.isTheirs)
    .map((path) => join(reader.folder, path))
    .sort((a, b) => statSync(b).size - statSync(a).size)
    .slice(0, most)
    .map((path) => trimmed(decode(path)))
    .filter(({ length }) => length > RATE_HZ)
    .map((phrase) => phrase.subarray(0, LONGEST_PHRASE_S * RATE_HZ))
}

function files(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `/${path}`)
    .sort()
}

/** Between 0 and 1, both excluded. */
const uniform = (random: () => number) => (random() + 1.000001) / 2.000002

function decode(path: string): Float32Array {
  const format = path.endsWith('.g722') ? ['-f', 'g722'] : []
  return ffmpeg([...format, '-i', path], new Uint8Array(0))
}

/** Sound through ffmpeg, back at 16 kHz mono; `input` goes to its standard input. */
export function ffmpeg(inputs: string[], input: Uint8Array): Float32Array {
  const output = ['-ac', '1', '-ar', String(RATE_HZ), '-f', 'f32le', '-']
  const bytes = execFileSync('ffmpeg', ['-loglevel', 'error', ...inputs, ...output], {
    input,
    maxBuffer: 2 ** 28,
  })
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

const FRAME = 0.02 * RATE_HZ

function frameLevels(samples: Float32Array): number[] {
  return Array.from({ length: Math.floor(samples.length / FRAME) }, (_, f) =>
    Math.sqrt(samples.subarray(f * FRAME, (f + 1) * FRAME).reduce((sum, x) => sum + x * x, 0) / FRAME),
  )
}

/** The root mean square of the frames within 30 dB of the loudest: the level of the speech, without its pauses. */
export function speechLevel(samples: Float32Array): number {
  const levels = frameLevels(samples)
  const loudest = levels.reduce((most, level) => Math.max(most, level), 0)
  const heard = levels.filter((level) => level > loudest / 10 ** 1.5)
  return Math.sqrt(heard.reduce((sum, level) => sum + level * level, 0) / Math.max(1, heard.length))
}

/** Without the silence around it, at a level of speech of -23 dB. */
function trimmed(samples: Float32Array): Float32Array {
  const levels = frameLevels(samples)
  const floor = levels.reduce((most, level) => Math.max(most, level), 0) / 10 ** 1.75
  const first = levels.findIndex((level) => level > floor)
  const last = levels.findLastIndex((level) => level > floor)
  const part = samples.subarray(Math.max(0, first - 2) * FRAME, (last + 3) * FRAME)
  const gain = 10 ** (-23 / 20) / (speechLevel(part) || 1)
  return part.map((x) => x * gain)
}

function joined(phrases: Float32Array[], pauseS: () => number, random: () => number): Float32Array {
  const samples = new Float32Array(LENGTH_S * RATE_HZ)
  let at = Math.round(0.4 * RATE_HZ)
  for (const phrase of phrases) {
    if (at >= samples.length - RATE_HZ) break
    samples.set(phrase.subarray(0, samples.length - at), at)
    at += phrase.length + Math.round(pauseS() * RATE_HZ)
  }
  const part = samples.subarray(0, Math.min(samples.length, at))
  const room = 10 ** ((ROOM_DB - 23) / 20) * Math.sqrt(3)
  return part.map((x) => x + room * random())
}
