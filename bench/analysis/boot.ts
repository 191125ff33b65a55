import { readFileSync } from 'node:fs'
import process from 'node:process'

/** Runs in Deno: starts the function of the given module until it listens, and prints what that cost. */
const [module = ''] = process.argv.slice(2)
await import(module)
const { user, system } = process.cpuUsage()
const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))
console.log(
  JSON.stringify({
    cpuS: (user + system) / 1e6,
    wallS: performance.now() / 1000,
    peakMb: Number(peak?.[1]) / 1024,
  }),
)
process.exit()
