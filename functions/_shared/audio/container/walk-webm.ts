import { AudioError, type MediaSource, truncated } from '../recording.ts'
import { ByteWindow } from './byte-window.ts'
import { bound, encrypted, implausible, LIMITS, severalRecordings } from './limits.ts'

const ID = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  tracks: 0x1654ae6b,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  attachments: 0x1941a469,
  chapters: 0x1043a770,
  cluster: 0x1f43b675,
  void: 0xec,
  crc: 0xbf,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
  trackEntry: 0xae,
  contentEncodings: 0x6d80,
  cuePoint: 0xbb,
  seek: 0x4dbb,
}

/** What stands beside clusters; all of it but clusters is read whole. */
const LEVEL_1 = new Set([
  ID.seekHead,
  ID.info,
  ID.tracks,
  ID.cues,
  ID.tags,
  ID.attachments,
  ID.chapters,
  ID.cluster,
  ID.void,
  ID.crc,
])
/** What a file begins with: in a segment whose size is unknown, a further recording. */
const BEGINNING = new Set([ID.ebml, ID.segment])
const METADATA = new Set([ID.seekHead, ID.info, ID.tracks, ID.cues, ID.tags, ID.attachments])

/** Masters within metadata that hold what has a limit. */
const METADATA_MASTERS = new Set([ID.trackEntry])

const METADATA_ELEMENTS = 64
/** Elements directly within those of `METADATA`, and within tracks. */
const METADATA_CHILDREN = 20_000
/** Elements within clusters: one or two for each packet, and what a recorder adds. */
const CLUSTER_CHILDREN = 4 * LIMITS.packets
const CUE_POINTS = 10_000
const SEEKS = 256
const CLUSTER_BYTES = 8 * 1024 * 1024
const CLUSTER_BLOCKS = 20_000

/** The demuxer takes apart a block of several packets by moving all that follow in the cluster. */
const CLUSTER_LACED_PACKETS = 4_096

const MAX_HEADER_BYTES = 12

interface Element {
  id: number
  /** Bytes of ID and size. */
  headerBytes: number
  /** Of the content; null where it is unknown, as live recorders write it. */
  bytes: number | null
}

/** Checks the elements of a WebM or Matroska file (RFC 8794, RFC 9559) against its bytes. */
export async function walkWebm(source: MediaSource): Promise<void> {
  await new Walk(source).run()
}

class Walk {
  readonly #window: ByteWindow
  #metadataElements = 0
  #metadataBytes = 0
  #metadataChildren = 0
  #clusterChildren = 0
  #clusters = 0
  #packets = 0
  #tracks = 0
  #cuePoints = 0
  #seeks = 0

  constructor(source: MediaSource) {
    this.#window = new ByteWindow(source)
  }

  async run(): Promise<void> {
    const { size } = this.#window
    let at = 0
    let segments = 0
    for (let elements = 0; at < size; elements++) {
      bound(elements, 16, 'more parts')
      const element = await this.#elementAt(at)
      const start = at + element.headerBytes
      if (element.id === ID.segment) {
        if (++segments > 1) throw severalRecordings()
        const end = element.bytes === null ? size : start + element.bytes
        if (end > size) throw truncated({ container: 'webm' })
        await this.#walkSegment(start, end)
        at = end
      } else {
        if (element.bytes === null) throw implausible('more')
        if (element.id === ID.ebml) bound(element.bytes, 4096, 'a longer header')
        else if (element.id !== ID.void) throw implausible('more parts')
        at = start + element.bytes
      }
    }
  }

  async #walkSegment(start: number, end: number): Promise<void> {
    let at = start
    while (at < end) {
      const element = await this.#elementAt(at)
      const contentAt = at + element.headerBytes
      if (BEGINNING.has(element.id)) throw severalRecordings()
      if (!LEVEL_1.has(element.id)) throw implausible('more parts')
      if (element.id === ID.cluster) {
        bound(++this.#clusters, LIMITS.parts, 'more parts')
        at = await this.#walkCluster(contentAt, element.bytes, end)
        continue
      }
      if (element.bytes === null) throw implausible('more')
      if (contentAt + element.bytes > end) throw truncated({ container: 'webm' })
      bound(++this.#metadataElements, METADATA_ELEMENTS, 'more parts')
      if (METADATA.has(element.id)) {
        this.#metadataBytes += element.bytes
        bound(this.#metadataBytes, LIMITS.metadataBytes, 'larger parts')
        await this.#walkMetadata(contentAt, contentAt + element.bytes)
      }
      at = contentAt + element.bytes
    }
  }

  /** Elements whose number is limited, and those that hold such. */
  async #walkMetadata(start: number, end: number): Promise<void> {
    let at = start
    while (at < end) {
      const element = await this.#elementAt(at)
      const contentAt = at + element.headerBytes
      if (element.bytes === null || contentAt + element.bytes > end) throw implausible('larger parts')
      bound(++this.#metadataChildren, METADATA_CHILDREN, 'more parts')
      if (element.id === ID.trackEntry) bound(++this.#tracks, LIMITS.tracks, 'more tracks')
      if (element.id === ID.cuePoint) bound(++this.#cuePoints, CUE_POINTS, 'more places')
      if (element.id === ID.seek) bound(++this.#seeks, SEEKS, 'more places')
      if (element.id === ID.contentEncodings) throw encrypted()
      if (METADATA_MASTERS.has(element.id)) await this.#walkMetadata(contentAt, contentAt + element.bytes)
      at = contentAt + element.bytes
    }
  }

  /** @returns where the cluster ends: what is not declared is found by the first element that belongs beside clusters. */
  async #walkCluster(start: number, bytes: number | null, segmentEnd: number): Promise<number> {
    const end = bytes === null ? segmentEnd : start + bytes
    if (end > segmentEnd) throw truncated({ container: 'webm' })
    let at = start
    let blocks = 0
    let laced = 0
    while (at < end) {
      const header = this.#heldElementAt(at) ?? (await this.#elementAt(at))
      if (header.id !== ID.void && header.id !== ID.crc && LEVEL_1.has(header.id)) {
        if (bytes === null) break
        throw implausible('larger parts')
      }
      if (BEGINNING.has(header.id)) throw severalRecordings()
      const contentAt = at + header.headerBytes
      if (header.bytes === null) throw implausible('more')
      if (contentAt + header.bytes > end) throw truncated({ container: 'webm' })
      bound(contentAt + header.bytes - start, CLUSTER_BYTES, 'more sound in one part')
      const isBlock = header.id === ID.simpleBlock
      if (isBlock || header.id === ID.blockGroup) {
        const packets = isBlock
          ? await this.#packetsOf(contentAt, header.bytes)
          : await this.#packetsOfGroup(contentAt, contentAt + header.bytes)
        if (packets > 1) laced += packets
        this.#packets += packets
      }
      bound(++blocks, CLUSTER_BLOCKS, 'more sound in one part')
      bound(++this.#clusterChildren, CLUSTER_CHILDREN, 'more parts')
      bound(laced, CLUSTER_LACED_PACKETS, 'more sound in one part')
      bound(this.#packets, 2 * LIMITS.packets, 'more sound')
      at = contentAt + header.bytes
    }
    return at
  }

  async #packetsOfGroup(start: number, end: number): Promise<number> {
    let packets = 0
    let at = start
    for (let elements = 0; at < end; elements++) {
      bound(elements, 64, 'more parts')
      bound(++this.#clusterChildren, CLUSTER_CHILDREN, 'more parts')
      const element = this.#heldElementAt(at) ?? (await this.#elementAt(at))
      const contentAt = at + element.headerBytes
      if (element.bytes === null || contentAt + element.bytes > end) throw implausible('larger parts')
      if (element.id === ID.block) packets += await this.#packetsOf(contentAt, element.bytes)
      at = contentAt + element.bytes
    }
    return packets
  }

  /** Packets of a block: several where it is laced (RFC 9559, section 10.3). */
  async #packetsOf(at: number, bytes: number): Promise<number> {
    const length = Math.min(bytes, MAX_HEADER_BYTES)
    const block = this.#window.held(at, length) ?? (await this.#window.load(at, length))
    // Behind the track's number, which is as long as its leading zeros say, come two bytes of time and the flags.
    const trackBytes = Math.clz32(((block[0] ?? 0) << 24) >>> 0) + 1
    const flags = block[trackBytes + 2] ?? 0
    return flags & 0x06 ? (block[trackBytes + 3] ?? 0) + 1 : 1
  }

  async #elementAt(at: number): Promise<Element> {
    const element = readElement(
      this.#window.held(at, MAX_HEADER_BYTES) ?? (await this.#window.load(at, MAX_HEADER_BYTES)),
    )
    if (element) return element
    if (at + MAX_HEADER_BYTES > this.#window.size) throw truncated({ container: 'webm' })
    throw new AudioError('audio_unreadable', 'The recording is damaged. Record and send it again.')
  }

  #heldElementAt(at: number): Element | null {
    const bytes = this.#window.held(at, MAX_HEADER_BYTES)
    return bytes && readElement(bytes)
  }
}

/** An element's ID with its length marker, and its size; null when the bytes hold none. */
function readElement(bytes: Uint8Array): Element | null {
  const first = bytes[0] ?? 0
  const idBytes = Math.clz32(first << 24) + 1
  if (first === 0 || idBytes > 4 || bytes.length < idBytes + 1) return null
  let id = first
  for (let i = 1; i < idBytes; i++) id = id * 256 + (bytes[i] ?? 0)

  const marker = bytes[idBytes] ?? 0
  const sizeBytes = Math.clz32(marker << 24) + 1
  if (marker === 0 || bytes.length < idBytes + sizeBytes) return null
  let size = marker & (0xff >> sizeBytes)
  let isUnknown = size === 0xff >> sizeBytes
  for (let i = 1; i < sizeBytes; i++) {
    const byte = bytes[idBytes + i] ?? 0
    isUnknown &&= byte === 0xff
    size = size * 256 + byte
  }
  return { id, headerBytes: idBytes + sizeBytes, bytes: isUnknown ? null : size }
}
