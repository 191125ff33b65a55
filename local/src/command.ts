import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ParseArgsOptionsConfig, styleText } from 'node:util'
import type { Limits } from './functions/limits.ts'
import type { RuntimePolicy } from './functions/pool.ts'
import { surviveOwnStopping } from './postgres/connections.ts'
import { type Stack, type StackOptions, type StackOutput, startStack } from './stack.ts'

/** Options of a command that starts a stack, for `parseArgs`. */
export const stackArguments = {
  port: { type: 'string' },
  'db-port': { type: 'string' },
  'inbox-port': { type: 'string' },
  data: { type: 'string', default: '.stack' },
  'env-file': { type: 'string' },
  'text-webhook': { type: 'string' },
  'runtime-policy': { type: 'string' },
  limits: { type: 'string' },
  reset: { type: 'boolean', default: false },
  watch: { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig

/** The lines of `--help` on `stackArguments`. */
export const stackHelp = `  --port N         API gateway (54321)
  --db-port N      Postgres (54322)
  --inbox-port N   inbox page for email and SMS (54324)
  --data DIR       where data is kept between starts (.stack)
  --env-file FILE  secrets of the functions (supabase/functions/.env)
  --text-webhook PATH
                   carry texts as Twilio does, with the inbox for phones; what hears their replies: /functions/v1/…
  --runtime-policy NAME  per_worker: requests share an isolate; oneshot: one has one at a time (config.toml, per_worker)
  --limits LIMITS  of an isolate: off, or figures such as cpu=2000,memory=256,wall=150 (ms, MB, s; the hosted ones)
  --reset          throw the data away and start anew
  --watch          restart functions when their code changes
  --verbose        print the whole log; it is always in stack.log of the data folder
  --help           this text`

/** What `parseArgs` makes of `stackArguments`. */
type StackValues = {
  [name in
    | 'port'
    | 'db-port'
    | 'inbox-port'
    | 'env-file'
    | 'text-webhook'
    | 'runtime-policy'
    | 'limits']?: string
} & { data: string; reset: boolean; watch: boolean }

/** The options of a stack as they stand on a command line. @throws Error that says which of them is wrong */
export function readStackArguments(values: StackValues): StackOptions & { dataDir: string } {
  const portOf = (name: 'port' | 'db-port' | 'inbox-port') => {
    const text = values[name]
    return text === undefined ? undefined : readPort(`--${name}`, text)
  }
  return {
    port: portOf('port'),
    dbPort: portOf('db-port'),
    inboxPort: portOf('inbox-port'),
    dataDir: values.data,
    envFile: values['env-file'],
    ...(values['text-webhook'] && { textMessages: { webhook: values['text-webhook'] } }),
    runtimePolicy: readRuntimePolicy(values['runtime-policy']),
    limits: readLimits(values.limits),
    reset: values.reset,
    watch: values.watch,
  }
}

/** The port that an option names. @throws Error that says which option is wrong */
export function readPort(option: string, text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port >= 1 && port <= 65535) return port
  throw new Error(`${option} takes a port from 1 to 65535, not "${text}"`)
}

function readRuntimePolicy(text: string | undefined): RuntimePolicy | undefined {
  if (text === undefined || text === 'per_worker' || text === 'oneshot') return text
  throw new Error(`--runtime-policy takes per_worker or oneshot, not "${text}"`)
}

const limitNames = { cpu: ['cpuMs', 1], memory: ['memoryMb', 1], wall: ['wallMs', 1000] } as const

function readLimits(text: string | undefined): Partial<Limits> | false | undefined {
  if (text === undefined) return undefined
  if (text === 'off') return false
  const limits: Partial<Limits> = {}
  for (const part of text.split(',')) {
    const [, name = '', figure] = /^(cpu|memory|wall)=(\d+)$/.exec(part) ?? []
    if (!isLimitName(name)) {
      throw new Error(`--limits takes off, or figures such as cpu=2000,memory=256,wall=150, not "${text}"`)
    }
    const [limit, unit] = limitNames[name]
    limits[limit] = Number(figure) * unit
  }
  return limits
}

function isLimitName(name: string): name is keyof typeof limitNames {
  return name in limitNames
}

/** How `serveStack` differs from the plain command. */
export type Serving = {
  /** Print the whole log, not only what is out of the ordinary. */
  verbose?: boolean
  /** Starts the stack. Default: `startStack`. */
  start?: (options: StackOptions & { dataDir: string }, output: StackOutput) => Promise<Stack>
  /** Further lines of the summary, as name and value. */
  hints?: [name: string, value: string][]
  /** Called once the stack runs. An exit code ends it; undefined lets it serve until a signal. */
  onReady?: (stack: Stack) => Promise<number | undefined>
}

/**
 * Runs a stack in the foreground: prints its steps and where it listens, and serves until Ctrl-C or another signal to
 * end. Returns the exit code. For the main program of a process: an error that nothing catches ends it.
 */
export async function serveStack(
  options: StackOptions & { dataDir: string },
  { verbose = false, start = startStack, hints = [], onReady }: Serving = {},
): Promise<number> {
  surviveOwnStopping()
  const signal = new Promise<'signal'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve('signal'))
  })
  const started = performance.now()
  const booting = start(options, {
    progress: (step) => console.log(styleText('dim', `  ${seconds(started).padStart(6)}  ${step}`)),
    log: logTo(join(options.dataDir, 'stack.log'), verbose),
  })
  if ((await Promise.race([booting, signal])) === 'signal') {
    console.log('Stopping.')
    await booting.then(
      (stack) => stack.stop(),
      () => undefined,
    )
    return 130
  }
  const stack = await booting
  try {
    console.log(`\nReady in ${seconds(started)}.\n\n${summary(stack, hints)}\n`)
    const code = await Promise.race([onReady?.(stack), signal])
    if (code === 'signal') return 130
    if (code !== undefined) return code
    console.log('Serving. Ctrl-C stops everything.')
    await signal
    return 0
  } finally {
    console.log('Stopping.')
    await stack.stop()
  }
}

function summary(stack: Stack, hints: [string, string][]): string {
  const rows: [string, string][] = [
    ['API', stack.apiUrl],
    ['Functions', `${stack.apiUrl}/functions/v1`],
    ['Database', stack.databaseUrl],
    ['Inbox', `${stack.inboxUrl}  (email and SMS)`],
    ...textsRow(stack),
    ['Publishable key', stack.keys.publishable],
    ['Secret key', stack.keys.secret],
    ['As JSON', join(stack.dataDir, 'stack.json')],
    ['Log', join(stack.dataDir, 'stack.log')],
    ...hints,
    ['Stop', 'Ctrl-C'],
  ]
  return rows.map(([name, value]) => `  ${styleText('bold', name.padEnd(16))} ${value}`).join('\n')
}

function textsRow({ texts, inboxUrl }: Stack): [string, string][] {
  if (texts === undefined) return []
  const where =
    texts === 'inbox'
      ? `${inboxUrl}/phones  (an invented Twilio account: read them and reply there)`
      : "as the project's settings of Twilio say"
  return [['Texts', where]]
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/** Functions log each request at this level, and isolates come and go; a person at a terminal wants to see what went wrong. */
const ROUTINE =
  /"level":"info"|^storage: |^[^ ]+: isolate \d+ (booted|retired|ended \((EarlyDrop|TerminationRequested))/

/** Writes every line to a file, and prints those that are not routine; all of them when `verbose`. */
function logTo(file: string, verbose: boolean): NonNullable<StackOutput['log']> {
  return (line) => {
    mkdirSync(dirname(file), { recursive: true })
    appendFileSync(file, `${new Date().toISOString()} ${line}\n`, { mode: 0o600 })
    if (verbose || !ROUTINE.test(line)) console.log(styleText('dim', `  ${line}`))
  }
}
