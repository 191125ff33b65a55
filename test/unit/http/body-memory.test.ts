import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { readText } from '../../../functions/_shared/http/body.ts'
import { BodyMemory } from '../../../functions/_shared/http/body-memory.ts'
import { withForm } from '../../../functions/_shared/http/form.ts'
import { handle } from '../../../functions/_shared/http/handle.ts'

const MB = 1_000_000
const busy = expect.objectContaining({ code: 'busy', status: 503, details: { retry_after_s: 5 } })

/** Sends bodies one beside the other until one is rejected; returns how many were not, after all have been released. */
function fitting(bytes: number): number {
  const bodies: BodyMemory[] = []
  try {
    for (;;) {
      const body = new BodyMemory()
      bodies.push(body)
      body.add(bytes)
    }
  } catch (error) {
    expect(error).toEqual(busy)
    return bodies.length - 1
  } finally {
    for (const body of bodies) body.release()
  }
}

/** A body that comes in pieces of a megabyte, and then fails if `fault` is given. */
function pieces(megabytes: number, fault?: Error): ReadableStream<Uint8Array> {
  let left = megabytes
  return new ReadableStream(
    {
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(MB))
        else if (fault) controller.error(fault)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

const post = (body: BodyInit, type = 'multipart/form-data; boundary=b') =>
  new Request('http://127.0.0.1', {
    method: 'POST',
    body,
    headers: { 'content-type': type },
    duplex: 'half',
  } as RequestInit)

describe('the bodies in one process', () => {
  test('take 64 MB together, and leave nothing behind', () => {
    expect(fitting(50 * MB)).toBe(1)
    expect(fitting(MB)).toBe(64)
    expect(fitting(50 * MB)).toBe(1)
  })

  test('of one person are large one at a time, and small as many as fit', () => {
    const bodies = Array.from({ length: 4 }, () => {
      const body = new BodyMemory()
      body.sender = 'ada'
      return body
    })
    const [first, second, third, other] = bodies
    first?.add(6 * MB)
    second?.add(5 * MB)
    expect(() => second?.add(1)).toThrow(busy)
    third?.add(MB)
    if (other) other.sender = 'ben'
    expect(() => other?.add(6 * MB)).not.toThrow()
    first?.release()
    expect(() => second?.add(MB)).not.toThrow()
    for (const body of bodies) body.release()
    expect(fitting(MB)).toBe(64)
  })

  const limit = { maxBytes: 60 * MB, tooLarge: () => new ServiceError('body_too_large', 'Too large.') }
  const readers: [string, (request: Request, memory: BodyMemory) => Promise<unknown>][] = [
    ['a text', (request, memory) => readText(request, memory, 60 * MB)],
    ['a form', (request, memory) => withForm(request, memory, limit, async () => {})],
  ]
  const ends: [string, () => BodyInit][] = [
    ['ends', () => pieces(6)],
    ['breaks off', () => pieces(6, new Error('the connection is lost'))],
    ['is too large', () => pieces(61)],
    ['comes in one piece', () => new Uint8Array(6 * MB)],
  ]
  test.each(readers.flatMap(([kind, read]) => ends.map(([end, body]) => [kind, end, read, body] as const)))(
    'give back what %s that %s has taken',
    async (_, __, read, body) => {
      let taken = 0
      const respond = handle('an-invented-name', async (request, { memory }) => {
        await read(request, memory).finally(() => {
          taken = 64 - fitting(MB)
        })
        return new Response()
      })
      await respond(post(body()))
      expect(taken).toBeGreaterThanOrEqual(6)
      expect(fitting(MB)).toBe(64)
    },
  )

  test('are rejected while they come, not after', async () => {
    const before = new BodyMemory()
    before.add(56 * MB)
    let sent = 0
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          sent++
          controller.enqueue(new Uint8Array(MB))
        },
      },
      { highWaterMark: 0 },
    )
    const memory = new BodyMemory()
    await expect(withForm(post(endless), memory, limit, async () => {})).rejects.toEqual(busy)
    expect(sent).toBeLessThan(15)
    memory.release()
    before.release()
  })
})
