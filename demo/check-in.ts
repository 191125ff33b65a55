import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { signInDemonstrationStudent } from './account.ts'
import { audioFile, imageFiles } from './media.ts'
import { checkIn, grantConsents } from './mobile-client.ts'
import { report, showProgress } from './report.ts'
import { readStack } from './stack.ts'

const HELP = `Checks the demonstration student in on a running stack, as the mobile app does, and prints the result.

Usage: npm run check-in -- [--audio FILE] [--images DIR] [--transcript FILE] [--mood 1..10] [--json] [--data DIR]

  --audio FILE        recording: m4a, webm, ogg, mp3, wav or flac, up to 20 minutes
  --images DIR        folder of 8 to 12 images, JPEG or PNG
  --transcript FILE   what was said, as text
  --mood N            the student's own number, 1 (worst) to 10 (best)
  --json              print the result as JSON; progress goes to standard error
  --data DIR          data folder of the stack (.stack)

At least one of --audio, --images and --transcript is needed. For example, with what the project ships:

  npm run check-in -- --audio corpora/speech/neutral.m4a \\
    --transcript corpora/speech/neutral.txt`

/** `npm run check-in`: exits with 0 when a score was produced. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      audio: { type: 'string' },
      images: { type: 'string' },
      transcript: { type: 'string' },
      mood: { type: 'string' },
      json: { type: 'boolean', default: false },
      data: { type: 'string', default: '.stack' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  if (!values.audio && !values.images && !values.transcript) throw new Error(`Nothing to send.\n\n${HELP}`)

  const recording = {
    audio: values.audio ? audioFile(values.audio) : null,
    images: values.images ? imageFiles(values.images) : [],
    transcript: values.transcript ? transcript(values.transcript) : null,
    moodScore: values.mood === undefined ? null : mood(values.mood),
  }
  const supabase = await signInDemonstrationStudent(readStack(values.data))
  await grantConsents(supabase, ['audio', 'text', ...(values.images ? (['camera'] as const) : [])])
  if (!values.images) await withdrawCamera(supabase)
  const ended = await checkIn(
    supabase,
    recording,
    showProgress(values.json ? process.stderr : process.stdout),
  )
  console.log(values.json ? JSON.stringify(ended, null, 2) : `\n${report(ended)}`)
  await supabase.removeAllChannels()
  return ended.result ? 0 : 1
}

/** Without images the student must not have agreed to the camera: the API asks for 8 to 12 otherwise. */
async function withdrawCamera(
  supabase: Awaited<ReturnType<typeof signInDemonstrationStudent>>,
): Promise<void> {
  const { error } = await supabase
    .from('consents')
    .update({ withdrawn_at: new Date().toISOString() })
    .eq('kind', 'camera')
    .is('withdrawn_at', null)
  if (error) throw error
}

function transcript(file: string): string {
  if (!existsSync(file)) throw new Error(`There is no transcript at ${file}`)
  return readFileSync(file, 'utf8')
}

function mood(text: string): number {
  const number = Number(text)
  if (number >= 1 && number <= 10) return number
  throw new Error(`--mood takes a number from 1 to 10, not "${text}"`)
}

// The Realtime client keeps a timer of ten seconds for each message it waited for; there is nothing left to wait for.
try {
  process.exit(await main())
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
