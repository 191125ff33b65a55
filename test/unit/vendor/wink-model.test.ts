import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { pack, unpack } from '../../../vendor/wink-model.ts'

const require = createRequire(import.meta.url)

describe("wink's English model", () => {
  const stored = require('wink-eng-lite-web-model/dist/languages/cur/models/eng-core-web-model.json')
  const packed = pack(stored)

  test('is, once unpacked, what its own package reads', () => {
    const readModel = require('wink-eng-lite-web-model/dist/read-core-model.js')
    const { features, ...model } = unpack(packed)
    const { features: expected, ...rest } = readModel()
    expect(model).toEqual(rest)
    expect({ ...features, lexeme: undefined }).toEqual({ ...expected, lexeme: undefined })
    expect(features.lexeme?.list).toEqual(expected.lexeme.list)
  })

  test('finds every lexeme where its own package has it, none that it does not have, and those that are added', () => {
    const { list, hash }: { list: string[]; hash: Record<string, number> } = Object(
      unpack(packed).features.lexeme,
    )
    expect(list.filter((word, at) => hash[word] !== at)).toEqual([])
    for (const unknown of ['', 'zzzzz', '\uffff', '__proto__', 'toString', 'qwertyish', 'THE-', '\0'])
      expect(hash[unknown]).toBeUndefined()
    hash.qwertyish = 87_593
    expect(hash.qwertyish).toBe(87_593)
  })

  test('is not packed where lexemes are in another order', () => {
    const lexeme = { ...stored.features.lexeme, list: stored.features.lexeme.list.toReversed() }
    expect(() => pack({ ...stored, features: { ...stored.features, lexeme } })).toThrow('order')
  })

  test('packs to the same bytes each time, a quarter of what the package takes', () => {
    expect(pack(stored)).toEqual(packed)
    expect(JSON.stringify(packed).length).toBeLessThan(JSON.stringify(stored).length / 4)
  })
})
