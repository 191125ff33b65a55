import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileKey, folder, isFileKey } from '../../../functions/_shared/files/keys.ts'

const id = '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11'
const place = { university: 'northfield', student: null, folder: [], id, name: 'plan.pdf', extension: 'pdf' }

describe('the key of a file', () => {
  test('stands in the folder of the university, or of the student', () => {
    expect(fileKey({ ...place, folder: ['a', 'b'] })).toBe(`northfield/shared/a/b/${id}-plan.pdf`)
    expect(fileKey({ ...place, student: 'me' })).toBe(`northfield/students/me/${id}-plan.pdf`)
  })

  test.each([
    ['Übersicht für März.pdf', 'Ubersicht-fur-Marz'],
    ['U\u0308bersicht fu\u0308r Ma\u0308rz.PDF', 'Ubersicht-fur-Marz'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\plans\\week 1.docx', 'week-1'],
    ['report.v2.final.pdf', 'report.v2.final'],
    ['a..b....pdf', 'a.b'],
    ['成绩单.pdf', 'file'],
    ['.htaccess', 'file'],
    ['', 'file'],
    ['x?y#z%2e%2e&w.pdf', 'x-y-z-2e-2e-w'],
    ['evil.html', 'evil'],
    [`${'n'.repeat(500)}.pdf`, 'n'.repeat(80)],
  ])('has of the name %s what is safe', (name, safe) => {
    expect(fileKey({ ...place, name })).toBe(`northfield/shared/${id}-${safe}.pdf`)
  })

  test('is one that Storage takes and that is known again, whatever the names', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        (name, path) => {
          const levels = folder.safeParse(path)
          const key = fileKey({ ...place, name, folder: levels.success ? levels.data : [] })
          // What Storage allows in the name of an object (storage-api, src/storage/limits.ts).
          expect(key).toMatch(/^[\w/!\-.*'() &$@=;:+,?]{1,1024}$/)
          expect(isFileKey(key, 'northfield')).toBe(true)
          expect(key.startsWith('northfield/shared/')).toBe(true)
          expect(key).not.toContain('..')
        },
      ),
      { numRuns: 2000 },
    )
  })
})

describe('a folder', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['/', []],
    ['guides', ['guides']],
    ['/guides//Erstes Jahr/', ['guides', 'Erstes-Jahr']],
    ['a.b', ['a.b']],
  ])('%s is made safe', (path, levels) => {
    expect(folder.parse(path)).toEqual(levels)
  })

  test.each(['..', 'a/../b', './a', 'a/...', 'a\0b', 'a\nb', '成绩', 'a/b/c/d/e/f/g/h/i', 'x'.repeat(201)])(
    '%j is rejected',
    (path) => {
      expect(folder.safeParse(path).success).toBe(false)
    },
  )
})

test.each([
  'eastbrook/shared/a.pdf',
  'northfield',
  'northfield/',
  'northfield/../eastbrook/shared/a.pdf',
  'northfield//a.pdf',
  'northfield/shared/../../eastbrook/a.pdf',
  'northfield/shared/./a.pdf',
  'northfield/shared/%2e%2e/a.pdf',
  'northfield/shared/100%.pdf',
  'northfield/shared/a\\b.pdf',
  'northfield/shared/a#b.pdf',
  'northfield/shared/[1].pdf',
  'northfield/shared/Größe.pdf',
  '/northfield/shared/a.pdf',
])('%s is no key of Northfield', (key) => {
  expect(isFileKey(key, 'northfield')).toBe(false)
})

test.each([
  'northfield/shared/First week (2).pdf',
  "northfield/students/me/Ada's notes.txt",
  'northfield/shared/a+b & c=d, e; f: g@h!.pdf',
  'northfield/shared/what?.pdf',
  'northfield/shared/.hidden',
])('%s is one that Storage takes from an app', (key) => {
  expect(isFileKey(key, 'northfield')).toBe(true)
})
