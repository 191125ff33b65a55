import { join } from 'node:path'
import { styleText } from 'node:util'
import { runDemonstration } from './demo/demonstration.ts'
import { surviveLostConnections } from './postgres/lost-connections.ts'
import { stackLog } from './stack/log.ts'
import { readStartOptions, START_HELP, type StartOptions } from './stack/options.ts'
import { type Stack, startStack } from './stack/stack.ts'

/** `npm start`: boots the stack, shows a scored check-in on a fresh database, and serves until it is stopped. */
async function main(): Promise<number> {
  const options = readStartOptions(process.argv.slice(2))
  if (options.help) {
    console.log(START_HELP)
    return 0
  }

  surviveLostConnections()
  const signal = new Promise<'signal'>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve('signal'))
  })
  const started = performance.now()
  const booting = startStack(options, {
    progress: (step) => console.log(styleText('dim', `  ${seconds(started).padStart(6)}  ${step}`)),
    log: stackLog(join(options.dataDir, 'stack.log'), options.verbose),
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
    console.log(`\nReady in ${seconds(started)}.\n\n${describe(stack, options)}\n`)
    if (options.once || (options.demo && stack.fresh)) {
      const scored = await Promise.race([runDemonstration(stack, options.dataDir), signal])
      if (scored === 'signal') return 130
      if (options.once) return scored ? 0 : 1
    }
    console.log('Serving. Ctrl-C stops everything.')
    await signal
    return 0
  } finally {
    console.log('Stopping.')
    await stack.stop()
  }
}

function describe(stack: Stack, options: StartOptions): string {
  const rows = [
    ['API', stack.apiUrl],
    ['Functions', `${stack.apiUrl}/functions/v1`],
    ['Database', stack.databaseUrl],
    ['Inbox', `${stack.inboxUrl}  (email and SMS)`],
    ['Publishable key', stack.keys.publishable],
    ['Secret key', stack.keys.secret],
    ['As JSON', join(options.dataDir, 'stack.json')],
    ['Log', join(options.dataDir, 'stack.log')],
    ['Try', 'npm run check-in -- --help'],
    ['Stop', 'Ctrl-C'],
  ]
  return rows.map(([name, value]) => `  ${styleText('bold', (name ?? '').padEnd(16))} ${value}`).join('\n')
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

// The Realtime client keeps a timer of ten seconds for each message it waited for; there is nothing left to wait for.
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
