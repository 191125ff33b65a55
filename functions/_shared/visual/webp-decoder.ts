import { ReusableInstance } from '../reusable-instance.ts'
import { damaged } from './image-bytes.ts'
import type { Pixels } from './pixels.ts'

/** What an instance may keep for the next image; one of 2 megapixels grows it to 13 MB. */
const KEPT_BYTES = 32 * 1024 * 1024

/** The calls of libwebp's API (decode.h) that the build of `@cwasm/webp` exports. */
interface LibWebp {
  memory: WebAssembly.Memory
  malloc(bytes: number): number
  free(address: number): void
  WebPDecodeRGBA(frame: number, bytes: number, width: number, height: number): number
}

/**
 * Decodes a frame of VP8 with an instance that is reused until it stops with an error or an image makes it grow too much. A
 * damaged image is no such error: libwebp gives back what it took.
 */
export function webpDecoder(module: WebAssembly.Module): (frame: Uint8Array) => Promise<Pixels> {
  const instances = new ReusableInstance(async () => startLibWebp(module))
  return async (frame) => {
    const libWebp = await instances.acquire()
    const pixels = decode(libWebp, frame)
    if (libWebp.memory.buffer.byteLength <= KEPT_BYTES) instances.release(libWebp)
    if (!pixels) throw damaged('WebP', 'is damaged')
    return pixels
  }
}

function startLibWebp(module: WebAssembly.Module): LibWebp {
  const imports: Record<string, Record<string, () => never>> = {}
  for (const { module: source, name } of WebAssembly.Module.imports(module)) {
    const fail = () => {
      throw new Error(`The WebP decoder called ${name}`)
    }
    imports[source] = { ...imports[source], [name]: fail }
  }
  return new WebAssembly.Instance(module, imports).exports as unknown as LibWebp
}

function decode(libWebp: LibWebp, frame: Uint8Array): Pixels | null {
  const { memory } = libWebp
  const input = allocate(libWebp, frame.length)
  new Uint8Array(memory.buffer, input, frame.length).set(frame)
  const size = allocate(libWebp, 8)
  const output = libWebp.WebPDecodeRGBA(input, frame.length, size, size + 4)
  const [width = 0, height = 0] = new Uint32Array(memory.buffer, size, 2)
  const pixels =
    output === 0
      ? null
      : { width, height, data: new Uint8ClampedArray(memory.buffer, output, width * height * 4).slice() }
  // Null may be freed (C11, 7.22.3.3).
  for (const address of [output, size, input]) libWebp.free(address)
  return pixels
}

function allocate({ malloc }: LibWebp, bytes: number): number {
  const address = malloc(bytes)
  if (address === 0) throw new Error('The WebP decoder has no memory left')
  return address
}
