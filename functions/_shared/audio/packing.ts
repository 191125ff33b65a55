/** Contours travel between jobs as JSON: little-endian integers on a fixed scale, in base64. */
export interface Scale {
  bytes: 1 | 2
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
    else view.setUint16(2 * i, clipped, true)
  }
  return encodeBase64(new Uint8Array(view.buffer))
}

export function unpack(packed: string, { bytes, lowest, step }: Scale): Float64Array {
  const data = atob(packed)
  const values = new Float64Array(Math.floor(data.length / bytes))
  for (let i = 0; i < values.length; i++) {
    const level = bytes === 1 ? data.charCodeAt(i) : data.charCodeAt(2 * i) + 256 * data.charCodeAt(2 * i + 1)
    values[i] = lowest + level * step
  }
  return values
}

function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192))
  return btoa(text)
}

/** Seconds between neighbours that one integer of `packTimes` holds at most, and how finely. */
const TIME_STEP_S = 5e-7
const LONGEST_STEPS = 65535

/** Packs rising times, in seconds, as the steps between them; a long gap takes several integers. */
export function packTimes(times: number[]): string {
  const steps: number[] = []
  let reached = 0
  for (const time of times) {
    let ahead = Math.round(time / TIME_STEP_S) - reached
    reached += ahead
    for (; ahead >= LONGEST_STEPS; ahead -= LONGEST_STEPS) steps.push(LONGEST_STEPS)
    steps.push(ahead)
  }
  return pack(steps, { bytes: 2, lowest: 0, step: 1 })
}

export function unpackTimes(packed: string): number[] {
  const times: number[] = []
  let reached = 0
  for (const steps of unpack(packed, { bytes: 2, lowest: 0, step: 1 })) {
    reached += steps
    if (steps < LONGEST_STEPS) times.push(reached * TIME_STEP_S)
  }
  return times
}
