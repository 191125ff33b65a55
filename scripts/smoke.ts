import { parseArgs } from 'node:util'
import { listed, smokeTest } from './smoke/smoke-test.ts'
import { openNamedStage, stageArguments, stageHelp } from './stage/stage.ts'

const HELP = `Has an invented person check in on a stage by the real clients, from sign-in to score, the live channel included, and
erases the person, also when it is interrupted. Nobody is mailed, and nobody else's data is read.

Usage: npm run smoke -- --stage NAME [--limit SECONDS] [--json]

${stageHelp}
  --limit SECONDS  how long all of it may take (60)
  --json           print what was seen as JSON
  --help           this text

Exits with 0 when there was a score in time and nothing is left of the person. docs/deployment.md`

/** `npm run smoke` */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      ...stageArguments,
      limit: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const limitS = Number(values.limit)
  if (!(limitS > 0)) throw new Error(`--limit takes a number of seconds, not "${values.limit}"`)
  const stage = await openNamedStage(values, HELP)
  try {
    const report = values.json ? () => {} : (line: string) => console.log(line)
    const seen = await smokeTest(stage, { limitS, report, signal: interruption() })
    if (values.json) console.log(JSON.stringify(seen, null, 2))
    else {
      console.log(`before the erasure: ${listed(seen.before)}`)
      console.log(`after it: ${listed(seen.after) || 'nothing'}`)
      console.log(`Ended well after ${seen.erasedAfterS.toFixed(1)} s.`)
    }
    return 0
  } finally {
    await stage.close()
  }
}

/** Aborts at the first SIGINT or SIGTERM, for the person to be erased; the second ends the process as ever. */
function interruption(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => controller.abort(new Error(`Interrupted by ${name}`)))
  return controller.signal
}

// The Realtime client keeps a timer of ten seconds for each message it waited for; there is nothing left to wait for.
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
