import { MPEGDecoder } from 'mpg123-decoder'
import { ReusableInstance } from '../../reusable-instance.ts'
import type { DecodedSound, PacketDecoder } from './packet-decoder.ts'

/** The C functions of mpg123-decoder 1.0.3. Its own methods copy each frame's sound twice into new arrays. */
interface Mpg123 {
  readonly HEAP: ArrayBuffer
  malloc(bytes: number): number
  mpeg_frame_decoder_create(handlePointer: number, gapless: 0 | 1): number
  mpeg_frame_decoder_destroy(handle: number): void
  mpeg_decoder_feed(handle: number, input: number, bytes: number): number
  mpeg_decoder_read(
    handle: number,
    output: number,
    floats: number,
    samplesPointer: number,
    ratePointer: number,
    errorPointer: number,
  ): number
}

declare module 'mpg123-decoder' {
  interface MPEGDecoder {
    readonly _common: { readonly wasm: Mpg123 }
  }
}

const NEED_MORE = -10
const NEW_FORMAT = -11
const INPUT_BYTES = 65536
const OUTPUT_FLOATS = 92448

/** A packet holds one frame; after damage the one before may come out with it. */
const MAX_READS = 8

const instances = new ReusableInstance(async () => {
  const decoder = new MPEGDecoder({ enableGapless: false })
  await decoder.ready
  const { wasm } = decoder._common
  const numbers = wasm.malloc(16)
  return {
    wasm,
    input: wasm.malloc(INPUT_BYTES),
    output: wasm.malloc(4 * OUTPUT_FLOATS),
    numbers,
    values: new Uint32Array(wasm.HEAP, numbers, 4),
  }
})

/** Decodes MPEG audio layer III frames. Delay and padding are removed by way of the container's header (`container/mp3.ts`). */
export async function openMp3Decoder(): Promise<PacketDecoder> {
  const instance = await instances.acquire()
  const { wasm, input, output, numbers, values } = instance
  if (wasm.mpeg_frame_decoder_create(numbers, 0) !== 0) throw new Error('mpg123 could not be opened')
  const [handle = 0] = values
  let damaged = false

  const read = (sounds: DecodedSound[], offset: number) => {
    values[1] = 0
    const status = wasm.mpeg_decoder_read(
      handle,
      output + 4 * offset,
      OUTPUT_FLOATS - offset,
      numbers + 4,
      numbers + 8,
      numbers + 12,
    )
    const [, samples = 0, sampleRateHz = 0] = values
    if (samples > 0) {
      const channels = [0, 1].map(
        (channel) => new Float32Array(wasm.HEAP, output + 4 * (offset + channel * samples), samples),
      )
      sounds.push({ channels, sampleRateHz })
    }
    return { status, next: offset + 2 * samples }
  }

  return {
    // A frame may use bytes of up to nine frames before it (the bit reservoir).
    preRollS: 0.5,
    decode(packet) {
      const sounds: DecodedSound[] = []
      if (packet.length > INPUT_BYTES) {
        damaged = true
        return sounds
      }
      new Uint8Array(wasm.HEAP, input, packet.length).set(packet)
      if (wasm.mpeg_decoder_feed(handle, input, packet.length) === NEED_MORE) return sounds
      for (let reads = 0, offset = 0; reads < MAX_READS; reads++) {
        const { status, next } = read(sounds, offset)
        if (status === NEED_MORE) break
        if (status !== 0 && status !== NEW_FORMAT) damaged = true
        offset = next
      }
      return sounds
    },
    close(decodedToEnd) {
      if (damaged || !decodedToEnd) return
      wasm.mpeg_frame_decoder_destroy(handle)
      instances.release(instance)
    },
  }
}
