import type { ListedOriginal } from './volume.ts'

/** Folder that every zip of an export unpacks into, so that volumes unpacked side by side become one. */
export const ROOT_FOLDER = 'wellbeing-export'

const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mp4': 'm4a',
  'audio/m4a': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/aac': 'aac',
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'image/jpeg': 'jpg',
  'image/png': 'png',
}

/**
 * Where an original lies below the root folder: `media/<bucket>/<path>`, without the person's id and with an extension, so
 * that a double click opens it. No level can lead out of the folder, whatever the object is called.
 */
export function pathOfOriginal({ bucket, name, type }: ListedOriginal, userId: string): string {
  const levels = name
    .split(/[/\\]/)
    .filter((level) => level !== '' && level !== userId)
    .map((level) => level.replaceAll(/[\p{Cc}<>:"|?*]/gu, '-').replace(/^[. ]+$/, '-'))
  const extension = EXTENSIONS[type?.split(';')[0]?.trim().toLowerCase() ?? '']
  const last = levels.at(-1) ?? 'file'
  const named = /\.[A-Za-z0-9]{1,10}$/.test(last) || extension === undefined ? last : `${last}.${extension}`
  return ['media', bucket, ...levels.slice(0, -1), named].join('/')
}

/** Folder of the documents of a volume below the root folder: empty in the first one, which is where reading begins. */
export function documentsFolder(ordinal: number): string {
  return ordinal === 1 ? '' : `part-${ordinal}/`
}

/** The name that a volume is downloaded under. */
export function downloadName(
  createdAt: string,
  volume: { number: number; content: string; original: ListedOriginal | null },
): string {
  const day = createdAt.slice(0, 10)
  if (volume.content !== 'file' || !volume.original) return `wellbeing-export-${day}-${volume.number}.zip`
  const path = pathOfOriginal(volume.original, '')
  return `wellbeing-export-${day}-${volume.number}-${path.split('/').slice(-2).join('-')}`
}
