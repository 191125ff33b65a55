import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePorts, serveStack } from 'local-supabase'
import { Narrator } from './narrator.ts'
import { type RunningStack, readStack, startStack } from './stack.ts'
import { playSupportCircle } from './support-story.ts'

const HELP = `Plays the support circle through and prints each step: a student names five people, four agree by email and one declines,
their numbers agree by a code or a YES, worrying days open an alert, texts ask the first two, then the next two, one of them
answers, one says STOP, and the student says "I'm all right". Emails, pages, texts and Twilio's signed callbacks are the service's own; the texts go to the inbox.

Usage: npm run support-circle -- [--data DIR] [--patience SECONDS]

  --data DIR          data folder of a running stack, such as .stack; without it a stack of its own is started, and removed
  --patience SECONDS  how long to wait for each message (60)

Days and hours pass by moving the student's rows into the past; nobody else's change.`

/** `npm run support-circle`: exits with 0 when every step happened. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      patience: { type: 'string', default: '60' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const patience = Number(values.patience)
  if (!(patience > 0)) throw new Error(`--patience takes a number of seconds, not "${values.patience}"`)
  const play = async (stack: RunningStack) => {
    await playSupportCircle(stack, new Narrator(patience, console.log))
    console.log('\nEverything happened as it should.')
    console.log(`Read it again: ${stack.inboxUrl} and ${stack.inboxUrl}/phones`)
    return 0
  }
  return values.data === undefined ? onOwnStack(play) : play(readStack(values.data))
}

async function onOwnStack(play: (stack: RunningStack) => Promise<number>): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'support-circle-'))
  const [port = 0, dbPort = 0, inboxPort = 0] = await freePorts(3)
  try {
    return await serveStack(
      { port, dbPort, inboxPort, dataDir, durable: false },
      { start: startStack, onReady: play },
    )
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// The Realtime client keeps a timer of ten seconds for each message it waited for; there is nothing left to wait for.
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
