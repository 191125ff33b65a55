/** What a log line may hold: identifiers, codes, counts and durations; never a person's data. */
export type LogFields = Record<string, string | number | boolean | null | undefined>

/** Writes one line of JSON. */
export function log(level: 'info' | 'warn' | 'error', event: string, fields: LogFields = {}): void {
  const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...fields })
  if (level === 'error') console.error(line)
  else console.log(line)
}

/**
 * Names an unexpected error without its message, which could hold personal data: its class, its code where it has
 * one, and where it was thrown.
 */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return { error: error.name, code, at: frames[0]?.trim() }
}
