import { expect, test } from 'vitest'
import { inspectMedia } from '../../../functions/_shared/checkins/inspect.ts'
import {
  AUDIO_NAME,
  IMAGE_NAMES,
  MAX_AUDIO_BYTES,
  MAX_IMAGE_BYTES,
  MIN_IMAGES,
} from '../../../functions/_shared/checkins/media.ts'

const images = IMAGE_NAMES.slice(0, MIN_IMAGES)

/** Inspects media of these sizes, whose content nobody may read. */
const inspect = (names: string[], size: number) =>
  inspectMedia({
    listed: names.map((name) => ({ name, size })),
    use: { audio: true, images: names === images },
    open: async () => ({
      size,
      etag: '"a"',
      read: async () => {
        throw new Error('read')
      },
    }),
  })

test.each([
  [[AUDIO_NAME], MAX_AUDIO_BYTES, 'audio_too_long'],
  [images, MAX_IMAGE_BYTES, 'image_too_large'],
])('%s over its limit is rejected unread, whatever Storage accepted', async (names, limit, code) => {
  await expect(inspect(names, limit + 1)).rejects.toMatchObject({ code, details: { file: names[0] } })
  await expect(inspect(names, limit)).rejects.toThrow('read')
})
