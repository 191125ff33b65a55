import type { Parameter } from 'postgres'
import type { Caller } from '../http/caller.ts'
import type { Announced, Content, UserMetadata } from './content.ts'
import { asCaller, assertAllowed, type Operation, type Sql, service, type Transaction } from './database.ts'
import { errors, StorageError } from './errors.ts'
import type { ObjectFiles } from './files.ts'

export interface ObjectMetadata {
  eTag: string
  size: number
  mimetype: string
  cacheControl: string
  lastModified: string
  contentLength: number
  httpStatusCode: number
}

export interface ObjectRow {
  id: string
  bucket_id: string
  name: string
  owner: string | null
  owner_id: string | null
  version: string
  metadata: ObjectMetadata
  user_metadata: UserMetadata | null
  created_at: string
  updated_at: string
  last_accessed_at: string
}

export interface ObjectRef {
  bucket: string
  key: string
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const ownerOf = (caller: Caller): string | null =>
  typeof caller.claims.sub === 'string' ? caller.claims.sub : null

function rowFor({ bucket, key }: ObjectRef, owner: string | null, version: string) {
  return {
    bucket_id: bucket,
    name: key,
    owner: owner && uuid.test(owner) ? owner : null,
    owner_id: owner,
    version,
  }
}

type Json = Parameter
type NewRow = ReturnType<typeof rowFor> & { metadata?: Json; user_metadata?: Json | null }

function insert(sql: Transaction, row: NewRow, upsert: boolean) {
  if (!upsert) return sql`insert into storage.objects ${sql(row)}`
  const { bucket_id: _bucket, name: _name, ...changes } = row
  return sql`
    insert into storage.objects ${sql(row)} on conflict (bucket_id, name) do update set ${sql(changes)}`
}

async function find(sql: Transaction, { bucket, key }: ObjectRef): Promise<ObjectRow> {
  const [row] = await sql<
    ObjectRow[]
  >`select * from storage.objects where bucket_id = ${bucket} and name = ${key}`
  if (!row) throw errors.notFound()
  return row
}

/** Objects in the database and on disk. What a caller may do is decided by the policies on `storage.objects`. */
export class Objects {
  readonly #sql: Sql
  readonly #files: ObjectFiles

  constructor(sql: Sql, files: ObjectFiles) {
    this.#sql = sql
    this.#files = files
  }

  /** The object, if the caller may read it. @throws StorageError */
  find(operation: Operation, object: ObjectRef): Promise<ObjectRow> {
    return asCaller(this.#sql, operation, (sql) => find(sql, object))
  }

  /**
   * Tries the write as the caller and undoes it; policies and triggers see as metadata what was announced.
   *
   * Source: `canUpload` in src/storage/uploader.ts of supabase/storage.
   *
   * @throws StorageError when a policy does not allow it or the key is taken
   */
  assertMayWrite(
    operation: Operation,
    object: ObjectRef,
    upsert: boolean,
    announced: Announced,
  ): Promise<void> {
    assertKey(object.key)
    const row = {
      ...rowFor(object, ownerOf(operation.caller), crypto.randomUUID()),
      metadata: this.#sql.json(JSON.parse(JSON.stringify(announced))),
    }
    return assertAllowed(this.#sql, operation, (sql) => insert(sql, row, upsert))
  }

  /** Makes received content the object's content. The permission was checked before the content arrived. */
  async commit(
    operation: Operation,
    object: ObjectRef,
    content: Content,
    owner: string | null,
    upsert: boolean,
  ) {
    const metadata = {
      eTag: `"${content.md5}"`,
      size: content.size,
      mimetype: content.mimeType,
      cacheControl: content.cacheControl,
      lastModified: new Date().toISOString(),
      contentLength: content.size,
      httpStatusCode: 200,
    }
    const row = {
      ...rowFor(object, owner, content.version),
      metadata: this.#sql.json(metadata),
      user_metadata: content.userMetadata ? this.#sql.json(content.userMetadata) : null,
    }
    try {
      const { id, replaced } = await asCaller(this.#sql, { ...operation, caller: service }, async (sql) => {
        const [previous] = await sql<{ version: string | null }[]>`
          select version from storage.objects where bucket_id = ${object.bucket} and name = ${object.key} for update`
        await insert(sql, row, upsert)
        return { id: (await find(sql, object)).id, replaced: previous?.version ?? null }
      })
      await this.#files.remove(replaced)
      return id
    } catch (error) {
      // When the database did not respond, the row may have been stored; the next start removes the content if it was not.
      if (!(error instanceof StorageError && error.statusCode === 544))
        await this.#files.remove(content.version)
      throw error
    }
  }

  /** Removes those of the keys that the caller may delete. */
  async remove(operation: Operation, bucket: string, keys: string[]): Promise<ObjectRow[]> {
    const removed = await asCaller(
      this.#sql,
      operation,
      (sql) => sql<ObjectRow[]>`
        delete from storage.objects where bucket_id = ${bucket} and name = any(${keys})
        returning id, bucket_id, name, owner, owner_id, version, metadata, user_metadata,
          created_at, updated_at, last_accessed_at`,
    )
    for (const { version } of removed) await this.#files.remove(version)
    return removed
  }

  /** Removes content that no object has, which a process that died between file and row left behind. */
  async removeOrphans(): Promise<void> {
    const rows = await this.#sql<
      { version: string }[]
    >`select version from storage.objects where version is not null`
    const known = new Set(rows.map(({ version }) => version))
    for await (const version of this.#files.versions())
      if (!known.has(version)) await this.#files.remove(version)
  }

  /** Renames an object; its content stays where it is. */
  move(operation: Operation, from: ObjectRef, to: ObjectRef): Promise<{ id: string }> {
    assertKey(to.key)
    return asCaller(this.#sql, operation, async (sql) => {
      await find(sql, from)
      const [moved] = await sql<{ id: string }[]>`
        update storage.objects set bucket_id = ${to.bucket}, name = ${to.key}
        where bucket_id = ${from.bucket} and name = ${from.key} returning id`
      if (!moved) throw errors.accessDenied('Access denied')
      return moved
    })
  }

  async copy(operation: Operation, from: ObjectRef, to: ObjectRef, upsert: boolean): Promise<string> {
    const source = await this.find(operation, from)
    const { metadata } = source
    await this.assertMayWrite(operation, to, upsert, metadata)
    const content = {
      version: await this.#files.copy(source.version),
      size: metadata.size,
      md5: metadata.eTag.replaceAll('"', ''),
      mimeType: metadata.mimetype,
      cacheControl: metadata.cacheControl,
      userMetadata: source.user_metadata ?? undefined,
    }
    return this.commit(operation, to, content, ownerOf(operation.caller), upsert)
  }
}

/** @throws StorageError unless the key has only the characters that the platform allows */
export function assertKey(key: string): void {
  if (key.length === 0 || key.length > 1024 || !/^[\w/!\-.*'() &$@=;:+,?]*$/.test(key))
    throw errors.invalidKey(key)
}
