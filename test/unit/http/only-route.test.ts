import { expect, test } from 'vitest'
import { BodyMemory } from '../../../functions/_shared/http/body-memory.ts'
import { checkOnlyRoute } from '../../../functions/_shared/http/handle.ts'

function check(method: string, path: string): Headers {
  const headers = new Headers()
  try {
    checkOnlyRoute(new Request(`https://wellbeing.example.edu${path}`, { method }), 'analyze-text', {
      requestId: 'invented-request',
      functionName: 'analyze-text',
      startedAt: 0,
      headers,
      memory: new BodyMemory(),
    })
  } catch (error) {
    headers.set('rejected', error instanceof Error && 'code' in error ? String(error.code) : 'otherwise')
  }
  return headers
}

test('a function with one call takes it, with and without a slash at the end', () => {
  expect(check('POST', '/analyze-text').has('rejected')).toBe(false)
  expect(check('POST', '/analyze-text/').has('rejected')).toBe(false)
})

test('another method is rejected, and the response names the one that is taken', () => {
  const headers = check('PUT', '/analyze-text')
  expect(headers.get('rejected')).toBe('method_not_allowed')
  expect(headers.get('allow')).toBe('POST')
})

test('there is nothing below it', () => {
  expect(check('POST', '/analyze-text/more').get('rejected')).toBe('not_found')
})
