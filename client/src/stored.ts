/** What was stored as JSON on the device; null where nothing was, or something else has been written there. */
export function readStored<Value>(
  text: string | null,
  isValue: (stored: unknown) => stored is Value,
): Value | null {
  try {
    const stored: unknown = JSON.parse(text ?? 'null')
    return isValue(stored) ? stored : null
  } catch {
    return null
  }
}
