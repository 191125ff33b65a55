import decodeQR from 'qr/decode.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createTotpKey, isTotpCode } from '../../src/auth/totp.ts'

afterEach(() => vi.useRealTimers())

/** The picture that a QR code's SVG draws, with pixels of 4 by 4 for each module. */
function pictureOf(svg: string) {
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1])
  const modules = new Set<string>()
  let [x, y] = [0, 0]
  for (const [, move, dx, dy] of svg.matchAll(/([Mm])(-?\d+)[ ,]?(-?\d+)h1/g)) {
    if (move === 'M') [x, y] = [Number(dx), Number(dy)]
    else [x, y] = [x + Number(dx), y + Number(dy)]
    modules.add(`${x},${y}`)
  }
  const side = size * 4
  const data = new Uint8Array(side * side * 4).fill(255)
  for (let at = 0; at < side * side; at++) {
    const module = `${Math.floor((at % side) / 4)},${Math.floor(at / side / 4)}`
    if (modules.has(module)) data.fill(0, at * 4, at * 4 + 3)
  }
  return { width: side, height: side, data }
}

describe('a key', () => {
  it('is shown to authenticator apps as a URI, and as a QR code of it', () => {
    const key = createTotpKey('127.0.0.1:3000', 'sam+staff@example.edu')
    expect(key.secret).toMatch(/^[A-Z2-7]{32}$/)
    const uri = new URL(key.uri)
    expect(`${uri.protocol}${uri.host}`).toBe('otpauth:totp')
    expect(decodeURIComponent(uri.pathname)).toBe('/127.0.0.1:3000:sam+staff@example.edu')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: '127.0.0.1:3000',
      secret: key.secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
    expect(decodeQR(pictureOf(key.qr_code))).toBe(key.uri)
  })

  it('can stand in a data URL as it is, which is how supabase-js returns it', () => {
    expect(createTotpKey('Northfield "#1" 100% <b>', 'sam@example.edu').qr_code).not.toMatch(/[#%\n]/)
  })

  it('is another one each time', () => {
    const secrets = Array.from({ length: 20 }, () => createTotpKey('Northfield', 'sam@example.edu').secret)
    expect(new Set(secrets).size).toBe(20)
  })

  it('cannot be made for an issuer that fits into no QR code, or is no text', () => {
    expect(() => createTotpKey('x'.repeat(5000), 'sam@example.edu')).toThrow('too long')
    expect(createTotpKey('half \ud83d of a pair', 'sam@example.edu').uri).toContain('half%20%EF%BF%BD')
  })
})

describe('a code', () => {
  // RFC 6238, appendix B: the key for SHA-1, and the last six of its eight digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ])('is that of RFC 6238 at %i', (seconds, code) => {
    vi.setSystemTime(seconds * 1000)
    expect(isTotpCode(secret, code)).toBe(true)
    expect(isTotpCode(secret, ` ${code}\n`)).toBe(true)
  })

  it('is good for the half minute before and after its own, and no longer', () => {
    const at = 1111111080
    const acceptedAt = (seconds: number) => {
      vi.setSystemTime(seconds * 1000)
      return isTotpCode(secret, '081804')
    }
    expect([at - 31, at - 30, at, at + 59, at + 60].map(acceptedAt)).toEqual([false, true, true, true, false])
  })

  it.each(['', '28708', '2870822', '28708a', '２８７０８２', '287\x0082', '-28708', '2.8e10', '0x1234'])(
    'is not %j',
    (code) => {
      vi.setSystemTime(59_000)
      expect(isTotpCode(secret, code)).toBe(false)
    },
  )
})
