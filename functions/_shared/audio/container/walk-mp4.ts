import { type MediaSource, readClipped, truncated } from '../recording.ts'
import { ByteWindow } from './byte-window.ts'
import { bound, encrypted, implausible, LIMITS, severalRecordings } from './limits.ts'

const INDEX_BYTES = { moov: LIMITS.metadataBytes, moof: 2 * 1024 * 1024, mfra: 1024 * 1024 }
const FRAGMENT_BYTES = 32 * 1024 * 1024

/** Audio and video samples together. */
const SAMPLES = 2 * LIMITS.packets

/** Samples of one fragment: a minute of video and sound takes a tenth of it. */
const FRAGMENT_SAMPLES = 60_000

const fourCc = (name: string) =>
  [...name].reduce((code, character) => code * 256 + character.charCodeAt(0), 0)

/**
 * Checks what the index of an MP4 or QuickTime file declares (ISO/IEC 14496-12) against its bytes.
 */
export async function walkMp4(source: MediaSource): Promise<void> {
  const window = new ByteWindow(source)
  const index = new Index(source.size)
  const fragments = new Set<number>()
  let fragmentBytes = 0
  let movies = 0

  const readIndex = async (name: keyof typeof INDEX_BYTES, at: number, size: number) => {
    if (at + size > source.size) throw truncated({ container: 'm4a' })
    bound(size, INDEX_BYTES[name], 'a larger index')
    return await readClipped(source, at, at + size)
  }

  let at = 0
  for (let boxes = 0; at + 8 <= source.size; boxes++) {
    bound(boxes, LIMITS.parts, 'more boxes')
    const header = window.held(at, 16) ?? (await window.load(at, 16))
    const box = readBox(header)
    if (source.size - at > STRAY_BYTES && !isBoxOrEmpty(header)) throw implausible('less')
    if (!box) break
    if (box.name === MOOV) {
      if (++movies > 1) throw severalRecordings()
      index.check(await readIndex('moov', at, box.size))
    }
    if (box.name === MOOF) {
      fragments.add(at)
      fragmentBytes += box.size
      bound(fragmentBytes, FRAGMENT_BYTES, 'larger fragments')
      index.check(await readIndex('moof', at, box.size))
    }
    at += box.size
  }

  // The file's last four bytes may say where a table of fragments begins (section 8.8.11), wherever that is.
  const tail = await readClipped(source, source.size - 4, source.size)
  const tableAt = tail.length === 4 ? source.size - word(tail, 0) : -1
  if (tableAt < 0 || tableAt > source.size - 16) return
  const table = readBox(await readClipped(source, tableAt, tableAt + 16))
  if (table?.name !== MFRA || tableAt + table.size > source.size) return
  index.check(await readIndex('mfra', tableAt, table.size), fragments)
}

const MOOV = fourCc('moov')
const MOOF = fourCc('moof')
const MFRA = fourCc('mfra')
const META = fourCc('meta')
const STSD = fourCc('stsd')
const MAX_DESCRIPTION_BYTES = 1024 * 1024

/** Bytes at the end that are no box and are left alone. */
const STRAY_BYTES = 4096

/** Whether bytes begin a box, whose name is of printable characters, or are zeros, as some writers fill a file up with. */
function isBoxOrEmpty(header: Uint8Array): boolean {
  const name = header.subarray(4, 8)
  // "©" begins names of QuickTime.
  return (
    name.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0xa9) || header.every((byte) => byte === 0)
  )
}

/** A box's whole size; null when it has none, which ends the reading, or lasts to the end of the file. */
function readBox(bytes: Uint8Array): { name: number; size: number } | null {
  if (bytes.length < 8) return null
  const short = word(bytes, 0)
  if (short === 1 && bytes.length < 16) return null
  const size = short === 1 ? word(bytes, 8) * 2 ** 32 + word(bytes, 12) : short
  return size < (short === 1 ? 16 : 8) ? null : { name: word(bytes, 4), size }
}

/** Boxes that the demuxer looks into, wherever they are. */
const CONTAINERS = new Set(
  [
    'trak',
    'mdia',
    'minf',
    'stbl',
    'dinf',
    'edts',
    'mvex',
    'udta',
    'meta',
    'wave',
    'sinf',
    'schi',
    'moof',
    'traf',
    'mfra',
  ].map(fourCc),
)

/** Boxes of which a track has one. For each further one, the demuxer goes again over all that it has read of them before. */
const ONE_PER_TRACK = new Set(['stsc', 'tfra', 'trex'].map(fourCc))

const MAX_DEPTH = 16
const MAX_BOXES = 100_000

/** Checks boxes that hold counts, of the whole file. */
class Index {
  readonly #fileBytes: number
  /** Of each kind in `ONE_PER_TRACK`, in all of the file. */
  readonly #counts = new Map<number, number>()
  /** Samples of each track in the fragment. */
  readonly #samplesOfTrack = new Map<number, number>()
  #fragmentTrack = 0
  #boxes = 0
  #tracks = 0
  #runSamples = 0
  #fragmentSamples = 0
  #sortedSamples = 0
  #timedSamples = 0
  #isReordered = false

  constructor(fileBytes: number) {
    this.#fileBytes = fileBytes
  }

  /**
   * @param bytes an index: the box with its header
   * @param fragments where fragments begin, for the table of fragments
   */
  check(bytes: Uint8Array, fragments: ReadonlySet<number> = new Set()): void {
    this.#runSamples = 0
    this.#samplesOfTrack.clear()
    this.#checkBoxes(bytes.subarray(word(bytes, 0) === 1 ? 16 : 8), 0, fragments)
    this.#fragmentSamples += this.#runSamples
    bound(this.#fragmentSamples, SAMPLES, 'more sound')
    if (this.#isReordered) bound(this.#timedSamples, SAMPLES, 'more sound')
  }

  #checkBoxes(bytes: Uint8Array, depth: number, fragments: ReadonlySet<number>): void {
    bound(depth, MAX_DEPTH, 'a deeper index')
    for (let at = 0; at + 8 <= bytes.length; ) {
      const box = readBox(bytes.subarray(at, at + 16))
      if (!box) return
      bound(++this.#boxes, MAX_BOXES, 'more boxes')
      if (at + box.size > bytes.length) throw truncated({ container: 'm4a' })
      const content = bytes.subarray(at + (word(bytes, at) === 1 ? 16 : 8), at + box.size)
      this.#checkBox(box.name, content, fragments)
      if (box.name === META)
        this.#checkBoxes(content.subarray(word(content, 0) === 0 ? 4 : 0), depth + 1, fragments)
      else if (CONTAINERS.has(box.name)) this.#checkBoxes(content, depth + 1, fragments)
      else if (box.name === STSD) this.#checkSampleDescriptions(content, fragments)
      at += box.size
    }
  }

  /** stsd: boxes within begin behind fields whose length depends on the codec, so each byte is taken for a beginning. */
  #checkSampleDescriptions(bytes: Uint8Array, fragments: ReadonlySet<number>): void {
    bound(bytes.length, MAX_DESCRIPTION_BYTES, 'a larger description')
    for (let at = 4; at + 4 <= bytes.length; at++) {
      this.#checkBox(word(bytes, at), bytes.subarray(at + 4), fragments)
    }
  }

  #checkBox(name: number, content: Uint8Array, fragments: ReadonlySet<number>): void {
    if (ONE_PER_TRACK.has(name)) {
      const count = (this.#counts.get(name) ?? 0) + 1
      this.#counts.set(name, count)
      bound(count, LIMITS.tracks, 'more tables')
    }
    CHECKS.get(name)?.call(this, content, fragments)
  }

  /** trun: samples of a fragment. Without fields of their own they take no bytes. */
  checkRun(box: Uint8Array): void {
    const flags = word(box, 0) & 0xffffff
    const count = word(box, 4)
    const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length
    const start = 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
    bound(count * fields * 4, box.length - start, 'more sound')
    if (flags & 0x200) {
      const sizeAt = start + (flags & 0x100 ? 4 : 0)
      for (let i = 0; i < count; i++) {
        bound(word(box, sizeAt + i * fields * 4), LIMITS.packetBytes, 'larger packets')
      }
    }
    this.#samplesOfTrack.set(
      this.#fragmentTrack,
      (this.#samplesOfTrack.get(this.#fragmentTrack) ?? 0) + count,
    )
    this.#runSamples += count
    bound(this.#runSamples, FRAGMENT_SAMPLES, 'more sound in one part')
  }

  /** stsz: sizes of samples, or one for all. */
  checkSizes(box: Uint8Array): void {
    const size = word(box, 4)
    const count = word(box, 8)
    if (size > 0) {
      bound(size, LIMITS.packetBytes, 'larger packets')
      bound(count * size, this.#fileBytes, 'more sound')
      return
    }
    bound(count * 4, box.length - 12, 'more sound')
    bound(count, SAMPLES, 'more sound')
    for (let i = 0; i < count; i++) bound(word(box, 12 + 4 * i), LIMITS.packetBytes, 'larger packets')
  }

  /** stz2: sizes of 4, 8 or 16 bits. */
  checkSmallSizes(box: Uint8Array): void {
    const bits = box[7] ?? 0
    const count = word(box, 8)
    if (bits !== 4 && bits !== 8 && bits !== 16) throw implausible('more sound')
    bound((count * bits) / 8, box.length - 12, 'more sound')
    bound(count, SAMPLES, 'more sound')
  }

  /** stts and ctts: runs of samples of one duration or offset. With offsets, all samples are sorted. */
  checkTimes(box: Uint8Array, isReordering: boolean): void {
    const entries = word(box, 4)
    bound(entries * 8, box.length - 8, 'more sound')
    bound(entries, SAMPLES, 'more sound')
    let samples = 0
    for (let i = 0; i < entries; i++) samples += word(box, 8 + 8 * i)
    if (isReordering) {
      this.#isReordered = true
      bound(samples, SAMPLES, 'more sound')
    } else this.#timedSamples += samples
  }

  /** stsc: samples of each chunk. */
  checkChunks(box: Uint8Array): void {
    const entries = word(box, 4)
    bound(entries * 12, box.length - 8, 'more sound')
    for (let i = 0; i < entries; i++) {
      bound(word(box, 12 + 12 * i), this.#fileBytes, 'more sound')
    }
  }

  /** tfra: where the fragments of a track begin. */
  checkFragmentTable(box: Uint8Array, fragments: ReadonlySet<number>): void {
    const isLong = box[0] === 1
    const lengths = word(box, 8)
    const entries = word(box, 12)
    const numbers = 3 + ((lengths >> 4) & 3) + ((lengths >> 2) & 3) + (lengths & 3)
    const entryBytes = (isLong ? 16 : 8) + numbers
    bound(entries * entryBytes, box.length - 16, 'more fragments')
    bound(entries, fragments.size, 'more fragments')
    for (let i = 0; i < entries; i++) {
      const at = 16 + i * entryBytes
      const offset = isLong ? word(box, at + 8) * 2 ** 32 + word(box, at + 12) : word(box, at + 4)
      if (!fragments.has(offset)) throw implausible('more fragments')
    }
  }

  /**
   * tfhd: whose samples follow, and among others the size of those whose run has none. Where a track has several in one fragment, the
   * demuxer sorts its samples with each.
   */
  checkFragmentHeader(box: Uint8Array): void {
    const flags = word(box, 0) & 0xffffff
    this.#fragmentTrack = word(box, 4)
    this.#sortedSamples += this.#samplesOfTrack.get(this.#fragmentTrack) ?? 0
    bound(this.#sortedSamples, SAMPLES, 'more sound')
    if (!(flags & 0x10)) return
    const sizeAt = 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0) + (flags & 8 ? 4 : 0)
    bound(word(box, sizeAt), LIMITS.packetBytes, 'larger packets')
  }

  checkTrack(): void {
    bound(++this.#tracks, LIMITS.tracks, 'more tracks')
  }
}

type Check = (this: Index, box: Uint8Array, fragments: ReadonlySet<number>) => void

const refuseEncryption: Check = () => {
  throw encrypted()
}

const CHECKS = new Map<number, Check>(
  Object.entries<Check>({
    trun: Index.prototype.checkRun,
    stsz: Index.prototype.checkSizes,
    stz2: Index.prototype.checkSmallSizes,
    stts(box) {
      return this.checkTimes(box, false)
    },
    ctts(box) {
      return this.checkTimes(box, true)
    },
    stsc: Index.prototype.checkChunks,
    tfra: Index.prototype.checkFragmentTable,
    tfhd: Index.prototype.checkFragmentHeader,
    trex(box) {
      bound(word(box, 16), LIMITS.packetBytes, 'larger packets')
    },
    saiz(box) {
      bound(word(box, 0) & 1 ? word(box, 13) : word(box, 5), SAMPLES, 'more sound')
    },
    trak: Index.prototype.checkTrack,
    enca: refuseEncryption,
    tenc: refuseEncryption,
    senc: refuseEncryption,
  }).map(([name, check]) => [fourCc(name), check]),
)

/** Four bytes as a number; what is missing is zero. */
function word(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16)
  return (high | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) >>> 0
}
