import { FLACDecoder } from '@wasm-audio-decoders/flac'
import { ReusableInstance } from '../../reusable-instance.ts'
import type { PacketDecoder } from './packet-decoder.ts'

/** The C functions of @wasm-audio-decoders/flac 0.2.11. Its own methods copy each frame's sound twice into new arrays. */
interface LibFlac {
  readonly HEAP: ArrayBuffer
  malloc(bytes: number): number
  free(pointer: number): void
  create_decoder(
    channels: number,
    sampleRate: number,
    bitsPerSample: number,
    samples: number,
    output: number,
    outputLength: number,
    error: number,
    state: number,
  ): number
  destroy_decoder(handle: number): void
  /** Takes the input over, which it frees. */
  decode_frame(handle: number, input: number, bytes: number): number
}

declare module '@wasm-audio-decoders/flac' {
  interface FLACDecoder {
    readonly _decoder: { readonly _common: { readonly wasm: LibFlac } }
  }
}

/** A frame of 65,535 samples in 8 channels of 32 bits. */
const LONGEST_FRAME_BYTES = 65535 * 8 * 4 + 1024

const instances = new ReusableInstance(async () => {
  const decoder = new FLACDecoder()
  await decoder.ready
  const { wasm } = decoder._decoder._common
  const numbers = wasm.malloc(32)
  return { wasm, numbers, values: new Uint32Array(wasm.HEAP, numbers, 8) }
})

/** Decodes FLAC frames; each stands on its own. */
export async function openFlacDecoder(): Promise<PacketDecoder> {
  const instance = await instances.acquire()
  const { wasm, numbers, values } = instance
  const open = () => {
    const [channels, rate, bits, samples, output, length, error, state] = places(numbers)
    return wasm.create_decoder(channels, rate, bits, samples, output, length, error, state)
  }
  let handle = open()
  let damaged = false
  let sound = 0

  const freeSound = () => {
    if (sound !== 0) wasm.free(sound)
    sound = 0
  }

  return {
    preRollS: 0,
    decode(packet) {
      freeSound()
      if (packet.length > LONGEST_FRAME_BYTES) {
        damaged = true
        return []
      }
      const input = wasm.malloc(packet.length)
      new Uint8Array(wasm.HEAP, input, packet.length).set(packet)
      values[3] = 0
      const decoded = wasm.decode_frame(handle, input, packet.length)
      const [channels = 0, sampleRateHz = 0, , samples = 0, output = 0] = values
      if (decoded === 0 || samples === 0) {
        // What libFLAC still holds of the damaged frame would delay all that follow.
        damaged = true
        wasm.destroy_decoder(handle)
        handle = open()
        return []
      }
      sound = output
      return [
        {
          channels: Array.from(
            { length: channels },
            (_, channel) => new Float32Array(wasm.HEAP, output + 4 * channel * samples, samples),
          ),
          sampleRateHz,
        },
      ]
    },
    close(decodedToEnd) {
      if (damaged || !decodedToEnd) return
      freeSound()
      wasm.destroy_decoder(handle)
      instances.release(instance)
    },
  }
}

/** The addresses of eight numbers in a row. */
function places(start: number): [number, number, number, number, number, number, number, number] {
  return [start, start + 4, start + 8, start + 12, start + 16, start + 20, start + 24, start + 28]
}
