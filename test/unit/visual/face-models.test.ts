import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unpackAssets } from '../../../functions/_shared/asset-pack.ts'
import { MODEL_INPUTS, type ModelName, VISUAL_ASSET } from '../../../functions/_shared/visual/face-models.ts'
import { packAssets } from '../../../vendor/asset-pack.ts'
import { openModel, startTensorFlow } from '../../../vendor/face-models.ts'
import { buildVisualPack } from '../../../vendor/visual.ts'
import { faceModels } from './codecs.ts'

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

test('the face models are built small enough to be stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'face-models-'))
  try {
    await buildVisualPack({ assets: directory })
    expect((await stat(join(directory, VISUAL_ASSET))).size).toBeLessThan(10_000_000)
    const asset = unpackAssets(await readFile(join(directory, VISUAL_ASSET)))
    expect(asset('weights.bin').length).toBeGreaterThan(5_000_000)
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('each model gives to the last bit what TensorFlow.js gives, whatever ran before', async () => {
  const tensorFlow = await startTensorFlow()
  const names = Object.keys(MODEL_INPUTS) as ModelName[]
  const inputs = names.map((name) => {
    const values = MODEL_INPUTS[name] ** 2 * (name === 'emotion' ? 1 : 3) * (name === 'iris' ? 2 : 1)
    return { name, input: Float32Array.from({ length: values }, (_, i) => Math.sin(i * i) / 2 + 0.5) }
  })
  const expected = new Map<ModelName, Float32Array[]>()
  for (const { name, input } of inputs) {
    const { outputs } = (await openModel(tensorFlow, name))(input)
    expected.set(
      name,
      outputs.map((output) => output.dataSync().slice()),
    )
  }
  const byLength = (first: Float32Array, second: Float32Array) => first.length - second.length
  for (const { name, input } of [...inputs, ...inputs.toReversed()]) {
    expect(faceModels.run(name, input).sort(byLength)).toEqual(expected.get(name)?.sort(byLength))
  }
})

test('a model refuses an input of another size', () => {
  expect(() => faceModels.run('emotion', new Float32Array(64))).toThrow('another input')
})
