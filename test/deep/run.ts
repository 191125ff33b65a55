import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { LEFT_TO_A_RELEASE } from '../left-to-a-release.ts'

const HELP = `npm run test:deep -- [options] [paths]

Runs every test in full, as before a release; with paths, only those, such as test/attacks/requests or recovery.

  --seed TEXT      where random choices begin; a new one each time by default, and printed
  --kills N        how often processes are killed while a check-in is processing (20)
  --requests N     how many hostile requests (40000)
  --only N         of the hostile requests, just the one with this number, which a failure names
  --rest           only what npm test leaves out of the suites that it runs, and the local platform's
  --help           this text`

/** Reads the command line into the settings that the tests read. Throws what is wrong with it. */
function settings(args: string[]): { paths: string[]; env: Record<string, string> } | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      kills: { type: 'string' },
      requests: { type: 'string' },
      only: { type: 'string' },
      rest: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return 'help'
  const env: Record<string, string> = {
    TEST_DEPTH: 'deep',
    TEST_SEED: values.seed ?? String(Math.floor(Math.random() * 2 ** 31)),
  }
  for (const name of ['kills', 'requests', 'only'] as const) {
    const value = values[name]
    if (value === undefined) continue
    if (!/^\d{1,9}$/.test(value)) throw new Error(`--${name} takes a whole number, not "${value}"`)
    env[`TEST_${name.toUpperCase()}`] = value
  }
  return { paths: values.rest ? [...LEFT_TO_A_RELEASE, ...positionals] : positionals, env }
}

/** `npm run test:deep` */
async function main(): Promise<number> {
  const read = settings(process.argv.slice(2))
  if (read === 'help') {
    console.log(HELP)
    return 0
  }
  Object.assign(process.env, read.env)
  const vitest = await startVitest('test', read.paths, { run: true, watch: false })
  await vitest.close()
  return process.exitCode === undefined ? 0 : Number(process.exitCode)
}

try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
