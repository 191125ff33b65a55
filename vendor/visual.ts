import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packAssets } from './asset-pack.ts'
import { type OutDirs, packageDir } from './bundle.ts'
import { recordFaceModels } from './face-models.ts'

/**
 * Builds what the visual analysis runs on, `visual.pack`: the face models' calls and weights, the kernels that are called, and
 * the decoders of JPEG and WebP, in one file, so that a cold start reads the bucket once.
 */
export async function buildVisualPack({ assets }: Pick<OutDirs, 'assets'>): Promise<void> {
  await mkdir(assets, { recursive: true })
  const { plan, weights, kernels } = await recordFaceModels()
  const pack = packAssets([
    { name: 'models.json', bytes: new TextEncoder().encode(JSON.stringify(plan)) },
    { name: 'weights.bin', bytes: new Uint8Array(weights.buffer) },
    { name: 'kernels.wasm', bytes: kernels },
    { name: 'webp.wasm', bytes: await readFile(join(packageDir('@cwasm/webp'), 'webp.wasm')) },
    { name: 'jpeg.wasm', bytes: await readFile(join(packageDir('@cwasm/jpeg-turbo'), 'jpeg-turbo.wasm')) },
  ])
  await writeFile(join(assets, 'visual.pack'), pack)
}
