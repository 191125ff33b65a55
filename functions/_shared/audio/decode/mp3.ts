import { MPEGDecoder } from 'mpg123-decoder'
import type { PacketDecoder } from './packet-decoder.ts'

/** Decodes MPEG audio layer III frames. Delay and padding are the container's to take off (`mp3-header.ts`). */
export async function createMp3Decoder(): Promise<PacketDecoder> {
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  return {
    // A frame may use bytes of up to nine frames before it (the bit reservoir).
    preRollS: 0.5,
    decode(packet) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decodeFrame(packet)
      return samplesDecoded > 0 ? { channels: channelData, sampleRateHz: sampleRate } : null
    },
    free: () => decoder.free(),
  }
}
