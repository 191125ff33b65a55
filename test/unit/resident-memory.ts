import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Resident memory of this process in MB after the garbage collector ran, so that only what is kept counts. */
export function residentMemoryMb(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().rss / 1024 / 1024
}
