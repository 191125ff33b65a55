import process from 'node:process'
import { meter } from '../../harness/measuring/meter.ts'

/** Runs in Deno: starts the function of the given module until it listens, and prints what that cost. */
const read = meter()
const [module = ''] = process.argv.slice(2)
await import(module)
console.log(JSON.stringify(read()))
process.exit()
