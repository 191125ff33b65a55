/** How much is decoded at a time, characters; a multiple of four. */
const PIECE = 256 * 1024

/**
 * The bytes of base64, with or without a `data:…;base64,` prefix, whose content type is ignored; `null` for invalid
 * base64. Decodes in pieces, because three copies of an image would take too much memory.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const prefix = /^data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0] ?? ''
  const body = text.slice(prefix.length)
  const base64 = /\s/.test(body) ? body.replace(/\s/g, '') : body
  const bytes = new Uint8Array(Math.ceil(base64.length / 4) * 3)
  let size = 0
  for (let at = 0; at < base64.length; at += PIECE) {
    const binary = decodePiece(base64.slice(at, at + PIECE))
    if (binary === null) return null
    // Padding within the text ends a piece early: what follows it is not part of the image.
    if (at + PIECE < base64.length && binary.length < (PIECE / 4) * 3) return null
    for (let index = 0; index < binary.length; index++) bytes[size++] = binary.charCodeAt(index)
  }
  return bytes.subarray(0, size)
}

function decodePiece(base64: string): string | null {
  try {
    return atob(base64)
  } catch {
    return null
  }
}
