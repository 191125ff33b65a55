import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** Where a stack listens and keeps its data. */
export type StackOptions = {
  /** Port of the API gateway. */
  port: number
  /** Port of Postgres. */
  dbPort: number
  /** Port of the inbox page. */
  inboxPort: number
  /** Folder of the database, the stored objects and the keys. */
  dataDir: string
  /** Throw the data away first. */
  reset: boolean
  /** Restart functions when their code changes. */
  watch: boolean
}

export type StartOptions = StackOptions & { once: boolean; demo: boolean; verbose: boolean; help: boolean }

export const START_HELP = `Runs the whole service on this machine: Postgres, REST, Auth, Storage, Realtime, functions, cron, inbox.

Usage: npm start -- [options]

  --port N         API gateway (54321)
  --db-port N      Postgres (54322)
  --inbox-port N   inbox page for email and SMS (54324)
  --data DIR       where data is kept between starts (.stack)
  --reset          throw the data away and start anew
  --watch          restart functions when their code changes
  --once           score the demonstration check-in and exit: 0 when a score was produced
  --verbose        print the whole log; it is always in stack.log of the data folder
  --no-demo        don't run the demonstration check-in on a fresh database
  --help           this text

Several stacks run side by side when each has its own ports and --data.`

/** Reads the command line of `npm start`. Throws an error that says which option is wrong. */
export function readStartOptions(args: string[]): StartOptions {
  const { values } = parseArgs({
    args,
    allowNegative: true,
    options: {
      port: { type: 'string', default: '54321' },
      'db-port': { type: 'string', default: '54322' },
      'inbox-port': { type: 'string', default: '54324' },
      data: { type: 'string', default: '.stack' },
      reset: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
      once: { type: 'boolean', default: false },
      demo: { type: 'boolean', default: true },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  return {
    port: readPort('--port', values.port),
    dbPort: readPort('--db-port', values['db-port']),
    inboxPort: readPort('--inbox-port', values['inbox-port']),
    dataDir: resolve(values.data),
    reset: values.reset,
    watch: values.watch,
    once: values.once,
    demo: values.demo,
    verbose: values.verbose,
    help: values.help,
  }
}

function readPort(option: string, text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port
  throw new Error(`${option} takes a port from 1 to 65535, not "${text}"`)
}
