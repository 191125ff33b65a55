/** Contours travel between jobs as JSON: little-endian integers on a fixed scale, in base64. */
export interface Scale {
  bytes: 1 | 2 | 4
  /** The value that 0 stands for, and the step between neighbours. */
  lowest: number
  step: number
}

export function pack(values: ArrayLike<number>, { bytes, lowest, step }: Scale): string {
  const view = new DataView(new ArrayBuffer(values.length * bytes))
  const highest = 2 ** (8 * bytes) - 1
  for (let i = 0; i < values.length; i++) {
    const level = Math.round(((values[i] ?? 0) - lowest) / step)
    const clipped = Math.max(0, Math.min(highest, Number.isFinite(level) ? level : 0))
    if (bytes === 1) view.setUint8(i, clipped)
    else if (bytes === 2) view.setUint16(2 * i, clipped, true)
    else view.setUint32(4 * i, clipped, true)
  }
  return encodeBase64(new Uint8Array(view.buffer))
}

export function unpack(packed: string, { bytes, lowest, step }: Scale): Float64Array {
  const data = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0))
  const view = new DataView(data.buffer)
  return Float64Array.from({ length: Math.floor(data.length / bytes) }, (_, i) => {
    const level =
      bytes === 1 ? view.getUint8(i) : bytes === 2 ? view.getUint16(2 * i, true) : view.getUint32(4 * i, true)
    return lowest + level * step
  })
}

function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}
