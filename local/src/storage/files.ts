import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { errors } from './errors.ts'

/** Bytes that arrived completely and lie on disk, not yet an object's content. */
export interface ReceivedFile {
  /** Names the file on disk, and the object's `version` in the database. */
  version: string
  size: number
  md5: string
}

const versionPattern = /^[0-9a-f-]{36}$/

/**
 * Content of objects on disk, one file per version. Paths are made of versions only, never of what a client sent, and
 * a version never changes: an overwrite is a new file that the database row then points to.
 */
export class ObjectFiles {
  readonly #dir: string
  readonly #incoming: string
  /** Folder of uploads that arrive in several requests. */
  readonly partsDir: string

  private constructor(dir: string) {
    this.#dir = join(dir, 'objects')
    this.#incoming = join(dir, 'incoming')
    this.partsDir = join(dir, 'resumable')
  }

  static async open(dir: string): Promise<ObjectFiles> {
    const files = new ObjectFiles(dir)
    // What a process that died was receiving.
    await rm(files.#incoming, { recursive: true, force: true })
    await mkdir(files.#incoming, { recursive: true })
    await mkdir(files.#dir, { recursive: true })
    await mkdir(files.partsDir, { recursive: true })
    return files
  }

  #path(version: string): string {
    if (!versionPattern.test(version)) throw new Error(`not a version: ${version}`)
    return join(this.#dir, version.slice(0, 2), version)
  }

  /**
   * Writes a stream to disk, durably, under a new version. Whatever goes wrong, nothing stays.
   *
   * @param limit bytes; a longer stream is read to its end (the client could not read the response otherwise) and rejected
   * @throws StorageError when the stream is too long
   */
  async receive(chunks: AsyncIterable<Uint8Array>, limit: number): Promise<ReceivedFile> {
    const version = randomUUID()
    const incoming = join(this.#incoming, version)
    const hash = createHash('md5')
    let size = 0
    const file = await open(incoming, 'wx')
    try {
      for await (const chunk of chunks) {
        size += chunk.byteLength
        if (size > limit) continue
        hash.update(chunk)
        await file.write(chunk)
      }
      if (size > limit) throw errors.tooLarge()
      await file.sync()
      await file.close()
      const path = this.#path(version)
      await mkdir(join(path, '..'), { recursive: true })
      await rename(incoming, path)
    } catch (error) {
      await file.close().catch(() => {})
      await rm(incoming, { force: true })
      throw error
    }
    return { version, size, md5: hash.digest('hex') }
  }

  /** What lies at a path, whole, as a new version; it stays there too. */
  async adopt(path: string): Promise<ReceivedFile> {
    const hash = createHash('md5')
    let size = 0
    for await (const chunk of createReadStream(path)) {
      size += chunk.length
      hash.update(chunk)
    }
    return { version: await this.#link(path), size, md5: hash.digest('hex') }
  }

  /** The content, or the bytes `start` to `end` (both included) of it. */
  read(version: string, range?: { start: number; end: number }): ReadableStream<Uint8Array> {
    // @ts-expect-error the DOM type of a stream differs from node's by a detail that fetch does not need
    return Readable.toWeb(createReadStream(this.#path(version), range))
  }

  /** The same content as a new version. */
  copy(version: string): Promise<string> {
    return this.#link(this.#path(version))
  }

  async #link(from: string): Promise<string> {
    const version = randomUUID()
    const path = this.#path(version)
    await mkdir(join(path, '..'), { recursive: true })
    await link(from, path)
    return version
  }

  async remove(version: string | null): Promise<void> {
    if (version !== null && versionPattern.test(version)) await rm(this.#path(version), { force: true })
  }

  /** Every version on disk. */
  async *versions(): AsyncGenerator<string> {
    for (const folder of await readdir(this.#dir)) yield* await readdir(join(this.#dir, folder))
  }
}
