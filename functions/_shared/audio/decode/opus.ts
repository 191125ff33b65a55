import { OpusDecoder } from 'opus-decoder'
import { ANALYSIS_RATE_HZ } from '../limits.ts'
import type { PacketDecoder } from './packet-decoder.ts'

/** Decodes Opus packets straight at the rate of the analysis. Surround layouts are read from the OpusHead. */
export async function createOpusDecoder(track: {
  description: Uint8Array
  channels: number
}): Promise<PacketDecoder> {
  const head = track.description
  const mapped = (head[18] ?? 0) > 0 && head.length >= 21 + track.channels
  const decoder = new OpusDecoder({
    sampleRate: ANALYSIS_RATE_HZ,
    channels: track.channels,
    ...(mapped && {
      streamCount: head[19] ?? 1,
      coupledStreamCount: head[20] ?? 0,
      channelMappingTable: Array.from(head.subarray(21, 21 + track.channels)),
    }),
  })
  await decoder.ready
  return {
    // RFC 7845, section 4.6, asks for at least 80 ms.
    preRollS: 0.2,
    decode(packet) {
      const { channelData, samplesDecoded } = decoder.decodeFrame(packet)
      return samplesDecoded > 0 ? { channels: channelData, sampleRateHz: ANALYSIS_RATE_HZ } : null
    },
    free: () => decoder.free(),
  }
}
