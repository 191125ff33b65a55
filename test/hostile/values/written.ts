import { type Bytes, utf8 } from '../bytes.ts'
import type { Family, HostileValue } from './value.ts'

/** A value as the bytes that stand in a request. */
export type Written = { family: Family; bytes: Bytes }

/** Where text stands: in headers, forms and files. */
export function asText(values: readonly HostileValue[]): Written[] {
  return values.flatMap((value) => {
    const bytes = bytesOf(value)
    return bytes === null ? [] : [{ family: value.family, bytes }]
  })
}

/** Where JSON stands: texts in their quotes, the rest as it is. */
export function asJson(values: readonly HostileValue[]): Written[] {
  return values.flatMap((value) => {
    const bytes = bytesOf(value)
    if (bytes === null) return []
    if ('text' in value) return [{ family: value.family, bytes: utf8(JSON.stringify(value.text)) }]
    return [{ family: value.family, bytes: 'bytes' in value ? `"${bytes}"` : bytes }]
  })
}

function bytesOf(value: HostileValue): Bytes | null {
  if ('bytes' in value) return value.bytes
  if ('text' in value) return utf8(value.text)
  return 'json' in value ? utf8(value.json) : null
}
