import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../../vendor/wink-model.ts'

const require = createRequire(import.meta.url)

describe("wink's English model", () => {
  const stored = require('wink-eng-lite-web-model/dist/languages/cur/models/eng-core-web-model.json')
  const packed = pack(stored)

  test('is, once unpacked, what its own package reads', () => {
    const readModel = require('wink-eng-lite-web-model/dist/read-core-model.js')
    expect(unpack(packed)).toEqual(readModel())
  })

  test('packs to the same bytes each time, a quarter of what the package takes', () => {
    expect(pack(stored)).toEqual(packed)
    expect(JSON.stringify(packed).length).toBeLessThan(JSON.stringify(stored).length / 4)
  })
})
