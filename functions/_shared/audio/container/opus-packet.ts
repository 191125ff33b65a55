const FRAME_MS = {
  silk: [10, 20, 40, 60],
  hybrid: [10, 20],
  celt: [2.5, 5, 10, 20],
}

/** Seconds of sound in an Opus packet, from its table-of-contents byte (RFC 6716, section 3.1). */
export function opusPacketSeconds(packet: Uint8Array): number {
  const toc = packet[0] ?? 0
  const config = toc >> 3
  const frameMs =
    config < 12
      ? FRAME_MS.silk[config & 3]
      : config < 16
        ? FRAME_MS.hybrid[config & 1]
        : FRAME_MS.celt[config & 3]
  const frames = (toc & 3) === 0 ? 1 : (toc & 3) === 3 ? (packet[1] ?? 0) & 0x3f : 2
  return ((frameMs ?? 20) * frames) / 1000
}

/** Seconds that the encoder put before the sound: the pre-skip of the OpusHead (RFC 7845, section 5.1). */
export function opusPreSkipSeconds(opusHead: Uint8Array): number {
  return opusHead.length >= 12 ? ((opusHead[10] ?? 0) + (opusHead[11] ?? 0) * 256) / 48000 : 0
}
