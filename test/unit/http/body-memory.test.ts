import { afterEach, describe, expect, test, vi } from 'vitest'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { MAX_FILE_BYTES } from '../../../functions/_shared/files/bucket.ts'
import { readText } from '../../../functions/_shared/http/body.ts'
import { BodyMemory } from '../../../functions/_shared/http/body-memory.ts'
import { withForm } from '../../../functions/_shared/http/form.ts'
import { handle } from '../../../functions/_shared/http/handle.ts'

const MB = 1_000_000

/** The largest body for which room is kept. */
const SMALL = 100_000

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

function bodyOf(sender: string): BodyMemory {
  const body = new BodyMemory()
  body.sender = sender
  return body
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
    expect(fitting(SMALL)).toBe(640)
    expect(fitting(50 * MB)).toBe(1)
  })

  test('leave room for small ones, however many large ones come', () => {
    const large = Array.from({ length: 56 }, () => new BodyMemory())
    for (const body of large) body.add(MB)
    const small = new BodyMemory()
    expect(() => small.add(SMALL)).not.toThrow()
    expect(() => small.add(1)).toThrow(busy)
    for (const body of [...large, small]) body.release()
    expect(fitting(SMALL)).toBe(640)
  })

  test.each([
    ['a file and its form', MAX_FILE_BYTES + 64 * 1024, 1],
    ['a photograph in JSON', 14 * MB, 3],
  ])('of one sender may be one of the largest: %s', (_, bytes, copies) => {
    const body = bodyOf('ada')
    expect(() => body.add(bytes, copies)).not.toThrow()
    body.release()
  })

  test('of one sender never take all of it, whatever the size of each', () => {
    const bodies: BodyMemory[] = []
    const sendAll = () => {
      for (;;) {
        const body = bodyOf('ada')
        bodies.push(body)
        body.add(4.9 * MB, 3)
      }
    }
    expect(sendAll).toThrow(busy)
    expect(bodies).toHaveLength(4)
    const other = bodyOf('ben')
    expect(() => other.add(MB, 3)).not.toThrow()
    bodies[0]?.release()
    expect(() => bodies[3]?.add(4.9 * MB, 3)).not.toThrow()
    for (const body of [...bodies, other]) body.release()
    expect(fitting(SMALL)).toBe(640)
  })

  test('with nobody signed in are counted by address', async () => {
    const taken: string[] = []
    const send = (address: string, bytes: number, whileHeld: () => Promise<unknown> = async () => {}) =>
      handle('an-invented-name', async (_, { memory }) => {
        memory.add(bytes)
        taken.push(address)
        await whileHeld()
        return new Response()
      })(new Request('http://127.0.0.1', { headers: { 'cf-connecting-ip': address } }))
    let second: Response | undefined
    await send('203.0.113.7', 50 * MB, async () => {
      second = await send('203.0.113.7', 5 * MB)
      await send('203.0.113.8', 5 * MB)
    })
    expect(second?.status).toBe(503)
    expect(taken).toEqual(['203.0.113.7', '203.0.113.8'])
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
          taken = 64 - fitting(SMALL) / 10
        })
        return new Response()
      })
      await respond(post(body()))
      expect(taken).toBeGreaterThanOrEqual(6)
      expect(fitting(SMALL)).toBe(640)
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

describe('of several large bodies that come together', () => {
  const limit = { maxBytes: 60 * MB, tooLarge: () => new ServiceError('body_too_large', 'Too large.') }

  async function sendTogether(count: number): Promise<string[]> {
    const outcomes = await Promise.allSettled(
      Array.from({ length: count }, async () => {
        const request = post(pieces(40))
        request.headers.set('content-length', String(40 * MB))
        const memory = new BodyMemory()
        try {
          await withForm(request, memory, limit, async () => {})
        } finally {
          memory.release()
        }
      }),
    )
    return outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'read'))
  }

  test('that declare their length the first is read whole, and the others are rejected before they come', async () => {
    // What is read whole is no form: its own fault, not the want of room.
    expect(await sendTogether(5)).toEqual(['invalid_form', 'busy', 'busy', 'busy', 'busy'])
    expect(fitting(SMALL)).toBe(640)
  })

  test('a body that is longer than it declares is rejected', async () => {
    for (const read of [
      (request: Request, memory: BodyMemory) => withForm(request, memory, limit, async () => {}),
      (request: Request, memory: BodyMemory) => readText(request, memory, 60 * MB),
    ]) {
      const request = post(pieces(6))
      request.headers.set('content-length', String(5 * MB))
      const memory = new BodyMemory()
      await expect(read(request, memory)).rejects.toMatchObject({ code: 'body_too_large' })
      memory.release()
    }
  })
})

describe('a body that does not end', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Sends nothing for `s` seconds after its first bytes; what became of it, and whether it was told to stop. */
  async function waitingFor(
    s: number,
    type: 'default' | 'bytes',
    read: (request: Request, memory: BodyMemory) => Promise<unknown>,
  ) {
    vi.useFakeTimers()
    let isCancelled = false
    const start = (controller: ReadableStreamDefaultController | ReadableByteStreamController) =>
      controller.enqueue(new Uint8Array(10))
    const cancel = () => {
      isCancelled = true
    }
    const body =
      type === 'bytes' ? new ReadableStream({ type, start, cancel }) : new ReadableStream({ start, cancel })
    let code = 'none'
    const memory = new BodyMemory()
    void read(post(body), memory).catch((error: unknown) => {
      code = error instanceof ServiceError ? `${error.status} ${error.code}` : String(error)
    })
    await vi.advanceTimersByTimeAsync(s * 1000)
    memory.release()
    return { code, isCancelled }
  }

  const form = (maxBytes: number) => (request: Request, memory: BodyMemory) =>
    withForm(
      request,
      memory,
      { maxBytes, tooLarge: () => new ServiceError('body_too_large', 'Too large.') },
      async () => {},
    )
  const text = (maxBytes: number) => (request: Request, memory: BodyMemory) =>
    readText(request, memory, maxBytes)

  test.each([
    ['a text of up to 1 MB', 30, 'default', text(MB)],
    ['a larger text', 120, 'default', text(14 * MB)],
    ['a form', 120, 'default', form(50 * MB)],
    ['a form in a byte stream', 120, 'bytes', form(50 * MB)],
  ] as const)('is rejected: %s, after %i s', async (_, seconds, type, read) => {
    expect(await waitingFor(seconds - 1, type, read)).toEqual({ code: 'none', isCancelled: false })
    expect(await waitingFor(seconds + 1, type, read)).toEqual({
      code: '408 request_timeout',
      isCancelled: true,
    })
  })
})
