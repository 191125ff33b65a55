/** Sound from one compressed packet: one array per channel, full scale at ±1. */
export interface DecodedSound {
  channels: Float32Array[]
  sampleRateHz: number
}

/** Decodes the packets of one track, in order. */
export interface PacketDecoder {
  /** Seconds of sound before the wanted part that the decoder needs in order to settle. */
  readonly preRollS: number
  /** The sound of the packet, or null when the packet gives none (yet, or because it is damaged). */
  decode(packet: Uint8Array): DecodedSound | null | Promise<DecodedSound | null>
  free(): void
}
