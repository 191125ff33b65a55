import { copyFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { demonstrationImages } from '../../demo/images.ts'

export interface StillSet {
  name: string
  /** Names in the folder. */
  paths: string[]
}

/**
 * Puts two sets of pictures into a folder: stills of 500 by 500 pixels, and photographs 1920 pixels wide, more than
 * the client is asked to send.
 */
export async function makeStills(folder: string): Promise<StillSet[]> {
  await demonstrationImages(folder)
  const require = createRequire(import.meta.url)
  const photographs = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo')
  const names = readdirSync(photographs).filter((name) => /^sample\d\.jpg$/.test(name))
  for (const name of names) copyFileSync(join(photographs, name), join(folder, name))
  return [
    { name: '500 px', paths: readdirSync(folder).filter((name) => name.startsWith('image-')) },
    { name: '1920 px', paths: names },
  ]
}

/** The first `count` pictures of a set, from the start again when it has fewer. */
export function take(set: StillSet, count: number): string[] {
  return Array.from({ length: count }, (_, i) => set.paths[i % set.paths.length] ?? '')
}
