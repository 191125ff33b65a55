/**
 * Repairs `process.emitWarning`, which lite replaces with one that throws for warnings that are `Error` objects, such
 * as Node's own about too many listeners.
 */
export function repairWarnings(): void {
  const litesOwn = process.emitWarning
  process.emitWarning = (warning: string | Error, ...details: unknown[]) => {
    const forwarded =
      typeof warning === 'string'
        ? [warning, ...details]
        : [warning.stack ?? warning.message, { type: warning.name }]
    Reflect.apply(litesOwn, process, forwarded)
  }
}
