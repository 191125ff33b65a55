import { expect, inject, test } from 'vitest'
import { MAX_IMAGE_BYTES } from '../../../functions/_shared/checkins/media.ts'
import type { Upload } from '../../../functions/_shared/checkins/start.ts'
import { call } from '../../../harness/client/call.ts'
import { faces, start, uploadMedium } from '../../../harness/factories/check-ins.ts'
import { newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

/** Sends a plain body in chunks, whose length Storage is not told. */
async function sendInChunks({ signed_url }: Upload, bytes: Uint8Array<ArrayBuffer>) {
  const request = {
    method: 'PUT',
    headers: { 'content-type': 'image/jpeg', 'x-upsert': 'true' },
    body: new Blob([bytes]).stream(),
    duplex: 'half',
  }
  const response = await fetch(signed_url, request)
  const { statusCode = '200', message }: { statusCode?: string; message?: string } = await response.json()
  return { statusCode, message }
}

const sizesOf = (folder: string) =>
  withDatabase(
    project,
    (sql) => sql`
      select split_part(name, '/', 3) as name, (metadata ->> 'size')::integer as size
      from storage.objects where bucket_id = 'check-in-images' and name like ${`${folder}/%`} order by name`,
  )

test('an upload in chunks is held to its bucket’s limit, and one that is over it leaves nothing behind', async () => {
  const student = await newStudent(project, ['camera'])
  const started = await start(project, student)
  const [first, second] = started.uploads.images
  if (!first || !second) throw new Error('There are no upload addresses')
  const tooLarge = new Uint8Array(MAX_IMAGE_BYTES + 1)
  expect(await sendInChunks(first, tooLarge)).toEqual({
    statusCode: '403',
    message: 'The object is larger than its bucket takes.',
  })
  expect(await sendInChunks(second, tooLarge.subarray(1))).toMatchObject({ statusCode: '200' })
  const folder = `${student.id}/${started.id}`
  expect(await sizesOf(folder)).toEqual([{ name: 'image-02', size: MAX_IMAGE_BYTES }])
  const completed = await call(project, student.token, 'POST', `checkins/${started.id}/complete`, {})
  expect(completed).toMatchObject({ status: 400, body: { code: 'image_count', details: { found: 1 } } })
})

test('one that is over the limit leaves what was there before', async () => {
  const student = await newStudent(project, ['camera'])
  const started = await start(project, student)
  const [upload] = started.uploads.images
  const [face] = await faces()
  if (!upload || !face) throw new Error('There is no upload address')
  await uploadMedium(student, upload, face)
  expect(await sendInChunks(upload, new Uint8Array(MAX_IMAGE_BYTES + 1))).toMatchObject({ statusCode: '403' })
  const folder = `${student.id}/${started.id}`
  expect(await sizesOf(folder)).toEqual([{ name: 'image-01', size: face.bytes.length }])
  const { data } = await student.client.storage.from(upload.bucket).download(upload.path)
  expect(data?.size).toBe(face.bytes.length)
})
