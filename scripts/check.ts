import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

const [colors, pretty] = process.stdout.isTTY ? ['force', 'true'] : ['off', 'false']
/** The compiler has one checker: each of more would check the types of the libraries again. */
const CHECKS = [
  `biome check --error-on-warnings --colors=${colors}`,
  `tsc --checkers 1 --pretty ${pretty}`,
  // The package first: the app uses it as it stands.
  `tsc -p client --noEmit --pretty ${pretty} && tsc -p apps/student --pretty ${pretty} && tsc -p apps/staff --pretty ${pretty}`,
  'npm run --silent check:functions',
]

/** Runs a command to its end, and prints all that it said at once. Returns whether it found no fault. */
async function passes(command: string): Promise<boolean> {
  const child = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  process.stdout.write(await text(child.stdout))
  const [code] = await closed
  return code === 0
}

/** `npm run check`: format and lint, types, and the functions as Deno reads them, all at once. */
const results = await Promise.all(CHECKS.map(passes))
process.exitCode = results.every(Boolean) ? 0 : 1
