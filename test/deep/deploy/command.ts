import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/root.ts'
import type { HostedStage } from './hosted-stage.ts'

export type Ended = { code: number | null; output: string }

/**
 * Runs `npm run deploy` (or `doctor`, `smoke`) on a played stage to its end, or until what it prints matches: then it and
 * all that it started is killed at once.
 */
export function runOn(
  { env }: HostedStage,
  command: 'deploy' | 'doctor' | 'smoke',
  args: string[] = [],
  killAt?: RegExp,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'scripts', `${command}.ts`), '--stage', 'staging', ...args],
      { detached: true, stdio: ['ignore', 'pipe', 'pipe'], env },
    )
    let output = ''
    const heard = (text: string) => {
      output += text
      if (killAt?.test(output) && child.pid && child.exitCode === null && !child.killed) {
        child.kill('SIGKILL')
        // What it has started, such as the CLI.
        process.kill(-child.pid, 'SIGKILL')
      }
    }
    child.stdout.setEncoding('utf8').on('data', heard)
    child.stderr.setEncoding('utf8').on('data', heard)
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })
}
