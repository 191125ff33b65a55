import { describe, expect, test } from 'vitest'
import { handle } from '../../../functions/_shared/http/handle.ts'
import { textResponse } from '../../../functions/_shared/http/response.ts'
import { currentTraceId, inTrace, joinTrace, traceHeaders } from '../../../functions/_shared/log.ts'
import { traceOf } from '../../../functions/_shared/trace.ts'

const ID = '0af7651916cd43dd8448eb211c80319c'
const GIVEN = `00-${ID}-b7ad6b7169203331-01`

/** What `traceparent` a function responds with, and what its handler saw. */
async function respond(given: string | null, work: () => unknown = () => null) {
  let seen: unknown
  const handler = handle('invented', async (_, { requestId }) => {
    seen = work()
    return textResponse('', 'text/plain', 200, requestId)
  })
  const headers = new Headers(given === null ? {} : { traceparent: given })
  const response = await handler(new Request('http://service.example.edu/invented', { headers }))
  return { traceparent: response.headers.get('traceparent') ?? '', seen }
}

describe('the trace of a request', () => {
  test.each([
    ['that the caller is in', GIVEN, ID, '01'],
    ['which the caller does not record', GIVEN.replace(/01$/, '00'), ID, '00'],
    [
      'of a later version, with more after it',
      GIVEN.replace(/^00/, 'cc').concat('-what-the-future-will-be'),
      ID,
      '01',
    ],
    ['with space around it', ` ${GIVEN} `, ID, '01'],
  ])('is the one %s', async (_, given, id, flags) => {
    const { traceparent, seen } = await respond(given, currentTraceId)
    expect(seen).toBe(id)
    expect(traceparent).toMatch(new RegExp(`^00-${id}-[0-9a-f]{16}-${flags}$`))
    expect(traceparent.split('-')[2]).not.toBe('b7ad6b7169203331')
  })

  test.each([
    ['absent', null],
    ['empty', ''],
    ['of no version', GIVEN.replace(/^00/, 'ff')],
    ['of upper case', GIVEN.toUpperCase()],
    ['without a trace', GIVEN.replace(ID, '0'.repeat(32))],
    ['without a parent', GIVEN.replace('b7ad6b7169203331', '0'.repeat(16))],
    ['too short', GIVEN.slice(0, -1)],
    ['of version 00 and has more after it', `${GIVEN}-more`],
    ['two', `${GIVEN}, ${GIVEN}`],
    ['a sentence', 'my name is Jordan'],
  ])('is a new one where the header is %s', async (_, given) => {
    const [one, other] = [await respond(given, currentTraceId), await respond(given, currentTraceId)]
    expect(one.traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/)
    expect(one.traceparent).toContain(String(one.seen))
    expect(one.seen).not.toBe(ID)
    expect(one.seen).not.toBe(other.seen)
  })

  test('goes on in what the request calls, from the request', async () => {
    const { traceparent, seen } = await respond(GIVEN, traceHeaders)
    expect(seen).toEqual({ traceparent })
  })

  test('is that of what the request is about, once this is known', async () => {
    const { id } = traceOf(null)
    const { traceparent } = await respond(GIVEN, () => joinTrace(id))
    expect(traceparent).toContain(id)
    expect((await respond(GIVEN, () => joinTrace(null))).traceparent).toContain(ID)
  })

  test('is left for a part of its work that belongs to another one', async () => {
    const { id } = traceOf(null)
    const { traceparent, seen } = await respond(GIVEN, () => [
      inTrace(id, currentTraceId),
      inTrace(null, currentTraceId),
    ])
    expect(seen).toEqual([id, ID])
    expect(traceparent).toContain(ID)
  })

  test('is none outside of a request', () => {
    expect(currentTraceId()).toBeNull()
    expect(traceHeaders()).toEqual({})
    expect(inTrace(ID, () => 'done')).toBe('done')
  })
})
