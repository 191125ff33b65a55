import { crc32, deflateSync } from 'node:zlib'
import { speech } from '../../../harness/factories/check-ins.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Bytes of a text, or of letters that stand for one byte each. */
export function bytesOf(text: string, encoding: 'utf8' | 'latin1' = 'utf8'): Bytes {
  return new Uint8Array(Buffer.from(text, encoding))
}

/** An image of one white pixel. */
export function png(): Bytes {
  const header = Buffer.from([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
  const signature = bytesOf('\x89PNG\r\n\x1a\n', 'latin1')
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.from([0, 255]))), chunk('IEND')]
  return joined([signature, ...chunks])
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Bytes {
  const body = joined([bytesOf(type), data])
  return joined([int32(data.length), body, int32(crc32(body))])
}

function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A document of one of Office's kinds. */
export function office(
  kind: 'wordprocessingml.document' | 'spreadsheetml.sheet' | 'presentationml.presentation',
): Bytes {
  const part = kind === 'wordprocessingml.document' ? 'word/document.xml' : 'part.xml'
  return zip({
    '[Content_Types].xml': `<?xml version="1.0"?><Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    [part]: '<a/>',
  })
}

/** An archive of stored, not compressed, texts. */
export function zip(files: Record<string, string>): Bytes {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const data = bytesOf(text)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(data), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(data.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = joined([bytesOf('PK\x03\x04', 'latin1'), common, bytesOf(name), data])
    const central = Buffer.alloc(14)
    central.writeUInt32LE(offset, 10)
    directory.push(bytesOf('PK\x01\x02', 'latin1'), Buffer.from([20, 0]), common, central, bytesOf(name))
    parts.push(local)
    offset += local.length
  }
  const listed = joined(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 4)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(offset, 12)
  return joined([...parts, listed, bytesOf('PK\x05\x06', 'latin1'), end])
}

/** The beginning of a film. */
export function mp4(): Bytes {
  return joined([int32(24), bytesOf('ftypisom'), int32(512), bytesOf('isommp42'), int32(8), bytesOf('mdat')])
}

/** One file of every type that is taken: its extension, its bytes, the type that is stored. */
export function taken(): [string, Bytes, string][] {
  return [
    ['jpg', bytesOf('\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01', 'latin1'), 'image/jpeg'],
    ['png', png(), 'image/png'],
    ['webp', bytesOf('RIFF\x1a\x00\x00\x00WEBPVP8L', 'latin1'), 'image/webp'],
    ['gif', bytesOf('GIF89a\x01\x00\x01\x00', 'latin1'), 'image/gif'],
    ['pdf', bytesOf('%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF'), 'application/pdf'],
    ['docx', office('wordprocessingml.document'), `${OFFICE}.wordprocessingml.document`],
    ['xlsx', office('spreadsheetml.sheet'), `${OFFICE}.spreadsheetml.sheet`],
    ['pptx', office('presentationml.presentation'), `${OFFICE}.presentationml.presentation`],
    ['mp3', speech('short.mp3').bytes, 'audio/mpeg'],
    ['m4a', speech('short.m4a').bytes, 'audio/mp4'],
    ['wav', speech('short.wav').bytes, 'audio/wav'],
    ['mp4', mp4(), 'video/mp4'],
    ['csv', bytesOf('week,mood\n1,7\n'), 'text/csv; charset=utf-8'],
    ['txt', bytesOf('Ünïcode: bring water and a book.\r\n'), 'text/plain; charset=utf-8'],
  ]
}

const OFFICE = 'application/vnd.openxmlformats-officedocument'

/** Pieces one after the other. */
export function joined(pieces: Uint8Array[]): Bytes {
  return new Uint8Array(Buffer.concat(pieces))
}
