/** Private bucket of recordings and stills. */
export const MEDIA_BUCKET = 'check-in-media'
export const MIN_IMAGES = 8
export const MAX_IMAGES = 12
export const MAX_AUDIO_BYTES = 50 * 1024 * 1024
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024

/** Content types that an upload may be sent with; the bytes decide what it is. */
export const AUDIO_CONTENT_TYPES = [
  'audio/mp4',
  'audio/x-m4a',
  'audio/webm',
  'audio/ogg',
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
]
export const IMAGE_CONTENT_TYPES = ['image/jpeg', 'image/png']

/** Folder of one check-in's media. */
export function mediaFolder(userId: string, checkInId: string): string {
  return `${userId}/${checkInId}`
}

/** Names of the media in the folder of a check-in: `audio`, and `image-01` to `image-12`. */
export const AUDIO_NAME = 'audio'
export const IMAGE_NAMES = Array.from(
  { length: MAX_IMAGES },
  (_, index) => `image-${String(index + 1).padStart(2, '0')}`,
)
