const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const SPACE = 64
const PADDING = 65
const INVALID = 66

/** What each ASCII character stands for: 0 to 63, or one of the above. */
const VALUES = new Uint8Array(128).fill(INVALID)
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value
for (const space of '\t\n\f\r ') VALUES[space.charCodeAt(0)] = SPACE
VALUES['='.charCodeAt(0)] = PADDING

/**
 * The bytes of base64 (RFC 4648, section 4), with or without padding, ASCII spaces or a `data:…;base64,` prefix, whose content
 * type is ignored; `null` for invalid base64. Copies no text: taking millions of spaces out of it would exhaust the memory.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const start = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0].length ?? 0
  const bytes = new Uint8Array(Math.ceil(((text.length - start) * 3) / 4))
  let size = 0
  let characters = 0
  let padding = 0
  let bits = 0
  let waiting = 0
  for (let at = start; at < text.length; at++) {
    const value = VALUES[text.charCodeAt(at)] ?? INVALID
    if (value === SPACE) continue
    if (value === PADDING) {
      padding++
      continue
    }
    if (value === INVALID || padding > 0) return null
    characters++
    bits = ((bits << 6) | value) & 0xfff
    waiting += 6
    if (waiting < 8) continue
    waiting -= 8
    bytes[size++] = bits >> waiting
  }
  const isPadded = padding === 0 || (padding <= 2 && (characters + padding) % 4 === 0)
  return isPadded && characters % 4 !== 1 ? bytes.subarray(0, size) : null
}
