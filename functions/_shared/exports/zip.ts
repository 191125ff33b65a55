import { makeZip } from 'client-zip'

/** A file of a zip; a stream is read when it is reached. */
export type ZipFile = { name: string; input: string | ReadableStream<Uint8Array>; lastModified: Date }

/**
 * A zip as a stream: nothing is compressed, because recordings and images are already, and nothing is held but the piece that
 * is passing, so that its memory is that of one piece.
 */
export function zipOf(files: AsyncIterable<ZipFile>): ReadableStream<Uint8Array> {
  return makeZip(files)
}
