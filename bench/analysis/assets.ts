import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packCrisisModel, randomCrisisModel } from '../../harness/random-crisis-model.ts'
import { ROOT } from '../../scripts/root.ts'
import { spokenTexts } from './transcripts.ts'

const BUILT = join(ROOT, 'vendor', 'assets')

/**
 * The folder of the analyses' assets. Where no sentence encoder was built, one with random weights stands in for it, which takes as long,
 * and `skipped` tells so.
 */
export function collectAssets(folder: string, skipped: string[]): string {
  if (existsSync(join(BUILT, 'crisis.pack'))) return BUILT
  skipped.push('the weights of the sentence encoder: 6 layers of random weights were read instead')
  const assets = join(folder, 'assets')
  mkdirSync(assets)
  for (const name of readdirSync(BUILT)) symlinkSync(join(BUILT, name), join(assets, name))
  const random = randomCrisisModel({
    ...{ layers: 6, hidden: 384, heads: 12, intermediate: 1536, positions: 512 },
    ...{ pieces: 40_000, texts: spokenTexts(), budget: 32 },
  })
  writeFileSync(join(assets, 'crisis.pack'), packCrisisModel(random))
  return assets
}
