import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packAssets } from './asset-pack.ts'
import type { OutDirs } from './bundle.ts'

/** Where the sentence encoder's weights are kept; its README.md says in what form. */
const MODEL = join(import.meta.dirname, '..', 'corpora', 'crisis', 'model')

const FILES = ['model.json', 'pieces.txt', 'weights.bin']

/** Builds what the crisis check reads sentences with, `crisis.pack`, so that a cold start reads the bucket once. */
export async function buildCrisisPack({ assets }: Pick<OutDirs, 'assets'>): Promise<void> {
  const pack = join(assets, 'crisis.pack')
  if (!FILES.every((name) => existsSync(join(MODEL, name)))) {
    await rm(pack, { force: true })
    return
  }
  await mkdir(assets, { recursive: true })
  const entries = FILES.map(async (name) => ({ name, bytes: await readFile(join(MODEL, name)) }))
  await writeFile(pack, packAssets(await Promise.all(entries)))
}
