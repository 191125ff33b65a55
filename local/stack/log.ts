import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { styleText } from 'node:util'

/** Functions log each request at this level; a person at a terminal wants to see what went wrong. */
const ROUTINE = /"level":"info"|^storage: /

/** Writes every line to a file, and prints those that are not routine; all of them when `verbose`. */
export function stackLog(file: string, verbose: boolean): (line: string) => void {
  return (line) => {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 })
    if (verbose || !ROUTINE.test(line)) console.log(styleText('dim', `  ${line}`))
  }
}
