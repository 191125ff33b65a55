import { readdirSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { MediaFile } from './mobile-client.ts'

const AUDIO_TYPES: Record<string, string> = {
  '.m4a': 'audio/mp4',
  '.aac': 'audio/aac',
  '.mp4': 'audio/mp4',
  '.webm': 'audio/webm',
  '.ogg': 'audio/ogg',
  '.opus': 'audio/ogg',
  '.mp3': 'audio/mpeg',
  '.wav': 'audio/wav',
  '.flac': 'audio/flac',
}
const IMAGE_TYPES: Record<string, string> = {
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.png': 'image/png',
}

/** A recording with the content type that its name suggests. Throws when there is no such file or kind. */
export function audioFile(path: string): MediaFile {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new Error(`There is no recording at ${path}`)
  const contentType = AUDIO_TYPES[extname(path).toLowerCase()]
  if (!contentType) throw new Error(`${path}: send m4a, mp4, webm, ogg, opus, mp3, wav or flac`)
  return { path, contentType }
}

/** The JPEG and PNG files of a folder, by name. Throws when there are none. */
export function imageFiles(folder: string): MediaFile[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Error(`There is no folder ${folder}`)
  const files = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const contentType = IMAGE_TYPES[extname(name).toLowerCase()]
      return contentType ? [{ path: join(folder, name), contentType }] : []
    })
  if (files.length === 0) throw new Error(`${folder} holds no JPEG or PNG files`)
  return files
}
