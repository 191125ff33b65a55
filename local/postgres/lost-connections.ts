/**
 * Keeps the process alive through a fault of `postgres` 3.4.9: when the server dies while a transaction begins, the
 * library writes to the lost socket from a timer, where nobody can catch it. The statement itself is rejected as it
 * should be. Any other uncaught error ends the process as usual.
 */
export function surviveLostConnections(): void {
  process.on('uncaughtException', (error) => {
    const harmless = error instanceof TypeError && error.stack?.includes('nextWrite')
    if (harmless) return
    console.error(error)
    process.exit(1)
  })
}
