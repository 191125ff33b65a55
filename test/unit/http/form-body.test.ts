import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../functions/_shared/errors.ts'
import { BodyMemory } from '../../../functions/_shared/http/body-memory.ts'
import { withForm } from '../../../functions/_shared/http/form.ts'
import { bytesOf, joined } from '../files/samples.ts'

const MAX = 300_000
const tooLarge = () => new ServiceError('body_too_large', 'Too large.')
const head = bytesOf('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n')
const tail = bytesOf('\r\n--b--')
const formOf = (size: number) => joined([head, new Uint8Array(size).fill(7), tail])
const LARGEST = MAX - head.length - tail.length

type Way = (bytes: Uint8Array<ArrayBuffer>, declared: boolean) => Request

function request(body: ReadableStream | Uint8Array<ArrayBuffer>, length: number | null): Request {
  const headers = {
    'content-type': 'multipart/form-data; boundary=b',
    ...(length !== null && { 'content-length': `${length}` }),
  }
  return new Request('http://127.0.0.1', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
}

const pieces = (bytes: Uint8Array<ArrayBuffer>) =>
  Array.from({ length: Math.ceil(bytes.length / 10_000) }, (_, index) =>
    bytes.slice(index * 10_000, (index + 1) * 10_000),
  )

const WAYS: [string, Way][] = [
  ['in a byte stream', (bytes, declared) => request(bytes, declared ? bytes.length : null)],
  [
    'in pieces',
    (bytes, declared) =>
      request(
        new ReadableStream({
          start(controller) {
            for (const piece of pieces(bytes)) controller.enqueue(piece)
            controller.close()
          },
        }),
        declared ? bytes.length : null,
      ),
  ],
]

const sizeOf = (form: Request) =>
  withForm(form, new BodyMemory(), { maxBytes: MAX, tooLarge }, async (parts) =>
    parts.map(({ bytes }) => bytes.length),
  )

describe.each(WAYS)('a form that arrives %s', (_, arriving) => {
  test.each([true, false])(
    'is read up to the limit, and not beyond (length declared: %s)',
    async (declared) => {
      expect(await sizeOf(arriving(formOf(3), declared))).toEqual([3])
      expect(await sizeOf(arriving(formOf(LARGEST), declared))).toEqual([LARGEST])
      await expect(sizeOf(arriving(formOf(LARGEST + 1), declared))).rejects.toMatchObject({
        code: 'body_too_large',
      })
    },
  )

  test('gives its memory back, also when it is rejected', async () => {
    const seen: Uint8Array[] = []
    await withForm(
      arriving(formOf(10), true),
      new BodyMemory(),
      { maxBytes: MAX, tooLarge },
      async ([part]) => {
        if (part) seen.push(part.bytes)
      },
    )
    const rejected = withForm(
      arriving(formOf(10), true),
      new BodyMemory(),
      { maxBytes: MAX, tooLarge },
      async ([part]) => {
        if (part) seen.push(part.bytes)
        throw new Error('rejected')
      },
    )
    await expect(rejected).rejects.toThrow('rejected')
    expect(seen.map((bytes) => bytes.length)).toEqual([0, 0])
  })
})

test('a form without a body is rejected', async () => {
  const empty = new Request('http://127.0.0.1', {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
  })
  await expect(sizeOf(empty)).rejects.toMatchObject({ code: 'invalid_form' })
})
