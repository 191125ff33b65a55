import { ReusableInstance } from '../reusable-instance.ts'
import type { Pixels } from './pixels.ts'

/** What an instance may keep for the next image; progressive JPEGs of 8 megapixels grow it to 100 MB. */
const KEPT_BYTES = 64 * 1024 * 1024

/** `TJPF_RGBA`: rows of red, green, blue, opaque. */
const RGBA = 7

/** The calls of TurboJPEG's API (libjpeg-turbo 2.0, turbojpeg.h) that the build of `@cwasm/jpeg-turbo` exports. */
interface TurboJpeg {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(address: number): void
  tjInitDecompress(): number
  tjDecompressHeader3(
    handle: number,
    ...to: [jpeg: number, bytes: number, width: number, height: number, subsampling: number, colours: number]
  ): number
  tjDecompress2(
    handle: number,
    ...to: [
      ...[jpeg: number, bytes: number, pixels: number, width: number, rowBytes: number, height: number],
      ...[format: number, flags: number],
    ]
  ): number
  tjDestroy(handle: number): number
}

/**
 * Decodes with an instance that is reused until an image fails, because what it does not free in a failure it never
 * frees, or makes it grow too much, because WebAssembly memory never shrinks.
 */
export function jpegDecoder(
  module: WebAssembly.Module,
): (bytes: Uint8Array, halvings?: number) => Promise<Pixels> {
  const instances = new ReusableInstance(async () => startTurboJpeg(module))
  return async (bytes, halvings = 0) => {
    const turboJpeg = await instances.acquire()
    const pixels = decode(turboJpeg, bytes, halvings)
    if (turboJpeg.memory.buffer.byteLength <= KEPT_BYTES) instances.release(turboJpeg)
    return pixels
  }
}

/** Returned codes are of warnings and errors alike, but only after an error does libjpeg jump out of the call, which throws. */
function startTurboJpeg(module: WebAssembly.Module): TurboJpeg {
  const imports: Record<string, Record<string, () => number>> = {}
  for (const { module: source, name } of WebAssembly.Module.imports(module)) {
    const returnsZero = name === 'setjmp' || name === 'environ_sizes_get'
    const fail = () => {
      throw new Error(`The JPEG decoder called ${name}`)
    }
    imports[source] = { ...imports[source], [name]: returnsZero ? () => 0 : fail }
  }
  return new WebAssembly.Instance(module, imports).exports as unknown as TurboJpeg
}

function decode(turboJpeg: TurboJpeg, bytes: Uint8Array, halvings: number): Pixels {
  const { memory } = turboJpeg
  const jpeg = allocate(turboJpeg, bytes.length)
  new Uint8Array(memory.buffer, jpeg, bytes.length).set(bytes)
  const decoder = turboJpeg.tjInitDecompress()
  const header = allocate(turboJpeg, 16)
  turboJpeg.tjDecompressHeader3(decoder, jpeg, bytes.length, header, header + 4, header + 8, header + 12)
  const [fullWidth = 0, fullHeight = 0] = new Uint32Array(memory.buffer, header, 2)
  const width = Math.ceil(fullWidth / 2 ** halvings)
  const height = Math.ceil(fullHeight / 2 ** halvings)
  const target = allocate(turboJpeg, width * height * 4)
  turboJpeg.tjDecompress2(decoder, jpeg, bytes.length, target, width, width * 4, height, RGBA, 0)
  const data = new Uint8ClampedArray(memory.buffer, target, width * height * 4).slice()
  turboJpeg.tjDestroy(decoder)
  for (const address of [target, header, jpeg]) turboJpeg.free(address)
  return { width, height, data }
}

function allocate({ malloc }: TurboJpeg, bytes: number): number {
  const address = malloc(bytes)
  if (address === 0) throw new Error('The JPEG decoder has no memory left')
  return address
}
