import { probeRecording } from '../audio/probe.ts'
import { AudioError, type MediaSource, type RecordingInfo } from '../audio/recording.ts'
import { ServiceError } from '../errors.ts'
import { MAX_IMAGES, MIN_IMAGES } from '../visual/groups.ts'
import {
  HEADER_BYTES,
  HeaderNotReached,
  type ImageInfo,
  inspectImage,
  MAX_HEADER_BYTES,
} from '../visual/inspect-image.ts'
import { ImageError } from '../visual/outcome.ts'
import { AUDIO_NAME, IMAGE_NAMES, type ListedObject, MAX_AUDIO_BYTES, MAX_IMAGE_BYTES } from './media.ts'

/** An uploaded object, read in ranges. */
export type UploadedObject = MediaSource & { etag: string }

type Medium = { name: string; ordinal: number; etag: string; bytes: number }

/** An uploaded medium with what its header says. */
type InspectedMedium =
  | (Medium & { kind: 'audio'; info: RecordingInfo })
  | (Medium & { kind: 'image'; info: ImageInfo })

/**
 * Inspects what was uploaded, reading headers only, and rejects what no analysis could use.
 *
 * `listed` are the objects in the check-in's folder; `use` says which kinds the student has consented to (uploads of
 * another kind are ignored). No images are no error: some, but too few or too many, throw `image_count`. Throws also the code of the first
 * unusable medium, with its name in `details.file` beside what else is known of the error, such as `details.format`.
 */
export async function inspectMedia(given: {
  listed: ListedObject[]
  use: { audio: boolean; images: boolean }
  open(name: string): Promise<UploadedObject | null>
}): Promise<InspectedMedium[]> {
  const names = given.listed.map(({ name }) => name)
  const images = given.use.images ? names.filter((name) => name !== AUDIO_NAME).sort() : []
  const unexpected = images.filter((name) => !IMAGE_NAMES.includes(name))
  if (
    images.length > 0 &&
    (images.length < MIN_IMAGES || unexpected.length > 0 || images.length > MAX_IMAGES)
  ) {
    throw new ServiceError('image_count', imageCountMessage(images.length), {
      found: images.length,
      min: MIN_IMAGES,
      max: MAX_IMAGES,
    })
  }
  const hasAudio = given.use.audio && names.includes(AUDIO_NAME)
  for (const { name, size } of given.listed) {
    if (size === 0 && (name === AUDIO_NAME ? hasAudio : images.includes(name))) throw empty(name)
  }
  const inspection = { open: given.open, inTurn: oneAtATime() }
  return Promise.all([
    ...(hasAudio ? [inspectOne(AUDIO_NAME, 'audio', 0, inspection)] : []),
    ...images.map((name, ordinal) => inspectOne(name, 'image', ordinal, inspection)),
  ])
}

function imageCountMessage(found: number): string {
  const way = found < MIN_IMAGES ? `Upload ${MIN_IMAGES - found} more` : 'Send fewer'
  return `A check-in has ${MIN_IMAGES} to ${MAX_IMAGES} images or none; there are ${found}. ${way}, or complete it without images: name what is to be scored in media, such as ["audio"].`
}

interface Inspection {
  open(name: string): Promise<UploadedObject | null>
  /** Runs what takes much memory. */
  inTurn: InTurn
}

async function inspectOne(
  name: string,
  kind: 'audio' | 'image',
  ordinal: number,
  { open, inTurn }: Inspection,
): Promise<InspectedMedium> {
  const object = await open(name)
  if (!object)
    throw new ServiceError('nothing_uploaded', `${name} was not uploaded completely. Upload it again.`)
  if (object.size > (kind === 'audio' ? MAX_AUDIO_BYTES : MAX_IMAGE_BYTES)) throw tooLarge(name, kind)
  try {
    const medium = { name, ordinal, etag: object.etag, bytes: object.size }
    if (kind === 'audio') return { ...medium, kind, info: await probeRecording(object) }
    return { ...medium, kind, info: await inspectBeginning(object, inTurn) }
  } catch (error) {
    if (error instanceof AudioError || error instanceof ImageError) {
      throw new ServiceError(error.code, `${name}: ${error.message}`, { ...error.details, file: name })
    }
    throw error
  }
}

/** Reads on where metadata take more than the beginning: one image at a time, so that twelve such take the memory of one. */
async function inspectBeginning(image: UploadedObject, inTurn: InTurn): Promise<ImageInfo> {
  const inspectFirst = async (bytes: number) =>
    inspectImage(await image.read(0, Math.min(bytes, image.size)), image.size)
  try {
    return await inspectFirst(HEADER_BYTES)
  } catch (error) {
    if (!(error instanceof HeaderNotReached)) throw error
    return await inTurn(() => inspectFirst(MAX_HEADER_BYTES))
  }
}

type InTurn = <T>(run: () => Promise<T>) => Promise<T>

/** Runs what it is given one after the other, whatever becomes of those before. */
function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (run) => {
    const next = last.then(run)
    last = next.catch(() => undefined)
    return next
  }
}

/** Whatever Storage has accepted: it does not count the bytes of an upload that announces no length. */
function tooLarge(name: string, kind: 'audio' | 'image'): ServiceError {
  const [code, message, max_bytes] =
    kind === 'audio'
      ? (['audio_too_long', 'The recording is over 50 MB.', MAX_AUDIO_BYTES] as const)
      : (['image_too_large', 'The image is over 10 MB.', MAX_IMAGE_BYTES] as const)
  return new ServiceError(code, `${name}: ${message}`, { file: name, max_bytes })
}

/** Known from the listing, because Storage cannot serve a range of an empty object. */
function empty(name: string): ServiceError {
  const code = name === AUDIO_NAME ? 'audio_empty' : 'image_empty'
  return new ServiceError(code, `${name}: the file has no bytes. Upload it again.`, { file: name })
}
