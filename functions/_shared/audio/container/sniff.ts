import { AudioError } from '../audio-error.ts'
import type { AudioContainer } from '../recording-info.ts'

const ACCEPTED = 'Send m4a (AAC), webm or ogg (Opus), mp3, wav or flac.'

/** Bytes from the start of a recording that are enough to tell its container. */
export const SNIFF_BYTES = 64

/**
 * Tells the container from the first bytes; a file's name and declared type are not to be trusted.
 *
 * @throws AudioError `audio_unsupported` for a known format that is not accepted, `audio_unreadable` for anything else
 */
export function sniffContainer(head: Uint8Array): AudioContainer {
  const ascii = String.fromCharCode(...head.subarray(0, SNIFF_BYTES))
  const at = (offset: number, text: string) => ascii.startsWith(text, offset)
  const byte = (offset: number) => head[offset] ?? 0

  if (at(4, 'ftyp') || ['moov', 'mdat', 'wide', 'free', 'skip', 'styp', 'moof'].some((box) => at(4, box)))
    return 'm4a'
  if (byte(0) === 0x1a && byte(1) === 0x45 && byte(2) === 0xdf && byte(3) === 0xa3) return 'webm'
  if (at(0, 'OggS')) return 'ogg'
  if ((at(0, 'RIFF') || at(0, 'RF64')) && at(8, 'WAVE')) return 'wav'
  if (at(0, 'fLaC')) return 'flac'
  if (at(0, 'ID3')) return 'mp3'

  const refused = at(0, '#!AMR')
    ? 'AMR'
    : at(0, 'caff')
      ? 'CAF'
      : at(0, 'FORM')
        ? 'AIFF'
        : at(0, '.snd')
          ? 'AU'
          : at(0, 'ADIF') || isAdts(head)
            ? 'raw AAC (ADTS)'
            : at(0, '0&²u') || at(0, 'RIFF')
              ? 'this container'
              : null
  if (refused)
    throw new AudioError('audio_unsupported', `A recording as ${refused} is not accepted. ${ACCEPTED}`)

  if (isMpegLayer3(head)) return 'mp3'
  throw new AudioError('audio_unreadable', `The file is not an audio recording. ${ACCEPTED}`)
}

function isAdts(head: Uint8Array): boolean {
  return head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0
}

function isMpegLayer3(head: Uint8Array): boolean {
  const [sync = 0, version = 0, rates = 0] = head
  const validRates = rates >> 4 !== 15 && rates >> 4 !== 0 && ((rates >> 2) & 3) !== 3
  return sync === 0xff && (version & 0xe6) === 0xe2 && ((version >> 3) & 3) !== 1 && validRates
}
