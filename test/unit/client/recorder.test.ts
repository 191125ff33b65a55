import { describe, expect, test } from 'vitest'
import { accessOf } from '../../../client/src/recorder/devices.ts'
import { createAlbum, lightHints } from '../../../client/src/recorder/images.ts'
import { levelOf, measureSound, soundHints } from '../../../client/src/recorder/sound.ts'
import { wholeWebm } from '../../../client/src/recorder/webm.ts'
import { walkWebm } from '../../../functions/_shared/audio/container/walk-webm.ts'

/** Pictures, by the second in which they were taken, of a recording that looks ten times a second. */
function recordedFor(seconds: number): number[] {
  const album = createAlbum<number>()
  for (let at = 0; at < seconds; at += 0.1) if (album.isDue(at)) album.add(at, at)
  return album.chosen()
}

describe('images', () => {
  test.each([4, 5, 20, 61, 184, 600, 1195])('of %d s are 8 to 12, spread over all of it', (seconds) => {
    const taken = recordedFor(seconds)
    expect(taken.length).toBeGreaterThanOrEqual(8)
    expect(taken.length).toBeLessThanOrEqual(12)
    expect(taken[0]).toBe(0)
    expect(taken.at(-1)).toBeGreaterThan(seconds * 0.85)
    const gaps = taken.slice(1).map((at, before) => at - (taken[before] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThan(0)
    expect(Math.max(...gaps)).toBeLessThan(seconds / 5)
  })

  test('of a moment too short for eight are none', () => {
    expect(recordedFor(2)).toEqual([])
  })

  test('say where the light is wrong, and nothing of an ordinary room', () => {
    const picture = (level: number) => new Uint8ClampedArray(32 * 32 * 4).fill(level)
    expect(lightHints(picture(5))).toEqual(['too_dark'])
    expect(lightHints(picture(40))).toEqual([])
    expect(lightHints(picture(130))).toEqual([])
    expect(lightHints(picture(255))).toEqual(['too_bright'])
  })
})

describe('sound', () => {
  const tone = (amplitude: number) =>
    measureSound(Float32Array.from({ length: 4096 }, (_, at) => amplitude * Math.sin(at / 10)))

  test.each([
    [1, 0.95],
    [0.1, 0.62],
    [0.01, 0.28],
    [0.0001, 0],
    [0, 0],
  ])('of amplitude %d is shown as %d', (amplitude, level) => {
    expect(levelOf(tone(amplitude))).toBeCloseTo(level, 1)
  })

  const spoken = (amplitude: number, seconds: number) =>
    Array.from({ length: seconds * 10 }, () => tone(amplitude))

  test('that nobody would hear is too quiet, after some seconds', () => {
    expect(soundHints(spoken(0.001, 3), 0.1)).toEqual([])
    expect(soundHints(spoken(0.001, 5), 0.1)).toEqual(['too_quiet'])
    expect(soundHints([...spoken(0.001, 5), ...spoken(0.05, 1)], 0.1)).toEqual([])
  })

  test('that is cut off at full scale is too loud', () => {
    expect(soundHints(spoken(1, 1), 0.1)).toEqual(['too_loud'])
    expect(soundHints(spoken(0.8, 5), 0.1)).toEqual([])
  })

  test('that was never heard says nothing', () => {
    expect(soundHints([], 0.1)).toEqual([])
  })
})

test.each([
  ['NotAllowedError', 'refused'],
  ['SecurityError', 'refused'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['TypeError', 'missing'],
])('%s of a device means %s', (name, access) => {
  expect(accessOf(new DOMException('', name))).toBe(access)
})

test('a recording that goes on is whole, for the service too, wherever a piece of it has ended', async () => {
  const unknown = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
  const header = [0x1a, 0x45, 0xdf, 0xa3, 0x84, 0x42, 0x86, 0x81, 1]
  const cluster = [0x1f, 0x43, 0xb6, 0x75, ...unknown, 0xe7, 0x81, 0]
  const block = [0xa3, 0x40, 0x08, 0x81, 0, 0, 0x80, 1, 2, 3, 4]
  const segment = [0x18, 0x53, 0x80, 0x67, ...unknown]
  const recording = [...header, ...segment, ...cluster, ...block, ...block, ...cluster, ...block]
  const sizes = new Set<number>()
  for (let end = 0; end <= recording.length; end++) {
    const whole = await wholeWebm(new Blob([new Uint8Array(recording.slice(0, end))], { type: 'audio/webm' }))
    const bytes = new Uint8Array(await whole.arrayBuffer())
    expect([...bytes]).toEqual(recording.slice(0, bytes.length))
    await walkWebm({ size: bytes.length, read: async (from, to) => bytes.slice(from, to) })
    sizes.add(bytes.length)
  }
  const times = header.length + segment.length + cluster.length
  const blocks = [times + block.length, times + 2 * block.length]
  const second = times + 2 * block.length + cluster.length
  expect([...sizes]).toEqual([0, header.length, times, ...blocks, second, second + block.length])
})
