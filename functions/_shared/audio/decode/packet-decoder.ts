/** Sound from a compressed packet: one array per channel, full scale at ±1. */
export interface DecodedSound {
  channels: Float32Array[]
  sampleRateHz: number
}

/** Decodes the packets of one track, in order. */
export interface PacketDecoder {
  /** Seconds of sound that the decoder needs before the requested part in order to settle. */
  readonly preRollS: number
  /**
   * The sounds of the packet, one after another: none when the packet gives none (yet, or because it is damaged), rarely
   * more than one. They are views of the decoder's own memory, which the next call overwrites.
   */
  decode(packet: Uint8Array): DecodedSound[]
  /** Ends the track. The instance is released for the next one when the track was decoded to its end without damage. */
  close(decodedToEnd: boolean): void
}
