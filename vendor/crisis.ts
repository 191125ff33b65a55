import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packAssets } from './asset-pack.ts'
import type { OutDirs } from './bundle.ts'

/** Where the sentence encoder's weights are kept; its README.md says in what form. */
const MODEL = join(import.meta.dirname, '..', 'corpora', 'crisis', 'model')

const FILES = ['model.json', 'pieces.txt', 'weights.bin']

/** Builds what the crisis check reads sentences with, `crisis.pack`, so that a cold start reads the bucket once. */
export async function buildCrisisPack({ assets }: Pick<OutDirs, 'assets'>): Promise<void> {
  await mkdir(assets, { recursive: true })
  const entries = FILES.map(async (name) => ({ name, bytes: await readFile(join(MODEL, name)) }))
  await writeFile(join(assets, 'crisis.pack'), packAssets(await Promise.all(entries)))
}
