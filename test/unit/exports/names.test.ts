import fc from 'fast-check'
import { expect, test } from 'vitest'
import { downloadName, pathOfOriginal } from '../../../functions/_shared/exports/names.ts'

const PERSON = '5b0f2d0e-0d0c-4c0e-9d6e-0f6d1d7a1c11'
const original = (name: string, type: string | null) => ({ bucket: 'b', name, bytes: 1, type })

test('an original lies in a folder of its bucket, with an extension', () => {
  expect(pathOfOriginal(original(`${PERSON}/one/audio`, 'audio/mp4'), PERSON)).toBe('media/b/one/audio.m4a')
  expect(pathOfOriginal(original(`home/students/${PERSON}/a.pdf`, 'application/pdf'), PERSON)).toBe(
    'media/b/home/students/a.pdf',
  )
})

test('no name leads out of the folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('.', '/', '\\', 'a', '\0', ':', ' ') }), (name) => {
      const levels = pathOfOriginal(original(name, null), PERSON).split('/')
      expect(levels.slice(0, 2)).toEqual(['media', 'b'])
      for (const level of levels.slice(2)) expect(level).toMatch(/^(?![. ]+$)[^\\\0:]+$/)
    }),
  )
})

test('a download says what it is', () => {
  const at = '2026-11-22T10:00:00Z'
  expect(downloadName(at, { number: 2, content: 'media', original: null })).toBe(
    'wellbeing-export-2026-11-22-2.zip',
  )
  const large = original('x/one/audio', 'audio/wav')
  expect(downloadName(at, { number: 3, content: 'file', original: large })).toBe(
    'wellbeing-export-2026-11-22-3-one-audio.wav',
  )
})
