import { describe, expect, inject, test } from 'vitest'
import { serviceClient, withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')
const BUCKET = 'university-files'

/** Stores so many objects in a folder of their own, and returns their names. */
async function storedObjects(count: number): Promise<string[]> {
  const folder = `northfield/shared/${crypto.randomUUID()}`
  const names = Array.from({ length: count }, (_, index) => `${folder}/${index}, an invented file's name.txt`)
  for (const name of names) {
    const { error } = await serviceClient(project)
      .storage.from(BUCKET)
      .upload(name, 'Invented.', { contentType: 'text/plain' })
    if (error) throw error
  }
  return names
}

/** Of these objects, those that Storage still serves, and those that wait for their removal. */
async function left(names: string[]): Promise<{ served: number; queued: number }> {
  const served = await Promise.all(
    names.map((name) => serviceClient(project).storage.from(BUCKET).exists(name)),
  )
  const [row] = await withDatabase(
    project,
    (sql) => sql<[{ queued: number }]>`
      select count(*)::integer as queued from private.object_removals where name = any (${names})`,
  )
  return { served: served.filter(({ data }) => data).length, queued: row.queued }
}

describe('an object that is queued for removal', () => {
  test('is removed from Storage, and then forgotten', async () => {
    const [kept = '', ...removed] = await storedObjects(4)
    await withDatabase(
      project,
      (sql) =>
        sql`select private.queue_object_removal(${BUCKET}, name, 'test') from unnest(${removed}::text[]) name`,
    )
    await expect.poll(() => left(removed)).toEqual({ served: 0, queued: 0 })
    expect(await left([kept])).toEqual({ served: 1, queued: 0 })
  })

  test('is removed although the worker was lost in the middle of an attempt', async () => {
    const removed = await storedObjects(2)
    // As a worker leaves it that claimed and died: the lease has run out.
    await withDatabase(
      project,
      (sql) => sql`
        insert into private.object_removals (bucket, name, reason, attempts, claim, next_attempt_at)
        select ${BUCKET}, name, 'test', 1, gen_random_uuid(), now() from unnest(${removed}::text[]) name`,
    )
    await expect.poll(() => left(removed)).toEqual({ served: 0, queued: 0 })
  })
})
