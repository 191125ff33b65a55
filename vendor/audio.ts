import { copyFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
import { kernelsEntry } from './assemblyscript.ts'
import { type Bundle, type OutDirs, packageDir, writeBundle } from './bundle.ts'

const libavDist = join(packageDir('@libav.js/variant-mediarecorder-transcoder'), 'dist')
const LIBAV = 'libav-4.10.6.1.1-mediarecorder-transcoder.simd'

/**
 * The containers and calls that the audio analysis uses; the rest of mediabunny is left out. It logs nothing: a file could choose
 * how much, and what is wrong with one is answered as an error.
 */
const DEMUX_ENTRY = `
import { Logging, LogLevel } from ${JSON.stringify(packageDir('mediabunny'))}
Logging.level = LogLevel.Silent
export { ADTS, CustomSource, EncodedPacketSink, FLAC, Input, MATROSKA, MP3, MP4, OGG, QTFF, WEBM }
  from ${JSON.stringify(packageDir('mediabunny'))}
`

/** Two cases in which mediabunny's search for the next element after damage in WebM would never end. */
const ENDLESS_SEARCHES = [
  // Exactly the size of an element's header is left.
  ['if (slice.length < MAX_VAR_INT_SIZE)', 'if (slice.length <= MAX_VAR_INT_SIZE)'],
  // The damaged element that the search starts from has a known ID.
  [
    'if (elementId !== null && idsSet.has(elementId)) {',
    'if (elementId !== null && currentPos > startPos && idsSet.has(elementId)) {',
  ],
] as const

/** Mediabunny reads 64 kB for each frame header of an mp3, and copies them if its cache has them in several pieces. */
const LARGE_READ = [['const CHUNK_SIZE = 2 ** 16;', 'const CHUNK_SIZE = 2 ** 10;']] as const

/** For each sample of an mp4, mediabunny adds up the sizes of its whole chunk: in a file of one chunk, the square of their number. */
const CHUNK_SUMS = [
  [
    'for (let i = startSampleIndexOfChunk; i < startSampleIndexOfChunk + chunkEntry.samplesPerChunk; i++) {',
    `const last = sampleTable.lastPlace;
        const isAfterLast = last && last.chunkIndex === chunkIndex && last.firstIndex === startSampleIndexOfChunk && last.sampleIndex <= sampleIndex;
        if (isAfterLast) sampleOffset = last.sampleOffset;
        for (let i = isAfterLast ? last.sampleIndex : startSampleIndexOfChunk; i < sampleIndex; i++) {`,
  ],
  [
    `            chunkSize += sampleSize;
        }
    }`,
    `        }
        sampleTable.lastPlace = { chunkIndex, firstIndex: startSampleIndexOfChunk, sampleIndex, sampleOffset };
    }`,
  ],
] as const

/**
 * Patches those searches, so that a damaged file does not block a worker until it is killed; shortens that read, so that
 * an mp3 of ten minutes does not leave hundreds of megabytes of garbage; and goes on with those sums where the last sample left them.
 */
const patchDemuxers: Plugin = {
  name: 'patch-demuxers',
  setup({ onLoad }) {
    const patch = (file: RegExp, replacements: readonly (readonly [from: string, to: string])[]) =>
      onLoad({ filter: file }, async ({ path }) => {
        let contents = await readFile(path, 'utf8')
        for (const [from, to] of replacements) {
          if (contents.split(from).length !== 2)
            throw new Error(`mediabunny changed: is the patch of "${from}" still needed?`)
          contents = contents.replace(from, to)
        }
        return { contents, loader: 'js' }
      })
    patch(/mediabunny.*[\\/]matroska[\\/]ebml\.js$/, ENDLESS_SEARCHES)
    patch(/mediabunny.*[\\/]mp3[\\/]mp3-reader\.js$/, LARGE_READ)
    patch(/mediabunny.*[\\/]isobmff[\\/]isobmff-demuxer\.js$/, CHUNK_SUMS)
  },
}

const OPTIONS: Bundle['options'] = {
  platform: 'browser',
  plugins: [patchDemuxers],
  // The libraries detect their host from these; without them they use neither files nor workers.
  define: {
    process: 'undefined',
    require: 'undefined',
    importScripts: 'undefined',
    document: 'undefined',
    window: 'undefined',
  },
}

/**
 * The factory function inside libav.js's script, as a module: the script's own last lines look for workers, globals
 * and files, none of which an edge function has.
 */
async function libavEntry(): Promise<string> {
  const script = await readFile(join(libavDist, `${LIBAV}.js`), 'utf8')
  const start = script.indexOf('var LibAVFactory = (() => {')
  const ending = '\n})();\n'
  const end = script.indexOf(ending, start)
  if (start < 0 || end < 0) throw new Error(`${LIBAV}.js no longer has the form that vendor/audio.ts expects`)
  const licence = script.slice(0, script.indexOf('*/') + 2)
  const factory = script.slice(start, end + ending.length)
  return `${licence}\nvar LibAV = { base: '.' };\n${factory}\nexport { LibAVFactory as createLibav }\n`
}

/** The inner loops of the measures. */
const KERNELS = join(import.meta.dirname, 'audio-kernels')

/**
 * Builds what the audio analysis runs on: `audio-demux.js` (containers), `audio-aac.js` with `aac.wasm` (the AAC
 * decoder) and `audio-kernels.js`. The other decoders are small npm packages, which the functions import by name.
 */
export async function buildAudioBundles({ bundles, assets }: OutDirs): Promise<void> {
  await mkdir(assets, { recursive: true })
  await Promise.all([
    writeBundle(bundles, { name: 'audio-demux', entry: DEMUX_ENTRY, options: OPTIONS }),
    writeBundle(bundles, { name: 'audio-aac', entry: await libavEntry(), options: OPTIONS }),
    writeBundle(bundles, { name: 'audio-kernels', entry: await kernelsEntry(KERNELS) }),
    copyFile(join(libavDist, `${LIBAV}.wasm`), join(assets, 'aac.wasm')),
  ])
}
