import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { managementOf } from '../../../scripts/stage/management.ts'

type Answer = { status: number; headers?: Record<string, string>; body?: unknown }

/** An API that gives these answers in turn, the last one for ever. */
async function answering(...answers: [Answer, ...Answer[]]) {
  const asked: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const { status, headers = {}, body } = answers[Math.min(asked.length, answers.length - 1)] ?? answers[0]
    asked.push(`${request.method} ${request.url}`)
    response.writeHead(status, headers)
    response.end(body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    asked,
    management: managementOf(`http://127.0.0.1:${port}`, 'sbp_invented', 'abcdefghijklmnopqrst'),
  }
}

const AT_ONCE = { 'retry-after': '0' }

test.each([
  ['too many requests', { status: 429, headers: { 'x-ratelimit-reset': '0' } }],
  ['a fault that passes', { status: 503, headers: AT_ONCE }],
])('a call that meets %s is made again', async (_, first) => {
  const { asked, management } = await answering(first, { status: 200, body: ['well'] })
  expect(await management.get('/functions', z.array(z.string()))).toEqual(['well'])
  expect(asked).toHaveLength(2)
})

test('one that goes on failing ends with its answer', async () => {
  const { asked, management } = await answering({ status: 500, headers: AT_ONCE, body: { message: 'down' } })
  await expect(management.get('/functions', z.unknown())).rejects.toThrow('GET /functions with 500: down')
  expect(asked).toHaveLength(4)
})

test('one that was rejected is not made again', async () => {
  const { asked, management } = await answering({ status: 400, body: { message: 'wrong' } })
  await expect(management.send('POST', '/secrets', [])).rejects.toThrow('POST /secrets with 400: wrong')
  expect(asked).toHaveLength(1)
})
