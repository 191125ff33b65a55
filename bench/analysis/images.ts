import { copyFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { demonstrationImages } from '../../demo/images.ts'

export interface ImageSet {
  name: string
  /** Names in the folder. */
  paths: string[]
}

/**
 * Puts two sets of pictures into a folder: images of 500 by 500 pixels, and photographs 1920 pixels wide, more than
 * the client is asked to send.
 */
export async function makeImages(folder: string): Promise<ImageSet[]> {
  await demonstrationImages(folder)
  const small = readdirSync(folder).filter((name) => name.endsWith('.jpg'))
  const require = createRequire(import.meta.url)
  const photographs = join(dirname(require.resolve('@vladmandic/face-api/package.json')), 'demo')
  const names = readdirSync(photographs).filter((name) => /^sample\d\.jpg$/.test(name))
  for (const name of names) copyFileSync(join(photographs, name), join(folder, name))
  return [
    { name: '500 px', paths: small },
    { name: '1920 px', paths: names },
  ]
}

/** The first `count` pictures of a set, from the start again when it has fewer. */
export function take(set: ImageSet, count: number): string[] {
  return Array.from({ length: count }, (_, i) => set.paths[i % set.paths.length] ?? '')
}
