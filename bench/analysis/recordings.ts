import { copyFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../../scripts/root.ts'
import { output } from './measure.ts'

export const CONTAINERS = ['m4a', 'webm', 'ogg', 'mp3', 'wav', 'flac'] as const
type Container = (typeof CONTAINERS)[number]

export interface Recording {
  name: string
  container: Container
  /** Nominal length, seconds. */
  seconds: number
  path: string
}

const SPEECH = join(ROOT, 'corpora', 'speech')

/** Four voices, one after another; repeated until a recording is long enough. */
const SPOKEN = ['neutral.m4a', 'positive.webm', 'struggling.ogg', 'short.wav']

/** As phones and browsers record speech: 48 kHz, mono. */
const ENCODINGS: Record<Container, string[]> = {
  m4a: ['-c:a', 'aac', '-b:a', '64k', '-movflags', '+faststart'],
  webm: ['-c:a', 'libopus', '-b:a', '32k'],
  ogg: ['-c:a', 'libopus', '-b:a', '32k'],
  mp3: ['-c:a', 'libmp3lame', '-b:a', '64k'],
  wav: ['-c:a', 'pcm_s16le'],
  flac: ['-c:a', 'flac'],
}

/** Makes recordings of speech of each length in each container, with FFmpeg. */
export async function makeRecordings(
  folder: string,
  lengths: readonly number[],
  containers: readonly Container[],
): Promise<Recording[]> {
  const spoken = join(folder, 'spoken.wav')
  const inputs = SPOKEN.flatMap((name) => ['-i', join(SPEECH, name)])
  const levelled = SPOKEN.map((_, i) => `[${i}:a]aresample=48000[s${i}]`).join(';')
  const joined = `${SPOKEN.map((_, i) => `[s${i}]`).join('')}concat=n=${SPOKEN.length}:v=0:a=1`
  await ffmpeg([...inputs, '-filter_complex', `${levelled};${joined}`, '-ac', '1', '-ar', '48000', spoken])

  const recordings: Recording[] = []
  for (const seconds of lengths) {
    for (const container of containers) {
      const path = join(folder, `${seconds}.${container}`)
      await ffmpeg(['-stream_loop', '-1', '-i', spoken, '-t', String(seconds), ...ENCODINGS[container], path])
      recordings.push({ name: `${container} ${lengthOf(seconds)}`, container, seconds, path })
    }
  }
  return recordings
}

/** The same recording as wav at 16 kHz, the rate at which everything is measured and the client should record. */
export async function at16kHz({ name, seconds, path }: Recording): Promise<Recording> {
  const resampled = join(dirname(path), `${seconds}-16khz.wav`)
  await ffmpeg(['-i', path, '-ar', '16000', '-c:a', 'pcm_s16le', resampled])
  return { name: `${name} at 16 kHz`, container: 'wav', seconds, path: resampled }
}

/** Without FFmpeg: the two sentences that the tests hold in every container. */
export function shortRecordings(folder: string, containers: readonly Container[]): Recording[] {
  return containers.map((container) => {
    const path = join(folder, `short.${container}`)
    copyFileSync(join(SPEECH, `short.${container}`), path)
    return { name: `${container} 4.4 s`, container, seconds: 4.4, path }
  })
}

function lengthOf(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`
}

async function ffmpeg(args: string[]): Promise<void> {
  await output('ffmpeg', ['-y', '-loglevel', 'error', ...args])
}
