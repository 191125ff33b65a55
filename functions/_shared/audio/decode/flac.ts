import { FLACDecoder } from '@wasm-audio-decoders/flac'
import type { PacketDecoder } from './packet-decoder.ts'

/** Decodes FLAC frames; each stands on its own. */
export async function createFlacDecoder(): Promise<PacketDecoder> {
  const decoder = new FLACDecoder()
  await decoder.ready
  return {
    preRollS: 0,
    async decode(packet) {
      const { channelData, samplesDecoded, sampleRate } = await decoder.decodeFrames([packet])
      return samplesDecoded > 0 ? { channels: channelData, sampleRateHz: sampleRate } : null
    },
    free: () => decoder.free(),
  }
}
