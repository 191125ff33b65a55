import { describe, expect, inject, test } from 'vitest'
import { faces, scored, speech, startWith } from '../../../harness/factories/check-ins.ts'
import {
  downloaded,
  exportedRows,
  exportOf,
  textOf,
  type Unpacked,
  unpacked,
} from '../../../harness/factories/exports.ts'
import { HOME, newStudent } from '../../../harness/factories/students.ts'
import { withDatabase } from '../../../harness/stack/project.ts'

const project = inject('project')

describe('an export', () => {
  test('holds every row and every original of the person, and a page to read', async () => {
    const student = await newStudent(project)
    const audio = speech('neutral.m4a')
    const images = await faces()
    const { id } = await startWith(project, student, { audio, images })
    const { score } = await scored(project, student, id, {
      transcript: 'I slept well, and I feel calm.',
      mood_score: 7,
    })
    const note = `${HOME}/students/${student.id}/note.txt`
    await student.client.storage
      .from('university-files')
      .upload(note, new Blob(['Mine.'], { type: 'text/plain' }))

    const exported = await exportOf(project, student)
    expect(exported).toMatchObject({ status: 'ready', progress: 1, include_name: false, error_code: null })
    expect(exported.volumes.map(({ content }) => content)).toEqual(['documents', 'media'])
    const zips = await downloaded(exported)
    expect(zips.map(({ length }) => length)).toEqual(exported.volumes.map(({ bytes }) => bytes))

    const files = unpacked(zips)
    const media = 'wellbeing-export/media'
    expect(files.get(`${media}/check-in-media/${id}/audio.m4a`)).toEqual(audio.bytes)
    expect(files.get(`${media}/check-in-images/${id}/image-08.jpg`)).toEqual(images[7]?.bytes)
    expect(textOf(files, `media/university-files/${HOME}/students/note.txt`)).toBe('Mine.')

    const rows = await exportedRows(exported)
    expect(rows('checkin.fusion_results')).toMatchObject([{ check_in_id: id, score }])
    expect(rows('private.check_in_inputs')).toMatchObject([{ mood_score: 7 }])
    expect(rows('auth.users')).toMatchObject([{ id: student.id, email: student.email }])
    expect(rows('auth.users')[0]).not.toHaveProperty('encrypted_password')

    expect(textOf(files, 'index.html')).not.toContain('<script')
    expectLinks(files, 'index.html')
  })

  test('goes on in another part where one would be too much, and leaves out nothing', async () => {
    const student = await newStudent(project, [])
    const ids = await withDatabase(
      project,
      (sql) => sql<{ id: string }[]>`
        insert into checkin.check_ins (user_id, type, status, created_at)
        select ${student.id}, 'daily', 'expired', now() - n * interval '1 hour' from generate_series(1, 251) as n
        returning id`,
    )
    const exported = await exportOf(project, student, { include_name: true })
    expect(exported.volumes.map(({ content }) => content)).toEqual(['documents', 'documents'])
    const rows = await exportedRows(exported)
    expect(
      rows('checkin.check_ins')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(ids.map(({ id }) => id).toSorted())
    expect(rows('public.profiles')).toHaveLength(1)
    const files = unpacked(await downloaded(exported))
    expectLinks(files, 'index.html')
    expectLinks(files, 'part-2/index.html')
  })
})

/** Every link of a page leads to a file of the export. */
function expectLinks(files: Unpacked, page: string): void {
  const links = [...textOf(files, page).matchAll(/href="(?!https?:|tel:)([^"]+)"/g)]
  expect(links.length).toBeGreaterThan(10)
  for (const [, link = ''] of links) {
    const { pathname } = new URL(link, `file:///wellbeing-export/${page}`)
    expect([...files.keys()]).toContain(decodeURI(pathname).slice(1))
  }
}
