import { expect, test } from 'vitest'
import { clientAddress } from '../../../functions/_shared/platform/client-address.ts'

const addressOf = (headers: Record<string, string>) =>
  clientAddress(new Request('https://example.edu', { headers }))

test.each<[string, Record<string, string>, string | null]>([
  [
    'what the platform’s gateway says, not what the client wrote',
    { 'cf-connecting-ip': '203.0.113.7', 'x-forwarded-for': '198.51.100.1, 203.0.113.7' },
    '203.0.113.7',
  ],
  ['an address of the newer kind', { 'cf-connecting-ip': '2001:db8::1' }, '2001:db8::1'],
  ['nothing where nothing is said', {}, null],
  [
    'nothing where only the client says so',
    { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7' },
    null,
  ],
  ['nothing where several say so', { 'cf-connecting-ip': '198.51.100.1, 203.0.113.7' }, null],
  ['nothing of an attempt to add a header', { 'cf-connecting-ip': '203.0.113.7;drop' }, null],
])('a request comes from %s', (_, headers, expected) => expect(addressOf(headers)).toBe(expected))
