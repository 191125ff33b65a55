import type { WriteStream } from 'node:tty'
import type { Progress } from './mobile-client.ts'

/** Shows the progress of a check-in: one line that grows in a terminal, a line a step elsewhere. */
export function showProgress(stream: NodeJS.WriteStream | WriteStream): (progress: Progress) => void {
  return ({ status, progress }) => {
    const filled = Math.round(progress * 30)
    const line = `  [${'#'.repeat(filled)}${' '.repeat(30 - filled)}] ${(progress * 100).toFixed(0).padStart(3)} %  ${status}`
    stream.write(stream.isTTY ? `\r${line.padEnd(60)}${progress === 1 ? '\n' : ''}` : `${line}\n`)
  }
}
