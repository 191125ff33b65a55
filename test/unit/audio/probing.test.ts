import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { probeRecording } from '../../../functions/_shared/audio/probe.ts'
import { AudioError, MAX_RECORDING_S } from '../../../functions/_shared/audio/recording.ts'
import { big, concat, oggPage, repeated } from '../../../harness/media/containers.ts'
import { fixture, sound, sourceOf, wav, wavHeader } from './recordings.ts'

const SHORT_S = 4.377

async function rejection(bytes: Uint8Array): Promise<string> {
  const outcome = await probeRecording(sourceOf(bytes)).catch((error: unknown) => error)
  return outcome instanceof AudioError ? outcome.code : JSON.stringify(outcome)
}

const text = (content: string) => new TextEncoder().encode(content)

const MEGABYTE = 1024 * 1024

/** An ID3 tag of so many empty bytes. */
function id3Tag(bytes: number): Uint8Array {
  const length = [21, 14, 7, 0].map((shift) => (bytes >> shift) & 0x7f)
  return concat(['ID3', [4, 0, 0, ...length], new Uint8Array(bytes)])
}

describe('probing a recording', () => {
  it.each([
    ['short.m4a', 'm4a', 'aac', 48000],
    ['short.webm', 'webm', 'opus', 48000],
    ['short.ogg', 'ogg', 'opus', 48000],
    ['short.mp3', 'mp3', 'mp3', 48000],
    ['short.wav', 'wav', 'pcm', 16000],
    ['short.flac', 'flac', 'flac', 16000],
    ['short.aac', 'adts', 'aac', 48000],
  ])('tells what %s holds and how long it lasts', async (name, container, codec, sampleRateHz) => {
    const info = await probeRecording(sourceOf(await fixture(name)))
    expect(info).toMatchObject({ container, codec, sampleRateHz, channels: 1 })
    expect(Math.abs(info.durationS - SHORT_S)).toBeLessThan(0.05)
  })

  it('finds the duration of a webm recording whose header lacks it, as browsers write it', async () => {
    const bytes = await fixture('short.webm')
    const view = new DataView(bytes.buffer)
    // The duration element (ID 0x4489, an 8-byte float) becomes a void element of the same length.
    const at = bytes.findIndex((byte, i) => byte === 0x44 && bytes[i + 1] === 0x89 && bytes[i + 2] === 0x88)
    view.setUint8(at, 0xec)
    view.setUint8(at + 1, 0x89)
    const info = await probeRecording(sourceOf(bytes))
    expect(Math.abs(info.durationS - SHORT_S)).toBeLessThan(0.03)
  })

  it('reads only a little of a long file', async () => {
    const seconds = MAX_RECORDING_S - 1
    const header = wavHeader(seconds * 32000)
    let bytesRead = 0
    const info = await probeRecording({
      size: header.length + seconds * 32000,
      read: async (start, end) => {
        bytesRead += end - start
        const bytes = new Uint8Array(end - start)
        bytes.set(header.subarray(start, end))
        return bytes
      },
    })
    expect(info.durationS).toBe(seconds)
    expect(bytesRead).toBeLessThan(1000)
  })

  it('rejects an empty file', async () => {
    expect(await rejection(new Uint8Array(0))).toBe('audio_empty')
  })

  it.each([
    ['text', text('Dear diary, today I recorded nothing at all.')],
    ['a picture', new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46])],
    ['zeros', new Uint8Array(4096)],
  ])('rejects %s, whatever it is called', async (_, bytes) => {
    expect(await rejection(bytes)).toBe('audio_unreadable')
  })

  it.each(['short.m4a', 'short.webm', 'short.ogg', 'short.mp3', 'short.wav', 'short.flac', 'short.aac'])(
    'sees that %s was cut off',
    async (name) => {
      const bytes = await fixture(name)
      expect(await rejection(bytes.slice(0, bytes.length * 0.6))).toBe('audio_truncated')
    },
  )

  it('sees that an m4a with its index in front was cut off', async () => {
    const bytes = await fixture('neutral.m4a')
    expect(await rejection(bytes.slice(0, bytes.length * 0.6))).toBe('audio_truncated')
  })

  it.each([
    ['CAF', text('caff\0\x01\0\0desc')],
    ['AAC in ADIF', text('ADIF\0\0\0\0')],
    ['AMR', text('#!AMR\n\x3c\x00')],
    ['AIFF', text('FORM\0\0\0\x20AIFFCOMM')],
    ['compressed wav', wav(sound(2, () => 0)).map((byte, i) => (i === 20 ? 2 : byte))],
  ])('says that %s is not accepted', async (_, bytes) => {
    expect(await rejection(bytes)).toBe('audio_unsupported')
  })

  it('says by name that Apple Lossless is not accepted, and what to send', async () => {
    const bytes = await fixture('short.m4a')
    const at = Buffer.from(bytes).indexOf('mp4a')
    bytes.set(text('alac'), at)
    bytes.set(text('alac'), at + 36)
    await expect(probeRecording(sourceOf(bytes))).rejects.toMatchObject({
      code: 'audio_unsupported',
      message: expect.stringMatching(/Apple Lossless.*Send m4a/),
      details: { format: 'Apple Lossless (ALAC)' },
    })
  })

  it.each([
    ['samr', 'damr', 'AMR'],
    ['sawb', 'damr', 'AMR-WB'],
    ['drms', 'esds', 'AAC protected by a shop'],
    ['Qclp', 'dqcp', 'Qclp'],
    ['\x01\x02<\x7f', 'none', 'an unknown format'],
  ])('calls the sound that an mp4 names %j, described in %s, %s', async (name, description, format) => {
    const bytes = await fixture('short.m4a')
    const at = Buffer.from(bytes).indexOf('mp4a')
    bytes.set(text(name), at)
    bytes.set(text(description), at + 36)
    await expect(probeRecording(sourceOf(bytes))).rejects.toMatchObject({
      code: 'audio_unsupported',
      message: expect.stringMatching(`${format} is not accepted. Send m4a`),
      details: { format },
    })
  })

  it.each([
    ['FLAC in Ogg', '\x7fFLAC\x01'],
    ['Speex', 'Speex   1.2'],
  ])('says by name that %s is not accepted, and not that it is cut off', async (format, start) => {
    const first = oggPage({
      serial: 1,
      sequence: 0,
      granule: 0,
      flags: 2,
      packets: [concat([start, big(0)])],
    })
    const bytes = concat([first, oggPage({ serial: 1, sequence: 1, granule: 0, packets: [text('tags')] })])
    await expect(probeRecording(sourceOf(bytes))).rejects.toMatchObject({
      code: 'audio_unsupported',
      details: { format },
    })
  })

  it('reads raw AAC behind ID3 tags, and passes over those without reading them', async () => {
    const sound = await fixture('short.aac')
    const plain = await probeRecording(sourceOf(sound))
    const bytes = concat([id3Tag(4 * MEGABYTE), id3Tag(0), sound])
    let bytesRead = 0
    const counted = {
      size: bytes.length,
      read: async (start: number, end: number) => {
        bytesRead += end - start
        return bytes.slice(start, end)
      },
    }
    expect(await probeRecording(counted)).toEqual(plain)
    expect(bytesRead).toBeLessThan(MEGABYTE)
    expect(await rejection(bytes.slice(0, bytes.length - 100))).toBe('audio_truncated')
  })

  it('believes no ID3 tag that is longer than its file, and no end of them', async () => {
    const sound = await fixture('short.aac')
    const longer = concat([id3Tag(0), sound])
    longer.set([0x7f, 0x7f, 0x7f, 0x7f], 6)
    expect(await rejection(longer)).toBe('audio_truncated')
    expect(await rejection(concat([repeated(id3Tag(0), 1000), sound]))).toBe('audio_unreadable')
  })

  it('says by name that FLAC behind an ID3 tag is not accepted', async () => {
    expect(await rejection(concat([id3Tag(20), await fixture('short.flac')]))).toBe('audio_unsupported')
  })

  it('rejects three hours and half a second', async () => {
    const seconds = 3 * 3600
    const header = wavHeader(seconds * 32000)
    const tooLong = probeRecording({
      size: header.length + seconds * 32000,
      read: async (start, end) => {
        const bytes = new Uint8Array(end - start)
        bytes.set(header.subarray(start, end))
        return bytes
      },
    })
    await expect(tooLong).rejects.toMatchObject({ code: 'audio_too_long', details: { duration_s: seconds } })
    expect(await rejection(wav(sound(0.5, () => 0)))).toBe('audio_too_short')
  })

  it('fails on damaged bytes with an error of its own and nothing else', async () => {
    const heads = await Promise.all(
      ['m4a', 'webm', 'ogg', 'mp3', 'wav', 'flac', 'aac'].map((type) => fixture(`short.${type}`)),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...heads),
        fc.integer({ min: 0, max: 600 }),
        fc.uint8Array({ minLength: 0, maxLength: 2000 }),
        async (head, kept, rest) => {
          const bytes = new Uint8Array([...head.subarray(0, kept), ...rest])
          const outcome = await probeRecording(sourceOf(bytes)).catch((error: unknown) => error)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AudioError)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('logs nothing of what a file declares, such as an edit list at another speed', async () => {
    const bytes = await fixture('short.m4a')
    const editList = Buffer.from(bytes.buffer).indexOf('elst')
    new DataView(bytes.buffer).setUint32(editList + 20, 2 << 16)
    const prints = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name))
    await probeRecording(sourceOf(bytes)).catch(() => undefined)
    for (const print of prints) expect(print).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})
