import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_FILE_BYTES } from '../../../functions/_shared/files/bucket.ts'
import { boundaryOf, formParts } from '../../../functions/_shared/http/form.ts'
import { fileAndFields } from '../../../functions/api/storage.ts'
import { bytesOf, joined } from './samples.ts'

const B = 'b0undary'
const partsOf = (text: string) => formParts(bytesOf(text, 'latin1'), B)
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

/** A form as the platform's own `fetch` sends it. */
async function sent(form: FormData) {
  const request = new Request('http://127.0.0.1', { method: 'POST', body: form })
  const boundary = boundaryOf(request.headers.get('content-type')) ?? ''
  return formParts(new Uint8Array(await request.arrayBuffer()), boundary)
}

describe('a form', () => {
  test('that fetch sends comes apart into its parts', async () => {
    const form = new FormData()
    form.append('university_id', 'northfield')
    form.append(
      'file',
      new File([new Uint8Array([13, 10, 45, 45, 0, 255])], 'ein "Bild" ü.png', { type: 'image/PNG' }),
    )
    form.append('folder', '')
    const [id, file, folder] = await sent(form)
    expect([id?.name, text(id?.bytes ?? bytesOf('')), id?.fileName]).toEqual([
      'university_id',
      'northfield',
      undefined,
    ])
    expect(file).toMatchObject({ name: 'file', fileName: 'ein "Bild" ü.png', contentType: 'image/png' })
    expect([...(file?.bytes ?? [])]).toEqual([13, 10, 45, 45, 0, 255])
    expect(folder?.bytes.length).toBe(0)
  })

  test('comes apart whatever its files hold', async () => {
    const content = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom(bytesOf('\r\n--'), bytesOf('\r\n\r\n'), bytesOf('\r')),
      ),
    )
    await fc.assert(
      fc.asyncProperty(content.map(joined), fc.string({ unit: 'grapheme' }), async (bytes, field) => {
        const form = new FormData()
        form.append('file', new File([bytes], 'a'))
        form.append('field', field)
        const [file, other] = await sent(form)
        expect(Buffer.compare(file?.bytes ?? bytesOf('?'), bytes)).toBe(0)
        expect(text(other?.bytes ?? bytesOf('?'))).toBe(field.toWellFormed().replace(/\r\n|\r|\n/g, '\r\n'))
      }),
    )
  })

  test('that curl sends, and one with a preamble and white space, come apart', () => {
    const curl = `--${B}\r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\".txt"\r\nContent-Type: text/plain; charset=x\r\n\r\nhello\r\n--${B}--\r\n`
    expect(partsOf(curl)).toMatchObject([{ fileName: 'a "b".txt', contentType: 'text/plain' }])
    expect(
      partsOf(`preamble\r\n--${B} \t\r\ncontent-disposition:form-data; NAME="a"\r\n\r\n1\r\n--${B}--`),
    ).toMatchObject([{ name: 'a', fileName: undefined, contentType: undefined }])
    expect(partsOf(`--${B}--\r\n`)).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['no boundary', 'hello'],
    ['another boundary', '--other\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--other--'],
    ['no end', `--${B}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1`],
    ['an end within the headers', `--${B}\r\nContent-Disposition: form-data; na`],
    ['a boundary that goes on', `--${B}x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${B}--`],
    ['a part without a name', `--${B}\r\nContent-Disposition: form-data\r\n\r\n1\r\n--${B}--`],
    ['a part without headers', `--${B}\r\n\r\n1\r\n--${B}--`],
    [
      'endless headers',
      `--${B}\r\nx: ${'x'.repeat(9000)}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--${B}--`,
    ],
    [
      'too many parts',
      `${`--${B}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`.repeat(21)}--${B}--`,
    ],
  ])('with %s is rejected', (_, form) => {
    expect(() => partsOf(form)).toThrow(expect.objectContaining({ code: 'invalid_form' }))
  })

  test('is rejected or comes apart, whatever was sent', () => {
    const piece = fc.constantFrom(
      `--${B}`,
      '\r\n',
      '--',
      ': ',
      'Content-Disposition: form-data; name="file"',
      '; filename="',
      '"',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          expect(Array.isArray(partsOf(pieces.join('')))).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_form' })
        }
      }),
      { numRuns: 5000 },
    )
  })
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b:c"', 'a b:c'],
  ['multipart/form-data', null],
  ['multipart/mixed; boundary=abc', null],
  ['application/json', null],
  [null, null],
])('the boundary of %s is %s', (contentType, boundary) => {
  expect(boundaryOf(contentType)).toBe(boundary)
})

describe('an upload', () => {
  const file = (bytes = bytesOf('x'), fileName: string | undefined = 'a.txt', name = 'file') => ({
    name,
    fileName,
    contentType: undefined,
    bytes,
  })
  const field = (name: string, value: string) => ({
    ...file(bytesOf(value), undefined, name),
    fileName: undefined,
  })

  test('is its file and its fields', () => {
    expect(fileAndFields([field('university_id', 'northfield'), file(), field('folder', 'é')])).toEqual({
      file: { name: 'a.txt', declaredType: undefined, bytes: bytesOf('x') },
      fields: { university_id: 'northfield', folder: 'é' },
    })
  })

  test.each([
    ['no file', [field('university_id', 'northfield')], 'invalid_parameters'],
    ['a text in place of the file', [field('file', 'x')], 'invalid_parameters'],
    ['a field in which nothing was chosen', [file(bytesOf(''), '')], 'invalid_parameters'],
    ['two files', [file(), file()], 'invalid_parameters'],
    ['a file in another field', [file(), file(bytesOf('x'), 'b.txt', 'folder')], 'invalid_parameters'],
    ['a field twice', [file(), field('folder', 'a'), field('folder', 'b')], 'invalid_parameters'],
    [
      'a field that is not UTF-8',
      [file(), { ...field('folder', ''), bytes: new Uint8Array([0xff]) }],
      'invalid_parameters',
    ],
    ['an empty file', [file(bytesOf(''))], 'file_empty'],
    ['a file over 50 MB', [file(new Uint8Array(MAX_FILE_BYTES + 1))], 'body_too_large'],
  ])('with %s is rejected', (_, parts, code) => {
    expect(() => fileAndFields(parts)).toThrow(expect.objectContaining({ code }))
  })
})
