import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { AudioError } from '../../../functions/_shared/audio/recording.ts'
import { planSlices } from '../../../functions/_shared/audio/slices.ts'
import { analyzeImage } from '../../../functions/_shared/visual/analyze-image.ts'
import { loadFaceModels } from '../../../functions/_shared/visual/face-models.ts'
import { HEADER_BYTES, inspectImage } from '../../../functions/_shared/visual/inspect-image.ts'
import { ImageError } from '../../../functions/_shared/visual/outcome.ts'
import { meter } from '../../../harness/measuring/meter.ts'
import { imageFiles, largestJpeg } from '../../../harness/media/images.ts'
import { audioFiles } from './audio.ts'
import type { Batch, Line } from './batch.ts'

/** Runs in Deno: gives hostile files to the functions' domains as the requests of a check-in do, and prints what each took. */
const batch: Batch = JSON.parse(process.argv[2] ?? '')
const ROOT = join(import.meta.dirname ?? '', '..', '..', '..')
const loadAsset = async (name: string) => new Uint8Array(readFileSync(join(ROOT, 'vendor', 'assets', name)))
const read = meter()

/** The file that is given, counted from 0. */
let number = batch.from

/** One request; its cost is that of nothing else. */
async function request(name: string, perform: () => Promise<string>): Promise<void> {
  const before = process.memoryUsage().rss / 2 ** 20
  print({ begin: name, number })
  read()
  const outcome = await perform().catch((error: unknown) => {
    // The JPEG decoder keeps memory when it fails, so it must decode what the checks before it let through. PNGs are rejected
    // while they are decoded, without a cause.
    if (error instanceof ImageError && error.cause !== undefined)
      return `failed: in the decoder, ${error.cause}`
    if (error instanceof AudioError || error instanceof ImageError) return error.code
    return `failed: ${error instanceof Error ? error.stack : String(error)}`
  })
  const { cpuS, peakMb } = read()
  print({ end: name, outcome, cpuS, takenMb: Math.max(0, peakMb - before) })
}

async function giveRecording(name: string, bytes: Uint8Array): Promise<void> {
  const source = {
    size: bytes.length,
    read: async (start: number, end: number) => bytes.slice(start, end),
  }
  let info: Awaited<ReturnType<typeof probeRecording>> | null = null
  await request(`${name} complete`, async () => {
    info = await probeRecording(source)
    return 'taken'
  })
  if (info === null) return
  const probed: Awaited<ReturnType<typeof probeRecording>> = info
  const slices = planSlices(probed.durationS)
  const chosen = [...new Set([slices[0], slices[slices.length >> 1], slices.at(-1)])]
  for (const slice of chosen) {
    if (!slice) continue
    await request(`${name} slice ${slice.index}`, async () => {
      const endS = Math.min(slice.endS, slice.startS + (batch.mostSliceS ?? Number.POSITIVE_INFINITY))
      await analyzeSlice(source, probed, { ...slice, endS }, loadAsset)
      return 'analysed'
    })
  }
}

async function giveImage(name: string, bytes: Uint8Array): Promise<void> {
  let isTaken = false
  await request(`${name} complete`, async () => {
    inspectImage(bytes.slice(0, HEADER_BYTES), bytes.length)
    isTaken = true
    return 'taken'
  })
  if (!isTaken) return
  await request(`${name} analysis`, async () => {
    await analyzeImage(bytes, await loadFaceModels(loadAsset))
    return 'analysed'
  })
}

declare const Deno: {
  dlopen(library: string, functions: object): { symbols: { malloc_trim(bytesKept: bigint): number } }
}
const { symbols: c } = Deno.dlopen('libc.so.6', { malloc_trim: { parameters: ['usize'], result: 'i32' } })

/**
 * What the kernel still counts once everything that can be freed is. An ordinary collection leaves pages with V8's heap for the next
 * request, and what was freed stays with the C library, 10 to 40 MB by chance; a collection of the last resort and `malloc_trim` return both.
 */
async function settledMb(): Promise<number> {
  const { gc } = globalThis as { gc?: (options: { type: 'major'; flavor: 'last-resort' }) => void }
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4; round++) {
    gc?.({ type: 'major', flavor: 'last-resort' })
    c.malloc_trim(0n)
    await new Promise((resolve) => setTimeout(resolve, 20))
    least = Math.min(least, process.memoryUsage().rss / 2 ** 20)
  }
  return least
}

function print(line: Line): void {
  console.log(JSON.stringify(line))
}

const fixtures = join(ROOT, 'corpora', 'speech')
const give = batch.kind === 'audio' ? giveRecording : giveImage
const filesOf = batch.kind === 'audio' ? audioFiles : imageFiles

// As a worker that has served before: compiled, with its decoders.
if (batch.kind === 'audio') {
  for (const type of ['m4a', 'webm', 'ogg', 'mp3', 'wav', 'flac', 'aac']) {
    const bytes = new Uint8Array(readFileSync(join(fixtures, `short.${type}`)))
    await giveRecording(`genuine ${type}`, bytes)
  }
} else await giveImage('genuine JPEG', largestJpeg())

for (const { name, bytes } of filesOf(batch.seed, batch.from)) {
  if (number >= batch.to) break
  await give(name, bytes)
  number++
  if (batch.restAfter.includes(number - batch.from)) print({ settledMb: await settledMb() })
}
print({ settledMb: await settledMb(), done: true })
process.exit()
