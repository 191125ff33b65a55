import { describe, expect, test } from 'vitest'
import { readJson } from '../../../functions/_shared/http/body.ts'
import { BodyMemory } from '../../../functions/_shared/http/body-memory.ts'

const post = (body: string) => new Request('https://wellbeing.example.edu/', { method: 'POST', body })
const read = (text: string, maxBytes?: number) => readJson(post(text), new BodyMemory(), maxBytes)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

describe('a JSON body', () => {
  test('may be nested 64 levels deep, and no deeper', async () => {
    await expect(read(nested(64))).resolves.toBeInstanceOf(Array)
    await expect(read(nested(65))).rejects.toMatchObject({ code: 'invalid_json' })
    await expect(read(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).rejects.toMatchObject({
      code: 'invalid_json',
    })
  })

  test('of the greatest size is rejected for its depth, not for a stack that overflows', async () => {
    await expect(read('['.repeat(999_000))).rejects.toMatchObject({ code: 'invalid_json' })
  })

  test('may hold any number of brackets in its texts', async () => {
    const text = `${'[{'.repeat(100)}"\\`
    await expect(read(JSON.stringify({ text, [text]: text }))).resolves.toEqual({ text, [text]: text })
  })

  test('may have many members side by side', async () => {
    await expect(read(`[${Array(1000).fill('[[]]').join(',')}]`)).resolves.toHaveLength(1000)
  })

  test('holds no more values than one of a megabyte can, however large it may be', async () => {
    const [most, large] = [500_000, 14_000_000]
    await expect(read(`[${'0,'.repeat(most - 3)}0]`, large)).resolves.toHaveLength(most - 2)
    for (const value of ['{}', '[]', '[[]]', '0', '{"a":0}']) {
      const body = `{"text":"${',['.repeat(1000)}","rest":[${`${value},`.repeat(most)}0]}`
      await expect(read(body, large)).rejects.toMatchObject({ code: 'invalid_json' })
    }
  })

  test('that is absent, or only spaces, is an object without members', async () => {
    expect([await read(''), await read(' \n')]).toEqual([{}, {}])
  })

  test('is rejected as soon as it is too large', async () => {
    await expect(read(`"${'a'.repeat(98)}"`, 100)).resolves.toHaveLength(98)
    await expect(read(`"${'a'.repeat(99)}"`, 100)).rejects.toMatchObject({
      code: 'body_too_large',
      details: { max_bytes: 100 },
    })
  })

  test('does not change what objects are', async () => {
    await read('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect('polluted' in {}).toBe(false)
  })
})
