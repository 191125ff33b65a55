/** Resolves after so many milliseconds: awaited beside work that must not be timed from outside. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
