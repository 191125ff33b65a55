import { AudioError, type MediaSource, readClipped, truncated } from '../recording.ts'
import { bound, LIMITS } from './limits.ts'

const METADATA_BLOCKS = 128
const STREAMINFO_BYTES = 34

/** Shortest frames that encoders write have 576 samples at up to 48 kHz; those of 16 samples would be 3,000 a second. */
const MIN_FRAME_S = 0.004

/** The demuxer reads so much for each frame: 16,384 samples of 8 channels with 32 bits. */
const FRAME_BYTES = 512 * 1024 + 64

/** Checks the metadata blocks of a FLAC file (RFC 9639, section 8) and what they say of its frames. */
export async function walkFlac(source: MediaSource): Promise<void> {
  let at = 4
  let metadataBytes = 0
  for (let blocks = 0; ; blocks++) {
    bound(blocks, METADATA_BLOCKS, 'more parts')
    const header = await readClipped(source, at, at + 4 + STREAMINFO_BYTES)
    if (header.length < 4) throw truncated({ container: 'flac' })
    const [first = 0, high = 0, middle = 0, low = 0] = header
    const bytes = high * 65536 + middle * 256 + low
    const isStreamInfo = (first & 0x7f) === 0
    if (isStreamInfo !== (blocks === 0)) {
      throw new AudioError('audio_unreadable', 'The recording is damaged. Record and send it again.')
    }
    if (isStreamInfo) checkStreamInfo(header.subarray(4))
    metadataBytes += bytes
    bound(metadataBytes, LIMITS.metadataBytes, 'larger parts')
    at += 4 + bytes
    if (at > source.size) throw truncated({ container: 'flac' })
    if (first & 0x80) return
  }
}

function checkStreamInfo(info: Uint8Array): void {
  if (info.length < STREAMINFO_BYTES) throw truncated({ container: 'flac' })
  const uint = (from: number, bytes: number) =>
    info.subarray(from, from + bytes).reduce((value, byte) => value * 256 + byte, 0)
  const maxBlockSize = uint(2, 2)
  const maxFrameBytes = uint(7, 3)
  const rateHz = uint(10, 3) >> 4
  const channels = (((info[12] ?? 0) >> 1) & 7) + 1
  bound(uint(0, 2), maxBlockSize, 'larger frames')
  bound(rateHz * MIN_FRAME_S, maxBlockSize, 'more frames')
  bound(maxFrameBytes || maxBlockSize * channels * 4, FRAME_BYTES, 'larger frames')
}
