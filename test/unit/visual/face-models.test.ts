import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpackAssets, VISUAL_ASSET } from '../../../functions/_shared/visual/face-models.ts'
import { buildVisualBundle, packAssets } from '../../../vendor/visual.ts'

test('a pack gives its files back byte for byte', () => {
  const files = {
    'a.json': [1, 2, 3],
    'b.wasm': [],
    'c.bin': Array.from({ length: 1000 }, (_, index) => index % 256),
  }
  const pack = packAssets(
    Object.entries(files).map(([name, bytes]) => ({ name, bytes: Uint8Array.from(bytes) })),
  )
  const asset = unpackAssets(pack)
  for (const [name, bytes] of Object.entries(files)) expect([...asset(name)]).toEqual(bytes)
})

test('a pack that misses a file or was cut off is not used', () => {
  const pack = packAssets([{ name: 'a.bin', bytes: new Uint8Array(100) }])
  expect(() => unpackAssets(pack)('b.bin')).toThrow('holds no b.bin')
  expect(() => unpackAssets(pack.subarray(0, pack.length - 1))('a.bin')).toThrow('ends before a.bin')
})

test('the face models are built small enough to be deployed and stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'face-models-'))
  try {
    await buildVisualBundle({ bundles: directory, assets: directory })
    expect((await stat(join(directory, 'visual.js'))).size).toBeLessThan(2_000_000)
    expect((await stat(join(directory, VISUAL_ASSET))).size).toBeLessThan(10_000_000)
    const models = unpackAssets(await readFile(join(directory, VISUAL_ASSET)))
    expect(models('facemesh.bin').length).toBeGreaterThan(1_000_000)
  } finally {
    await rm(directory, { recursive: true })
  }
})
