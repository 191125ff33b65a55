import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dose } from '../../depth.ts'
import { residentMemoryMb } from '../resident-memory.ts'
import { fixture, loadAsset, noise, sourceOf } from './recordings.ts'

/** A recording of each kind, and another one that the same decoder takes. */
const RECORDINGS = [
  { type: 'm4a', other: 'neutral.m4a' },
  { type: 'aac', other: 'short.aac' },
  { type: 'webm', other: 'positive.webm' },
  { type: 'ogg', other: 'struggling.ogg' },
  { type: 'mp3', other: 'struggling.mp3' },
  { type: 'flac', other: 'short.flac' },
]

/** From the start, where a decoder has nothing to settle on. */
const PART = { startS: 0, endS: 2.5 }

type Decode = (bytes: Uint8Array, part?: { startS: number; endS: number }) => Promise<Float32Array>

/** Decodes as a worker does that has just started; what it keeps, it keeps between its own calls. */
async function startedWorker(): Promise<Decode> {
  vi.resetModules()
  const { decodeRange } = await import('../../../functions/_shared/audio/decode/decode-range.ts')
  const { probeRecording } = await import('../../../functions/_shared/audio/probe.ts')
  const ownAssets: typeof loadAsset = (name) => loadAsset(name)
  const infos = new Map<string, Awaited<ReturnType<typeof probeRecording>>>()
  for (const { type } of RECORDINGS) {
    infos.set(type, await probeRecording(sourceOf(await fixture(`short.${type}`))))
  }
  return async (bytes, { startS, endS } = PART) => {
    const type = typeOf(bytes)
    const info = infos.get(type)
    if (!info) throw new Error(`No recording is ${type}`)
    return (await decodeRange(sourceOf(bytes), info, startS, endS, ownAssets)).samples
  }
}

function typeOf(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 12))
  if (head.includes('ftyp')) return 'm4a'
  if (bytes[0] === 0xff && (bytes[1] ?? 0) >> 4 === 15 && ((bytes[1] ?? 0) & 6) === 0) return 'aac'
  if (head.startsWith('OggS')) return 'ogg'
  if (head.startsWith('fLaC')) return 'flac'
  return bytes[0] === 0x1a ? 'webm' : 'mp3'
}

/** The middle third overwritten with noise. */
function damaged(bytes: Uint8Array): Uint8Array {
  const random = noise()
  const third = Math.floor(bytes.length / 3)
  return bytes.map((byte, i) => (i > third && i < 2 * third ? Math.floor(128 + 128 * random()) : byte))
}

/** Whether it can be read at all or not does not matter here. */
async function attempt(decoding: Promise<unknown>): Promise<void> {
  await decoding.catch(() => undefined)
}

describe.each(RECORDINGS)('a decoder of $type', ({ type, other }) => {
  let recording: Uint8Array
  let otherRecording: Uint8Array
  let decode: Decode
  let atFirst: Float32Array

  beforeAll(async () => {
    recording = await fixture(`short.${type}`)
    otherRecording = await fixture(other)
    atFirst = await (await startedWorker())(recording)
  })
  beforeEach(async () => {
    decode = await startedWorker()
  })

  it('finds sound', () => {
    expect(atFirst.length).toBe(40000)
    expect(atFirst.some((sample) => Math.abs(sample) > 0.05)).toBe(true)
  })

  it('gives the same samples after another recording', async () => {
    await decode(otherRecording, { startS: 0, endS: 4 })
    await decode(otherRecording, { startS: 2, endS: 3 })
    expect(await decode(recording)).toEqual(atFirst)
  })

  it('gives the same samples whenever it is asked', async () => {
    for (let time = 0; time < 60; time++) await decode(recording, { startS: 1, endS: 1.1 })
    expect(await decode(recording)).toEqual(atFirst)
  })

  it('gives the same samples after a damaged recording', async () => {
    await attempt(decode(damaged(otherRecording), { startS: 0, endS: 4.4 }))
    expect(await decode(recording)).toEqual(atFirst)
  })

  it('gives the same samples after a recording that is cut off', async () => {
    await attempt(decode(otherRecording.subarray(0, otherRecording.length >> 1), { startS: 0, endS: 4.4 }))
    expect(await decode(recording)).toEqual(atFirst)
  })

  it('keeps no memory of damaged recordings', async () => {
    const broken = damaged(recording)
    const middle = { startS: 1.2, endS: 1.4 }
    const failing = async (failures: number) => {
      for (let failure = 0; failure < failures; failure++) await attempt(decode(broken, middle))
      return residentMemoryMb()
    }
    const before = await failing(dose(10, 50))
    await failing(dose(10, 50))
    // What is freed is given back in the background.
    await vi.waitFor(() => expect(residentMemoryMb()).toBeLessThan(before + 10), { timeout: 30_000 })
  })

  it('gives the same samples while it decodes others', async () => {
    const decoded = await Promise.all([
      decode(otherRecording, { startS: 0, endS: 4 }),
      decode(recording),
      attempt(decode(damaged(otherRecording))),
      decode(recording),
    ])
    expect(decoded[1]).toEqual(atFirst)
    expect(decoded[3]).toEqual(atFirst)
  })
})

describe('a decoder of flac', () => {
  it('goes on after a damaged frame', async () => {
    const recording = await fixture('short.flac')
    const decode = await startedWorker()
    const whole = await decode(recording, { startS: 0, endS: 4 })
    // A few bytes within one frame.
    const hurt = recording.slice()
    hurt.fill(0x55, Math.floor(recording.length / 2), Math.floor(recording.length / 2) + 20)
    const rest = await decode(hurt, { startS: 0, endS: 4 })
    expect(rest.subarray(3 * 16000)).toEqual(whole.subarray(3 * 16000))
    expect(rest).not.toEqual(whole)
  })
})
