import {
  aacPackets,
  type BoxPlace,
  big,
  box,
  boxesOf,
  cluster,
  concat,
  EBML,
  element,
  fixture,
  fragment,
  fragmentedMovie,
  little,
  oggPage,
  opusHead,
  opusTags,
  repeated,
  simpleBlock,
  wavFile,
  webm,
  webmHead,
} from '../../../harness/media/containers.ts'
import { Random } from '../../../harness/media/random.ts'

type Build = (random: Random) => Uint8Array

const NAMES = [
  'short.m4a',
  'short.webm',
  'short.ogg',
  'short.mp3',
  'short.wav',
  'short.flac',
  'short.aac',
] as const
const files = new Map(NAMES.map((name) => [name, fixture(name)]))
const { packets: aac, description } = aacPackets()
const opus = Uint8Array.from([0xf8, 0xff, 0xfe])

function recording(name: (typeof NAMES)[number]): Uint8Array {
  return (files.get(name) ?? new Uint8Array(0)).slice()
}

/** Numbers at which code that believes them breaks. */
function hostileNumber(random: Random): number {
  return random.chance(0.3)
    ? random.int(0, 2 ** 31)
    : random.pick([
        0, 1, 2, 7, 8, 15, 255, 256, 65_535, 65_536, 1e6, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 4e9,
      ])
}

/** How much of a file lies: nothing, one part in many, or so much that no reader gets far. */
function shareOfLies(random: Random): number {
  return random.pick([0, 0, 0.001, 0.01, 0.1])
}

/** A count that a budget must stop, or just not. */
function manyTimes(random: Random): number {
  return Math.round(2 ** (random.next() * 16))
}

function overwrite(file: Uint8Array, at: number, bytes: number[]): Uint8Array {
  file.set(
    bytes.filter((_, i) => at + i < file.length),
    Math.max(0, Math.min(at, file.length - 1)),
  )
  return file
}

function insert(file: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  return concat([file.subarray(0, at), part, file.subarray(at)])
}

/** Adds to the sizes of the boxes that hold another, so that what was put into it is seen. */
function grow(file: Uint8Array, parents: number[], by: number): Uint8Array {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength)
  for (const at of parents) view.setUint32(at, view.getUint32(at) + by)
  return file
}

const COUNTED = [
  'stts',
  'stsc',
  'stsz',
  'stco',
  'ctts',
  'elst',
  'stsd',
  'mdhd',
  'mvhd',
  'tkhd',
  'trun',
  'tfhd',
  'trex',
]

/** Parts that belong into an index, with a count that they do not hold. */
function countedBox(random: Random): Uint8Array {
  const content = [
    big(random.pick([0, 1, 0x301, 0xf01, 0x1000000])),
    big(hostileNumber(random)),
    random.bytes(random.int(0, 64)),
  ]
  const name = random.pick([
    ...COUNTED,
    'stz2',
    'co64',
    'stss',
    'saiz',
    'saio',
    'senc',
    'sinf',
    'keys',
    'tfra',
    'pssh',
    'meta',
  ])
  return box(name, content)
}

function mutatedMp4(random: Random): Uint8Array {
  let file = random.chance(0.5) ? recording('short.m4a') : fragmentedMp4(random)
  for (let changes = random.int(1, 3); changes > 0; changes--) {
    const places = boxesOf(file)
    const place = random.pick<BoxPlace>(
      random.chance(0.6) ? places.filter(({ name }) => name !== 'mdat') : places,
    )
    switch (random.int(0, 6)) {
      case 0:
        file = overwrite(file, place.at, big(hostileNumber(random)))
        break
      case 1:
        file = overwrite(file, place.at + 8 + 4 * random.int(0, 4), big(hostileNumber(random)))
        break
      case 2: {
        const part = random.chance(0.5) ? file.slice(place.at, place.at + place.bytes) : countedBox(random)
        const inserted = repeated(part, Math.min(manyTimes(random), Math.ceil(2e6 / part.length)))
        file = grow(insert(file, place.at, inserted), place.parents, inserted.length)
        break
      }
      case 3: {
        let nested = file.slice(place.at, place.at + place.bytes)
        const own = nested.length
        const name = random.pick(['meta', 'edts', 'udta', 'mdia', 'wave', 'sinf', 'stbl', 'moof', 'traf'])
        for (let depth = Math.min(300, manyTimes(random)); depth > 0; depth--)
          nested = new Uint8Array(box(name, [nested]))
        file = concat([file.subarray(0, place.at), nested, file.subarray(place.at + own)])
        file = grow(file, place.parents, nested.length - own)
        break
      }
      case 4:
        file = overwrite(
          file,
          place.at + 4,
          [...random.pick([...COUNTED, 'free', 'moof', 'mdat', 'moov', 'skip'])].map((letter) =>
            letter.charCodeAt(0),
          ),
        )
        break
      case 5:
        file = overwrite(file, place.at + 8 + random.int(0, Math.max(0, place.bytes - 8)), [
          ...random.bytes(random.int(1, 16)),
        ])
        break
      default:
        file = concat([file.subarray(0, place.at), file.subarray(place.at + place.bytes)])
    }
    if (file.length < 64 || boxesOf(file).every(({ name }) => name === 'mdat')) break
  }
  return file
}

function fragmentedMp4(random: Random): Uint8Array {
  const each = random.int(1, 60)
  const count = Math.ceil(aac.length / each)
  return concat([
    fragmentedMovie(description),
    ...Array.from({ length: count }, (_, i) => fragment(aac.slice(i * each, (i + 1) * each), i * each)),
  ])
}

/** Fragments that say what is not so: how many samples, how large, when. */
function lyingFragments(random: Random): Uint8Array {
  const count = Math.min(4000, manyTimes(random))
  const each = Math.max(1, Math.floor(Math.min(20_000, manyTimes(random)) / count))
  const packets = Array.from({ length: each }, (_, i) => aac[i % aac.length] ?? opus)
  const isOverlapping = random.chance(0.5)
  const lie = () => ({
    ...(random.chance(0.3) && { samples: hostileNumber(random) }),
    ...(random.chance(0.3) && { flags: random.pick([0, 1, 4, 5, 0x201, 0x301, 0xf01, 0x801]) }),
    ...(random.chance(0.1) && { bytes: hostileNumber(random) }),
  })
  const isHonest = random.chance(0.3)
  const whole = Math.min(count, Math.ceil(4e6 / (each * 250)))
  return concat([
    fragmentedMovie(description),
    ...Array.from({ length: whole }, (_, i) =>
      fragment(packets, isOverlapping ? i % 7 : i * each, isHonest ? {} : lie()),
    ),
  ])
}

/** A table of fragments that sends the reader anywhere. */
function fragmentTable(random: Random): Uint8Array {
  const movie = fragmentedMp4(random)
  const count = Math.min(5000, manyTimes(random))
  const fragments = boxesOf(movie).filter(({ name }) => name === 'moof')
  const entries = concat(
    Array.from({ length: count }, (_, i) =>
      concat([
        big(random.chance(0.5) ? i : random.int(0, 200_000)),
        big(random.chance(0.7) ? random.pick(fragments).at : random.int(0, movie.length)),
        [1, 1, 1],
      ]),
    ),
  )
  const declared = random.chance(0.8) ? count : hostileNumber(random)
  const table = box('mfra', [
    box('tfra', [big(0), big(1), big(0), big(declared), entries]),
    box('mfro', [big(0), big(0)]),
  ])
  table.set(big(table.length), table.length - 4)
  return concat([movie, table])
}

const KNOWN_ELEMENTS = Object.values(EBML)

function webmBlocks(random: Random, count: number, lies: number): Uint8Array[] {
  const laces = random.chance(3 * lies)
  return Array.from({ length: count }, (_, i) => {
    const flags = laces ? random.pick([0x82, 0x84, 0x86]) : 0x80
    const packet = laces ? concat([[random.int(0, 255)], random.bytes(random.int(0, 30))]) : opus
    const time = random.chance(lies) ? random.int(0, 65_535) : (i * 20) % 32_768
    return random.chance(0.9)
      ? simpleBlock(time, packet, flags)
      : element(EBML.blockGroup, [element(EBML.block, [[0x81], big(time, 2), [flags], packet])])
  })
}

function lyingWebm(random: Random): Uint8Array {
  const lies = shareOfLies(random)
  const declared = () =>
    random.chance(lies) ? (random.chance(0.5) ? 'unknown' : hostileNumber(random)) : undefined
  const clusters = Array.from({ length: Math.min(3000, manyTimes(random)) }, (_, i) => {
    const blocks = random.chance(0.3) ? [] : webmBlocks(random, random.int(0, 20), lies)
    return cluster(random.chance(lies) ? hostileNumber(random) : i * 400, blocks, declared())
  })
  const extras = Array.from({ length: lies === 0 ? random.int(0, 1) : random.int(0, 6) }, () => {
    const places = Array.from({ length: Math.min(12_000, manyTimes(random)) }, (_, i) =>
      element(EBML.cuePoint, [
        element(EBML.cueTime, [big(random.chance(0.5) ? i : 0)]),
        element(EBML.cueTrackPositions, [
          element(EBML.cueTrack, [[1]]),
          element(EBML.cueClusterPosition, [big(random.int(0, 500_000))]),
        ]),
      ]),
    )
    return random.pick([
      () => element(EBML.cues, places, declared()),
      () =>
        element(EBML.seekHead, [
          repeated(
            element(EBML.seek, [
              element(EBML.seekId, [big(random.pick(KNOWN_ELEMENTS))]),
              element(EBML.seekPosition, [big(random.int(0, 5000))]),
            ]),
            Math.min(2000, manyTimes(random)),
          ),
        ]),
      () => element(EBML.void, [random.bytes(random.int(0, 200))], declared()),
      () => webmHead([element(EBML.contentEncodings, [random.bytes(20)])]),
      () => random.bytes(random.int(0, 3000)),
      () => repeated(element(random.pick(KNOWN_ELEMENTS), []), manyTimes(random)),
    ])()
  })
  const parts = [...(random.chance(lies) ? [] : [webmHead()]), ...extras, ...clusters]
  return webm(parts, random.chance(lies) ? hostileNumber(random) : random.chance(0.7) ? undefined : 'unknown')
}

function mutatedWebm(random: Random): Uint8Array {
  const file = recording('short.webm')
  for (let changes = random.int(1, 5); changes > 0; changes--) {
    const at = random.chance(0.6) ? random.int(0, 400) : random.int(0, file.length - 1)
    overwrite(
      file,
      at,
      random.chance(0.5)
        ? [random.pick([0, 1, 0x40, 0x80, 0xff, 0xa3, 0xec])]
        : big(random.pick(KNOWN_ELEMENTS)),
    )
  }
  return file
}

function lyingOgg(random: Random): Uint8Array {
  const mark = concat(['OggS', [0, 0], new Uint8Array(20), [random.int(0, 255)]])
  const packet = random.pick([
    opus,
    random.bytes(200),
    repeated(mark, random.int(1, 60)),
    new Uint8Array(0),
    new Uint8Array(60_000),
  ])
  const lies = shareOfLies(random)
  const streams =
    lies === 0 ? 1 : Math.min(20_000, random.chance(0.5) ? random.int(1, 20) : manyTimes(random))
  const heads = Array.from({ length: streams }, (_, serial) =>
    oggPage({
      serial,
      sequence: 0,
      granule: 0,
      flags: 2,
      packets: [opusHead(random.chance(lies) ? random.int(0, 255) : 1)],
    }),
  )
  const each = random.int(0, 50)
  const packets = Array.from({ length: each }, () => packet)
  const count = Math.min(8000, manyTimes(random), Math.ceil(3e6 / (each * packet.length + 30)))
  const backwards = random.chance(2 * lies)
  const unstamped = random.chance(0.2)
  const foreign = random.chance(2 * lies)
  const pages = Array.from({ length: count }, (_, i) =>
    oggPage({
      serial: foreign ? i % 3 : 0,
      sequence: i + 2,
      granule: unstamped ? -1 : backwards ? 48_000 * (count - i) : 960 * each * (i + 1),
      flags: random.chance(lies) ? random.int(0, 7) : 0,
      packets: packet.length * each < 60_000 ? packets : [packet],
      ...(random.chance(lies) && {
        segments: Array.from({ length: random.int(0, 255) }, () => random.int(0, 255)),
      }),
      wrongChecksum: random.chance(lies),
    }),
  )
  return concat([...heads, oggPage({ serial: 0, sequence: 1, granule: 0, packets: [opusTags()] }), ...pages])
}

function mutatedOgg(random: Random): Uint8Array {
  const file = recording('short.ogg')
  for (let changes = random.int(1, 6); changes > 0; changes--) {
    const pages: number[] = []
    for (let at = 0; at + 4 < file.length; at++) {
      if (file[at] === 0x4f && file[at + 1] === 0x67 && file[at + 2] === 0x67 && file[at + 3] === 0x53)
        pages.push(at)
    }
    overwrite(file, random.pick(pages.length > 0 ? pages : [0]) + random.int(4, 60), [
      ...random.bytes(random.int(1, 8)),
    ])
  }
  return file
}

function hostileMp3(random: Random): Uint8Array {
  const file = recording('short.mp3')
  const tag = (bytes: number, declared = bytes) =>
    concat([
      'ID3',
      [4, 0, 0],
      [21, 14, 7, 0].map((shift) => (declared >> shift) & 0x7f),
      new Uint8Array(bytes),
    ])
  return random.pick([
    () => concat([repeated(tag(random.int(0, 20)), manyTimes(random)), file]),
    () => concat([tag(random.int(0, 500), random.int(0, 2 ** 28 - 1)), file]),
    () => concat([file.slice(0, random.int(200, 5000)), repeated([random.int(0, 255)], random.int(1, 3e6))]),
    // Frames as short as can be: MPEG-2, 8 kbit/s, 24 kHz.
    () => repeated(concat([[0xff, 0xf3, 0x14, 0xc0], new Uint8Array(20)]), manyTimes(random) * 4),
    () => {
      for (let changes = random.int(1, 50); changes > 0; changes--) {
        overwrite(file, random.int(0, file.length - 1), [0xff, random.int(0xe0, 0xff), random.int(0, 255)])
      }
      return file
    },
    () => {
      const at = file.findIndex((byte, i) => byte === 0x58 && file[i + 1] === 0x69) + 8
      return overwrite(file, at, [...big(hostileNumber(random)), ...big(hostileNumber(random))])
    },
  ])()
}

function hostileAdts(random: Random): Uint8Array {
  const file = recording('short.aac')
  const frame = (bytes: number, rate: number, channels: number) =>
    concat([
      [0xff, 0xf1, 0x40 | (rate << 2) | (channels >> 2), ((channels & 3) << 6) | (bytes >> 11)],
      [(bytes >> 3) & 0xff, ((bytes & 7) << 5) | 0x1f, 0xfc | (random.chance(0.1) ? 1 : 0)],
      random.bytes(Math.max(0, Math.min(bytes, 800) - 7)),
    ])
  return random.pick([
    // As short, and as long, as frames can be; at every rate, with every number of channels.
    () => repeated(frame(random.int(7, 12), random.int(0, 15), random.int(0, 7)), manyTimes(random) * 4),
    () =>
      repeated(
        frame(random.int(13, 800), random.int(0, 12), random.int(1, 7)),
        Math.min(3000, manyTimes(random)),
      ),
    () => concat([file.slice(0, random.int(7, 5000)), repeated([random.int(0, 255)], random.int(1, 3e6))]),
    () => concat([file, random.pick(['TAG', 'ID3', 'APETAGEX']), random.bytes(random.int(0, 5000))]),
    () => {
      for (let changes = random.int(1, 50); changes > 0; changes--) {
        overwrite(file, random.int(0, file.length - 1), [random.int(0, 255)])
      }
      return file
    },
    () => {
      // Its headers stay whole: the decoder gets the damage.
      for (let at = 0; at + 7 < file.length; ) {
        const bytes =
          (((file[at + 3] ?? 0) & 3) << 11) | ((file[at + 4] ?? 0) << 3) | ((file[at + 5] ?? 0) >> 5)
        if (random.chance(0.2))
          overwrite(file, at + random.int(7, Math.max(8, bytes - 1)), [random.int(0, 255)])
        at += Math.max(7, bytes)
      }
      return file
    },
  ])()
}

function hostileFlac(random: Random): Uint8Array {
  const file = recording('short.flac')
  return random.pick([
    () => overwrite(file, 8 + random.int(0, 17), [...random.bytes(random.int(1, 6))]),
    () => overwrite(file, 4, [random.int(0, 255), ...big(random.int(0, 2 ** 24 - 1), 3)]),
    () => {
      const block = concat([[random.pick([1, 2, 3, 4, 5, 6, 127])], big(20, 3), random.bytes(20)])
      return insert(file, 42, repeated(block, Math.min(40_000, manyTimes(random))))
    },
    () =>
      insert(file, 42, concat([[random.pick([4, 6])], big(32, 3), repeated(big(hostileNumber(random)), 8)])),
    () => {
      for (let changes = random.int(1, 80); changes > 0; changes--) {
        overwrite(file, random.int(42, file.length - 1), [
          0xff,
          random.pick([0xf8, 0xf9]),
          random.int(0, 255),
          random.int(0, 255),
        ])
      }
      return file
    },
    () => concat([file, repeated([0xff, 0xf8, 0x19, 0x08, 0x00], random.int(1, 200_000))]),
    () => insert(file, random.int(42, file.length), file.slice(42, random.int(43, file.length))),
  ])()
}

function hostileWav(random: Random): Uint8Array {
  const rates = [8000, 16_000, 44_100, 48_000, 96_000]
  const strangeRates = [0, 1, 7999, 8001, 11_025, 44_101, 88_200, 95_999, 192_000, 383_999, 384_000]
  const chunk = () =>
    concat([
      random.pick(['LIST', 'bext', 'fact', 'junk', 'fmt ', 'data']),
      little(random.chance(0.5) ? 4 : hostileNumber(random)),
      [1, 2, 3, 4],
    ])
  const rarely = (hostile: () => number, usual: number) => (random.chance(0.15) ? hostile() : usual)
  return wavFile({
    rateHz: rarely(() => random.pick([...strangeRates, hostileNumber(random)]), random.pick(rates)),
    channels: rarely(() => random.pick([0, 3, 6, 8, 9, 255, 65_535]), random.pick([1, 1, 2])),
    bits: rarely(() => random.pick([0, 1, 64, 65_535]), random.pick([8, 16, 24, 32])),
    tag: rarely(() => random.pick([0xfffe, 2, 0x55]), random.pick([1, 1, 3])),
    sound: 2 * Math.round(2 ** (12 + random.next() * 9)),
    ...(random.chance(0.3) && { declaredBytes: hostileNumber(random) }),
    before: random.chance(0.7) ? [] : Array.from({ length: Math.min(5000, manyTimes(random)) }, chunk),
  })
}

/** A slice of sound at any level that a float can hold: what is made of faint samples are subnormal numbers, which cost most. */
function faintWav(random: Random): Uint8Array {
  const rateHz = random.pick([8000, 16_000])
  const level = 10 ** -random.int(0, 44)
  const background = random.pick([0, 0, 10 ** -random.int(0, 44)])
  const period = random.int(2, 2000)
  const shape = random.pick([
    (_: number) => 1,
    (i: number) => Math.sin((2 * Math.PI * i) / period),
    (i: number) => (i % period === 0 ? 1 : 0),
    (i: number) => Math.exp(-i / period),
    (_: number) => random.next() - 0.5,
  ])
  const samples = Float32Array.from({ length: 60 * rateHz }, (_, i) => level * shape(i) + background)
  return wavFile({ rateHz, bits: 32, tag: 3, sound: new Uint8Array(samples.buffer) })
}

function cutShort(random: Random): Uint8Array {
  const file = recording(random.pick(NAMES))
  return file.slice(0, random.int(1, file.length))
}

/** The beginning of one recording and the end of another. */
function spliced(random: Random): Uint8Array {
  const head = recording(random.pick(NAMES))
  const tail = recording(random.pick(NAMES))
  return concat([head.subarray(0, random.int(1, head.length)), tail.subarray(random.int(0, tail.length - 1))])
}

function scattered(random: Random): Uint8Array {
  const file = recording(random.pick(NAMES))
  for (let changes = Math.min(2000, manyTimes(random)); changes > 0; changes--) {
    file[random.int(0, file.length - 1)] = random.int(0, 255)
  }
  return file
}

function oggHeads(): Uint8Array {
  return concat([
    oggPage({ serial: 0, sequence: 0, granule: 0, flags: 2, packets: [opusHead()] }),
    oggPage({ serial: 0, sequence: 1, granule: 0, packets: [opusTags()] }),
  ])
}

/** Sizes that only an upload limit bounds; few, because each takes long to build. */
function huge(random: Random): Uint8Array {
  // Just below what an upload may have.
  const bytes = 50 * 1024 * 1024 - 200_000
  const fill = (part: Uint8Array) => repeated(part, Math.floor(bytes / part.length))
  return random.pick([
    () => webm([webmHead(), fill(cluster(0, []))]),
    () => webm([webmHead(), fill(cluster(0, [repeated([EBML.void, 0x80], 19_000)]))]),
    () => webm([webmHead([repeated([EBML.void, 0x80], 7_000_000)]), cluster(0, [])]),
    // Letters of the mark of a page, and as many pages as are taken.
    () =>
      concat([
        oggHeads(),
        fill(oggPage({ serial: 0, sequence: 2, granule: 960, packets: [repeated('O', 65_024)] })),
      ]),
    () =>
      concat([
        oggHeads(),
        repeated(oggPage({ serial: 0, sequence: 2, granule: 960, packets: [new Uint8Array(300)] }), 149_000),
      ]),
    () => concat([box('ftyp', ['M4A ', big(0)]), fill(box('free', []))]),
    () => fill(oggPage({ serial: 1, sequence: 0, granule: 0, flags: 2, packets: [opusHead()] })),
    () =>
      wavFile({
        rateHz: random.pick([8000, 44100, 96000]),
        channels: random.pick([1, 2, 8]),
        bits: 16,
        sound: bytes - 100,
      }),
    () => fill(recording('short.mp3').slice(2000, 3000)),
    () => concat([recording('short.flac'), fill(random.bytes(5000))]),
    () => concat([fragmentedMovie(description), fill(fragment(aac.slice(0, 3), 0))]),
  ])()
}

const KINDS: readonly (readonly [name: string, weight: number, build: Build])[] = [
  ['mutated-mp4', 20, mutatedMp4],
  ['lying-fragments', 12, lyingFragments],
  ['fragment-table', 6, fragmentTable],
  ['lying-webm', 16, lyingWebm],
  ['mutated-webm', 10, mutatedWebm],
  ['lying-ogg', 14, lyingOgg],
  ['mutated-ogg', 8, mutatedOgg],
  ['mp3', 12, hostileMp3],
  ['adts', 12, hostileAdts],
  ['flac', 14, hostileFlac],
  ['wav', 14, hostileWav],
  ['faint-wav', 3, faintWav],
  ['cut-short', 8, cutShort],
  ['spliced', 8, spliced],
  ['scattered', 10, scattered],
  ['huge', 0.3, huge],
]

const TOTAL_WEIGHT = KINDS.reduce((sum, [, weight]) => sum + weight, 0)

/** Hostile recordings without end, from number `from` on, the same for the same seed. Each one's name says its number. */
export function* audioFiles(seed: number, from = 0): Generator<{ name: string; bytes: Uint8Array }> {
  for (let number = from; ; number++) {
    const random = new Random(seed * 1_000_003 + number)
    const place = random.next() * TOTAL_WEIGHT
    let reached = 0
    for (const [name, weight, build] of KINDS) {
      reached += weight
      if (place >= reached) continue
      yield { name: `audio-${number}-${name}`, bytes: build(random) }
      break
    }
  }
}

/** As `audioFiles`, but one of each kind in turn. */
export function* audioFilesByKind(seed: number): Generator<{ name: string; bytes: Uint8Array }> {
  for (let number = 0; ; number++) {
    const random = new Random(seed * 1_000_003 + number)
    const [name, , build] = KINDS[number % KINDS.length] ?? random.pick(KINDS)
    yield { name: `recording ${seed}/${number}: ${name}`, bytes: build(random) }
  }
}
