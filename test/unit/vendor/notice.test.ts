import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { notice, shippedPackages } from '../../../scripts/notice.ts'
import { ROOT } from '../../../scripts/root.ts'

describe('what ships with the functions', () => {
  test('is listed in NOTICE as it is installed; npm run notice writes it', () => {
    expect(readFileSync(join(ROOT, 'NOTICE'), 'utf8')).toBe(notice())
  })

  test('names the codec parser under the FLAC decoder, and the libraries under the LGPL', () => {
    const copyleft = shippedPackages()
      .filter(({ licence }) => licence.includes('GPL'))
      .map(({ name, licence }) => [name, licence])
    expect(copyleft).toEqual([
      ['@libav.js/variant-mediarecorder-transcoder', 'LGPL-2.1'],
      ['codec-parser', 'LGPL-3.0-or-later'],
    ])
  })

  test.each(shippedPackages())('$name is neither under the GPL nor the AGPL: $licence', ({ licence }) => {
    expect(licence).not.toMatch(/(?:^|[^L])GPL/)
  })

  test.each(shippedPackages())('$name is pinned by its digest', ({ integrity }) => {
    expect(integrity).toMatch(/^sha512-/)
  })
})
