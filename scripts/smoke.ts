import { parseArgs } from 'node:util'
import { listed, smokeTest } from './smoke/smoke-test.ts'
import { openStage, stageHelp } from './stage/stage.ts'

const HELP = `Has an invented person check in on a stage by the real clients, from sign-in to score, the live channel included, and
erases the person. Nobody is mailed, and nobody else's data is read.

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
      stage: { type: 'string' },
      'env-file': { type: 'string' },
      limit: { type: 'string', default: '60' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  if (!values.stage) throw new Error(`--stage says which stage is meant.\n\n${HELP}`)
  const limitS = Number(values.limit)
  if (!(limitS > 0)) throw new Error(`--limit takes a number of seconds, not "${values.limit}"`)
  const stage = await openStage({ name: values.stage, envFile: values['env-file'] })
  try {
    const seen = await smokeTest(stage, limitS, values.json ? () => {} : (line) => console.log(line))
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

// The Realtime client keeps a timer of ten seconds for each message it waited for; there is nothing left to wait for.
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
