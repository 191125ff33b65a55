/**
 * Bytes as text, one character of U+0000 to U+00FF a byte: requests are put together of it, because a hostile one need
 * not be text in any encoding.
 */
export type Bytes = string

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Bytes {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** As a part of an address: every byte but letters, digits and `-._~` as `%xx`. */
export function percentEncoded(bytes: Bytes): Bytes {
  return bytes.replace(
    /[^A-Za-z0-9._~-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
}
