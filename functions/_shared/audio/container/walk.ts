import type { AudioContainer, MediaSource } from '../recording.ts'
import { walkFlac } from './walk-flac.ts'
import { walkMp3 } from './walk-mp3.ts'
import { walkMp4 } from './walk-mp4.ts'
import { walkOgg } from './walk-ogg.ts'
import { walkWebm } from './walk-webm.ts'

/**
 * Walks through a container's raw bytes, in one pass and with fixed limits, before a demuxer or a decoder sees them: those believe
 * what a file declares.
 *
 * @throws AudioError when the file declares more than it holds, or than a recording of 20 minutes needs
 */
export const walkContainer: Record<Exclude<AudioContainer, 'wav'>, (source: MediaSource) => Promise<void>> = {
  m4a: walkMp4,
  webm: walkWebm,
  ogg: walkOgg,
  mp3: walkMp3,
  flac: walkFlac,
}
