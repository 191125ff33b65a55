import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { analyzeSlice } from '../../../functions/_shared/audio/analyze-slice.ts'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { AudioError, type MediaSource } from '../../../functions/_shared/audio/recording.ts'
import { planSlices } from '../../../functions/_shared/audio/slices.ts'
import {
  aacPackets,
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
  oggPage,
  opusHead,
  opusTags,
  repeated,
  simpleBlock,
  wavFile,
  webm,
  webmHead,
} from '../../../harness/media/containers.ts'
import { loadAsset, sourceOf } from './recordings.ts'

const MEGABYTE = 1024 * 1024

/** Probes a file and, where it is taken, analyses its first slice. Says how it ended and what of it was read. */
async function inspect(bytes: Uint8Array) {
  let readBytes = 0
  const source: MediaSource = {
    size: bytes.length,
    read: async (start, end) => {
      readBytes += end - start
      return bytes.slice(start, end)
    },
  }
  const started = process.cpuUsage()
  const outcome = await (async () => {
    const info = await probeRecording(source)
    const [slice] = planSlices(info.durationS)
    if (!slice) throw new Error('no slice')
    await analyzeSlice(source, info, slice, loadAsset)
    return 'analysed'
  })().catch((error: unknown) => (error instanceof AudioError ? error.code : String(error)))
  const { user, system } = process.cpuUsage(started)
  return { outcome, readBytes, cpuS: (user + system) / 1e6 }
}

const { packets, description } = aacPackets()
const silentPacket = Uint8Array.from([0xf8, 0xff, 0xfe])
const SERIAL = 7

/** A movie of one fragment, whose samples are declared so many times for the same track. */
function partedFragment(parts: number): Uint8Array {
  const whole = fragment(packets, 0)
  const places = boxesOf(whole)
  const bytesOf = (name: string) => {
    const place = places.find((box) => box.name === name)
    if (!place) throw new Error(`The fragment has no ${name}`)
    return whole.subarray(place.at, place.at + place.bytes)
  }
  return concat([
    fragmentedMovie(description),
    box('moof', [bytesOf('mfhd'), repeated(bytesOf('traf'), parts)]),
    bytesOf('mdat'),
  ])
}

function oggHead(): Uint8Array {
  return concat([
    oggPage({ serial: SERIAL, sequence: 0, granule: 0, flags: 2, packets: [opusHead()] }),
    oggPage({ serial: SERIAL, sequence: 1, granule: 0, packets: [opusTags()] }),
  ])
}

/** Pages of a second each. */
function oggPages(seconds: number, packet: Uint8Array = silentPacket): Uint8Array[] {
  return Array.from({ length: seconds }, (_, i) =>
    oggPage({
      serial: SERIAL,
      sequence: 2 + i,
      granule: 48000 * (i + 1),
      flags: i === seconds - 1 ? 4 : 0,
      packets: Array.from({ length: 50 }, () => packet),
    }),
  )
}

describe('what a recording declares is bounded before it is believed', () => {
  const hostile: [string, () => Uint8Array][] = [
    [
      'an m4a whose fragment declares 4 billion samples in a few bytes',
      () =>
        concat([
          fragmentedMovie(description),
          fragment(packets.slice(0, 2), 0, { samples: 4_000_000_000, flags: 1 }),
        ]),
    ],
    [
      'an ogg of 16,000 beginnings of streams',
      () =>
        concat(
          Array.from({ length: 16_000 }, (_, i) =>
            oggPage({ serial: i, sequence: 0, granule: 0, flags: 2, packets: [opusHead()] }),
          ),
        ),
    ],
    [
      'a webm of 50 MB of empty clusters',
      () => webm([webmHead(), repeated(cluster(0, []), Math.floor((50 * MEGABYTE) / 24))]),
    ],
    ['a wav at 383,999 Hz', () => wavFile({ rateHz: 383_999, sound: 20 * MEGABYTE })],
    [
      'a wav at 44,101 Hz, for which the filter is 16,000 filters',
      () => wavFile({ rateHz: 44_101, sound: MEGABYTE }),
    ],
    [
      'an m4a with sizes of zero bits, 4 billion of them',
      () =>
        fragmentedMovie(description, [
          box('trak', [
            box('mdia', [box('minf', [box('stbl', [box('stz2', [big(0), big(0), big(4_000_000_000)])])])]),
          ]),
        ]),
    ],
    [
      'an m4a with offsets for 4 billion samples',
      () => {
        const table = box('stbl', [box('ctts', [big(0), big(1), big(4_000_000_000), big(1)])])
        return fragmentedMovie(description, [box('trak', [box('mdia', [box('minf', [table])])])])
      },
    ],
    [
      'an m4a with 5,000 tables of chunks for one track',
      () => {
        const chunks = box('stsc', [big(0), big(20_000), repeated(big(1), 60_000)])
        const table = box('stbl', [chunks, repeated(box('stsc', [big(0), big(0)]), 5000)])
        return fragmentedMovie(description, [box('trak', [box('mdia', [box('minf', [table])])])])
      },
    ],
    ['an m4a of a fragment with 200 parts for one track', () => partedFragment(200)],
    [
      'an m4a with 10,000 tables of fragments for one track',
      () => {
        const movie = concat([fragmentedMovie(description), fragment(packets, 0)])
        const tables = repeated(box('tfra', [big(0), big(1), big(0), big(0)]), 10_000)
        const table = box('mfra', [tables, box('mfro', [big(0), big(0)])])
        table.set(big(table.length), table.length - 4)
        return concat([movie, table])
      },
    ],
    [
      'an m4a of boxes within boxes',
      () => {
        let nested: Uint8Array = box('edts', [])
        for (let i = 0; i < 2000; i++) nested = box('edts', [nested])
        return concat([box('ftyp', ['M4A ', big(0)]), box('moov', [nested])])
      },
    ],
    [
      'an m4a of 100,000 tiny boxes',
      () => concat([box('ftyp', ['M4A ', big(0)]), repeated(box('free', []), 100_000)]),
    ],
    [
      'a table of fragments that points into the sound',
      () => {
        const movie = concat([fragmentedMovie(description), fragment(packets, 0)])
        const entries = repeated(concat([big(0), big(movie.length - 5000), [1, 1, 1]]), 1000)
        const table = box('mfra', [
          box('tfra', [big(0), big(1), big(0), big(1000), entries]),
          box('mfro', [big(0), big(0)]),
        ])
        table.set(big(table.length), table.length - 4)
        return concat([movie, table])
      },
    ],
    [
      'a webm of 10,000 lists of places',
      () =>
        webm([
          webmHead(),
          repeated(element(EBML.seekHead, []), 10_000),
          cluster(0, [simpleBlock(0, silentPacket)]),
        ]),
    ],
    [
      'a webm with a cluster of a million blocks',
      () => webm([webmHead(), cluster(0, [repeated(simpleBlock(0, []), 200_000)])]),
    ],
    [
      'a webm of 25 million empty elements between its blocks',
      () => webm([webmHead(), repeated(cluster(0, [repeated([EBML.void, 0x80], 19_000)]), 1300)]),
    ],
    [
      'a webm of a million empty elements in its track',
      () =>
        webm([
          webmHead([repeated([EBML.void, 0x80], 1_000_000)]),
          cluster(0, [simpleBlock(0, silentPacket)]),
        ]),
    ],
    [
      'a webm with bytes of no meaning between its parts',
      () => webm([webmHead(), repeated([0x42, 0x86, 0x81, 0], 500_000)]),
    ],
    [
      'a webm whose track is compressed',
      () =>
        webm([webmHead([element(EBML.contentEncodings, [])]), cluster(0, [simpleBlock(0, silentPacket)])]),
    ],
    [
      'an ogg whose pages are full of marks of pages',
      () => {
        const mark = concat(['OggS', [0, 0], new Uint8Array(20), [255]])
        return concat([oggHead(), ...oggPages(20, repeated(mark, 40))])
      },
    ],
    [
      'an ogg of more pages than 20 minutes have packets',
      () => concat([oggHead(), ...oggPages(76_000, new Uint8Array(1))]),
    ],
    [
      'an mp3 of noise behind its first frame',
      () => concat([fixture('short.mp3').slice(0, 2000), repeated([0x55], 3 * MEGABYTE)]),
    ],
    [
      'raw AAC whose frames change their rate',
      () => {
        const bytes = fixture('short.aac')
        const second = ((bytes[4] ?? 0) << 3) | ((bytes[5] ?? 0) >> 5)
        bytes[second + 2] = (bytes[second + 2] ?? 0) ^ 0x04
        return bytes
      },
    ],
    [
      'raw AAC of noise behind its first frames',
      () => concat([fixture('short.aac').slice(0, 2000), repeated([0x55], 3 * MEGABYTE)]),
    ],
    [
      'a flac that declares frames of 16 MB',
      () => {
        const bytes = fixture('short.flac')
        bytes.set([0xff, 0xff, 0xff], 8 + 7)
        return bytes
      },
    ],
  ]

  it.each(hostile)('%s', async (_, build) => {
    const { outcome, cpuS } = await inspect(build())
    expect(['audio_unreadable', 'audio_unsupported']).toContain(outcome)
    // Far below a request's two seconds, far above what any of them takes.
    expect(cpuS).toBeLessThan(1.5)
  })

  it('packets that all claim to be heard in the same second are not all decoded', async () => {
    const many = Array.from({ length: 30_000 }, () => packets[20] ?? new Uint8Array(0))
    const fragments = Array.from({ length: 30 }, (_, i) => {
      const bytes = fragment(many.slice(i * 1000, (i + 1) * 1000), i)
      return bytes
    })
    const { outcome } = await inspect(concat([fragmentedMovie(description), ...fragments]))
    expect(outcome).toBe('audio_unreadable')
  })

  it('reads no more of a file than tells that it is hostile', async () => {
    const clusters = repeated(cluster(0, []), 400_000)
    const { readBytes } = await inspect(webm([webmHead(), clusters]))
    expect(readBytes).toBeLessThan(MEGABYTE)
  })
})

describe('what real recorders write is taken', () => {
  const genuine: [string, () => Uint8Array][] = [
    [
      'a fragmented mp4',
      () =>
        concat([
          fragmentedMovie(description),
          ...Array.from({ length: Math.ceil(packets.length / 20) }, (_, i) =>
            fragment(packets.slice(i * 20, i * 20 + 20), i * 20),
          ),
        ]),
    ],
    ['a fragment whose sound comes in three parts', () => partedFragment(3)],
    [
      'an m4a with a cover picture that holds names of boxes',
      () => {
        const picture = repeated(concat([new Uint8Array(100), 'trunk, truncated, essence']), 4000)
        const meta = box('meta', [
          big(0),
          box('hdlr', [new Uint8Array(8), 'mdir', new Uint8Array(13)]),
          box('ilst', [box('covr', [box('data', [big(13), big(0), picture])])]),
        ])
        return concat([fragmentedMovie(description, [box('udta', [meta])]), fragment(packets, 0)])
      },
    ],
    [
      'a live webm without durations, sizes and places',
      () =>
        webm(
          [
            webmHead(),
            ...Array.from({ length: 5 }, (_, c) =>
              cluster(
                c * 1000,
                Array.from({ length: 50 }, (_, i) => simpleBlock(i * 20, silentPacket)),
                'unknown',
              ),
            ),
          ],
          'unknown',
        ),
    ],
    ['an ogg with a page a second', () => concat([oggHead(), ...oggPages(3)])],
    [
      'an ogg with a page for each packet',
      () =>
        concat([
          oggHead(),
          ...Array.from({ length: 200 }, (_, i) =>
            oggPage({
              serial: SERIAL,
              sequence: 2 + i,
              granule: 960 * (i + 1),
              flags: i === 199 ? 4 : 0,
              packets: [silentPacket],
            }),
          ),
        ]),
    ],
    [
      'a webm that was paused and gone on with',
      () =>
        webm(
          [0, 1000, 9000, 10_000].map((timeMs, at) =>
            concat([
              at === 0 ? webmHead() : [],
              cluster(
                timeMs,
                Array.from({ length: 50 }, (_, i) => simpleBlock(i * 20, silentPacket)),
                'unknown',
              ),
            ]),
          ),
          'unknown',
        ),
    ],
    [
      'a wav whose writer filled it up with zeros',
      () => concat([fixture('short.wav'), new Uint8Array(20_000)]),
    ],
    ['an m4a that is filled up with zeros', () => concat([fixture('short.m4a'), new Uint8Array(20_000)])],
    [
      'a wav with lists and a broadcast extension before its sound',
      () =>
        wavFile({
          rateHz: 48000,
          channels: 2,
          sound: 800_000,
          before: [
            box('bext', []).slice(4),
            [100, 0, 0, 0],
            new Uint8Array(100),
            'LIST',
            [4, 0, 0, 0],
            'INFO',
          ],
        }),
    ],
    ['a wav in stereo at 96 kHz', () => wavFile({ rateHz: 96000, channels: 2, sound: 800_000 })],
    [
      'an mp3 with a cover picture before and a title after it',
      () => {
        const tag = concat(['ID3', [4, 0, 0, 0, 8, 0, 0], new Uint8Array(8 * 128 * 128)])
        return concat([tag, fixture('short.mp3'), 'TAG', new Uint8Array(125)])
      },
    ],
    [
      'raw AAC with a tag before and one after it',
      () => {
        const tag = concat(['ID3', [4, 0, 0, 0, 0, 1, 0], new Uint8Array(128)])
        return concat([tag, fixture('short.aac'), 'TAG', new Uint8Array(125)])
      },
    ],
    [
      'a flac with a picture',
      () => {
        const flac = fixture('short.flac')
        const picture = concat([
          big(3),
          big(9),
          'image/png',
          big(0),
          big(0),
          big(0),
          big(0),
          big(0),
          big(300_000),
          new Uint8Array(300_000),
        ])
        return concat([flac.slice(0, 42), [6, ...big(picture.length, 3)], picture, flac.slice(42)])
      },
    ],
  ]

  it.each(genuine)('%s', async (_, build) => {
    expect((await inspect(build())).outcome).toBe('analysed')
  })
})

describe('a file whose reading would end before it does', () => {
  const tag = concat(['ID3', [4, 0, 0, 0, 0, 1, 0], new Uint8Array(128)])
  const stereoOgg = concat([
    oggPage({ serial: 8, sequence: 0, granule: 0, flags: 2, packets: [opusHead(2)] }),
    oggPage({ serial: 8, sequence: 1, granule: 0, packets: [opusTags()] }),
    oggPage({
      serial: 8,
      sequence: 2,
      granule: 48000,
      flags: 4,
      packets: Array.from({ length: 50 }, () => silentPacket),
    }),
  ])
  const several: [string, () => Uint8Array][] = [
    ...['short.wav', 'short.mp3', 'short.flac', 'short.m4a', 'short.webm', 'short.ogg'].map(
      (name): [string, () => Uint8Array] => [`${name} twice`, () => concat([fixture(name), fixture(name)])],
    ),
    ['an ogg with one in stereo behind it', () => concat([oggHead(), ...oggPages(2), stereoOgg])],
    [
      'an ogg with one of the same stream behind it',
      () => concat([oggHead(), ...oggPages(2), oggHead(), ...oggPages(2)]),
    ],
    [
      'a live webm with another behind it',
      () => {
        const live = webm(
          [
            webmHead(),
            cluster(
              0,
              Array.from({ length: 50 }, (_, i) => simpleBlock(i * 20, silentPacket)),
              'unknown',
            ),
          ],
          'unknown',
        )
        return concat([live, live])
      },
    ],
    [
      'a fragmented mp4 with another behind it',
      () => repeated(concat([fragmentedMovie(description), fragment(packets, 0)]), 2),
    ],
    [
      'a wav with more sound behind a list',
      () => {
        const wav = fixture('short.wav')
        return concat([wav, 'LIST', [4, 0, 0, 0], 'INFO', 'data', [0, 16, 0, 0], new Uint8Array(4096)])
      },
    ],
    [
      'an mp3 with a tag and another behind it',
      () => concat([fixture('short.mp3'), tag, fixture('struggling.mp3')]),
    ],
    [
      'raw AAC with a tag and more behind it',
      () => concat([fixture('short.aac'), tag, fixture('short.aac')]),
    ],
  ]
  it.each(several)('is refused by name: %s', async (_, build) => {
    const refused: unknown = await probeRecording(sourceOf(build())).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      code: 'audio_unsupported',
      details: { format: 'several recordings in one file' },
    })
  })

  it('is read to its end where its frames go on: raw AAC twice', async () => {
    const once = await probeRecording(sourceOf(fixture('short.aac')))
    const twice = await probeRecording(sourceOf(concat([fixture('short.aac'), fixture('short.aac')])))
    expect(twice.durationS).toBeCloseTo(2 * once.durationS, 2)
  })

  it('is damaged where a wav or an m4a holds more than it declares, and is none', async () => {
    const noise = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919) >> 3)
    for (const name of ['short.wav', 'short.m4a'])
      expect((await inspect(concat([fixture(name), noise]))).outcome).toBe('audio_unreadable')
  })

  it('is cut off where it ends within a frame of an mp3', async () => {
    expect((await inspect(fixture('short.mp3').slice(0, -20))).outcome).toBe('audio_truncated')
  })
})

const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

describe.skipIf(!hasFfmpeg)('what a widespread encoder writes is taken', () => {
  const speech = join(import.meta.dirname, '..', '..', '..', 'corpora', 'speech', 'short.wav')
  const picture = ['-f', 'lavfi', '-i', 'color=red:size=600x600:duration=0.04:rate=25']
  const cover = [...picture, '-map', '0:a', '-map', '1:v', '-frames:v', '1', '-disposition:v', 'attached_pic']

  it.each([
    [
      'mp4 in fragments',
      'mp4',
      ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov+default_base_moof', '-frag_duration', '200000'],
    ],
    [
      'mp4 in fragments with a table of them',
      'mp4',
      ['-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '500000'],
    ],
    [
      'm4a with its index in front',
      'm4a',
      ['-c:a', 'aac', '-movflags', 'faststart', '-metadata', 'title=Trunk, truncated'],
    ],
    ['m4a with a cover', 'm4a', [...cover, '-c:a', 'aac', '-c:v', 'mjpeg']],
    ['mov', 'mov', ['-c:a', 'aac']],
    ['raw AAC', 'adts', ['-c:a', 'aac']],
    ['raw AAC with a title', 'adts', ['-c:a', 'aac', '-write_apetag', '1']],
    ['mp4 with Opus', 'mp4', ['-c:a', 'libopus']],
    ['webm, live', 'webm', ['-c:a', 'libopus', '-live', '1', '-cluster_time_limit', '100']],
    ['matroska', 'matroska', ['-c:a', 'libopus']],
    ['webm with packets of 60 ms', 'webm', ['-c:a', 'libopus', '-frame_duration', '60']],
    ['ogg with small pages', 'ogg', ['-c:a', 'libopus', '-page_duration', '20000']],
    ['mp3 with a cover', 'mp3', [...cover, '-c:a', 'libmp3lame', '-c:v', 'mjpeg', '-write_id3v1', '1']],
    ['mp3 without a tag', 'mp3', ['-c:a', 'libmp3lame', '-write_xing', '0', '-id3v2_version', '0']],
    ['flac with a cover', 'flac', [...cover, '-c:a', 'flac', '-c:v', 'mjpeg']],
    ['wav with a broadcast extension', 'wav', ['-c:a', 'pcm_s24le', '-write_bext', '1']],
    ['wav of 64 bits', 'wav', ['-c:a', 'pcm_f32le', '-rf64', 'always']],
  ])('%s', async (_, format, options) => {
    const folder = mkdtempSync(join(tmpdir(), 'recording-'))
    const file = join(folder, 'recording')
    try {
      const made = spawnSync('ffmpeg', [
        '-v',
        'error',
        '-y',
        '-i',
        speech,
        ...options,
        '-f',
        format === 'm4a' ? 'ipod' : format,
        file,
      ])
      expect(String(made.stderr)).toBe('')
      expect((await inspect(new Uint8Array(readFileSync(file)))).outcome).toBe('analysed')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('what fails outside the recording', () => {
  it('is thrown as it is when the decoder cannot be loaded, so that the job is tried again', async () => {
    const source = sourceOf(fixture('short.m4a'))
    const info = await probeRecording(source)
    const [slice] = planSlices(info.durationS)
    if (!slice) throw new Error('no slice')
    const missing = async (): Promise<never> => {
      throw new Error('Storage responded with 500')
    }
    const failure: unknown = await analyzeSlice(source, info, slice, missing).catch((error: unknown) => error)
    expect(failure).not.toBeInstanceOf(AudioError)
    expect(String(failure)).toContain('could not be loaded')
  })

  it.each(['m4a', 'webm', 'ogg', 'mp3', 'flac', 'wav', 'aac'])(
    'is thrown as it is when %s cannot be read',
    async (type) => {
      const bytes = fixture(`short.${type}`)
      let reads = 0
      const failing: MediaSource = {
        size: bytes.length,
        read: async (start, end) => {
          if (++reads > 2) throw new Error('Storage responded with 500')
          return bytes.slice(start, end)
        },
      }
      const info = await probeRecording(sourceOf(bytes))
      reads = 2
      const [slice] = planSlices(info.durationS)
      if (!slice) throw new Error('no slice')
      const failure: unknown = await analyzeSlice(failing, info, slice, loadAsset).catch(
        (error: unknown) => error,
      )
      expect(String(failure)).toBe('Error: Storage responded with 500')
    },
  )
})
