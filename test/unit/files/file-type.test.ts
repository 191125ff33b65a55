import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EXTENSIONS, fileTypeOf } from '../../../functions/_shared/files/file-type.ts'
import { bytesOf, joined, office, png, taken, zip } from './samples.ts'

const typeOf = (bytes: Uint8Array<ArrayBuffer>, name = 'file', declaredType?: string) =>
  fileTypeOf({ name, declaredType, bytes })

const code = (result: Promise<unknown>) =>
  result.then(
    () => 'taken',
    (error) => error.code,
  )

describe('the type of a file', () => {
  test('has a sample for every one that is taken', () => {
    expect(
      taken()
        .map(([extension]) => extension)
        .sort(),
    ).toEqual([...EXTENSIONS].sort())
  })

  test.each(taken())('is detected for %s', async (extension, bytes, contentType) => {
    const name = extension === 'csv' ? 'moods.csv' : 'anything.exe'
    expect(await typeOf(bytes, name)).toEqual({ extension, contentType })
    expect(await typeOf(bytes, name, 'application/octet-stream')).toEqual({ extension, contentType })
    expect(await typeOf(bytes, name, contentType.split(';')[0])).toEqual({ extension, contentType })
  })

  test('is that of the bytes, not of the name', async () => {
    expect(await typeOf(png(), 'letter.pdf')).toEqual({ extension: 'png', contentType: 'image/png' })
    expect(await code(typeOf(bytesOf('MZ\x90\x00\x03', 'latin1'), 'holiday.jpg'))).toBe(
      'file_type_not_allowed',
    )
  })

  test.each([
    ['a picture declared to be a page', png(), 'text/html'],
    ['a picture declared to be a document', png(), 'application/pdf'],
    ['a document declared to be a table', office('wordprocessingml.document'), 'application/vnd.ms-excel'],
    ['a text declared to be a picture', bytesOf('I am a picture.'), 'image/png'],
    ['a text declared to be a program', bytesOf('alert(1)'), 'text/javascript'],
    ['a text declared to be a drawing', bytesOf('a drawing'), 'image/svg+xml'],
  ])('is rejected for %s', async (_, bytes, declared) => {
    expect(await code(typeOf(bytes, 'file', declared))).toBe('file_type_mismatch')
  })

  test.each([
    ['a page', '<!DOCTYPE html><title>x</title>'],
    ['a page without a type', '  \r\n<HTML><body>'],
    ['a page with a byte order mark', '\ufeff<html>'],
    ['a drawing', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'],
    ['a drawing after a comment', '<!-- x --><svg/>'],
    ['XML', '<?xml version="1.0"?><svg/>'],
    ['a program of a shell', '#!/bin/sh\necho'],
    ['a program of a page', '<script>alert(1)</script>'],
    ['a program of a server', '<?php echo 1;'],
    ['a text with NUL', 'a\0b'],
    ['a text with control characters', 'a\x1b[31mb'],
  ])('is none that is taken for %s', async (_, text) => {
    expect(await code(typeOf(bytesOf(text), 'notes.txt', 'text/plain'))).toBe('file_type_not_allowed')
  })

  test.each([
    ['an archive', zip({ 'a.txt': 'x' })],
    [
      'a document with macros',
      zip({
        '[Content_Types].xml':
          '<Override ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/>',
      }),
    ],
    ['a program', bytesOf('\x7fELF\x02\x01\x01\x00\x00', 'latin1')],
    ['text in Latin-1', bytesOf('caf\xe9', 'latin1')],
    ['text in UTF-16', bytesOf('\xff\xfea\x00b\x00', 'latin1')],
    ['a text that breaks off within a letter', bytesOf('caf\xc3', 'latin1')],
  ])('is none that is taken for %s', async (_, bytes) => {
    expect(await code(typeOf(bytes))).toBe('file_type_not_allowed')
  })

  test('is text also where the first letters are those of a signature', async () => {
    expect(await typeOf(bytesOf('BMI,mood\n21,7\n'), 'a.csv')).toMatchObject({ extension: 'csv' })
    expect(await typeOf(bytesOf('MZ is how a program begins.'))).toMatchObject({ extension: 'txt' })
  })

  test('is text also where a letter lies across the blocks it is read in', async () => {
    const long = bytesOf(`${'x'.repeat(64 * 1024 - 1)}é${'y'.repeat(64 * 1024)}`)
    expect(await typeOf(long)).toMatchObject({ extension: 'txt' })
    expect(await code(typeOf(joined([long, new Uint8Array([0xff])])))).toBe('file_type_not_allowed')
  })

  test('is detected or rejected, whatever the bytes', async () => {
    const begun = fc
      .tuple(
        fc.constantFrom(...taken().map(([, bytes]) => bytes.slice(0, 40))),
        fc.uint8Array({ maxLength: 200 }),
      )
      .map((pieces) => joined(pieces))
    const any = fc.uint8Array({ minLength: 1, maxLength: 300 }).map((bytes) => joined([bytes]))
    await fc.assert(
      fc.asyncProperty(fc.oneof(begun, any), async (bytes) => {
        expect(['taken', 'file_type_not_allowed', 'file_type_mismatch']).toContain(await code(typeOf(bytes)))
      }),
      { numRuns: 2000 },
    )
  })
})
