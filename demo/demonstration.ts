import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../scripts/root.ts'
import { signInDemonstrationStudent } from './account.ts'
import { audioFile, imageFiles } from './media.ts'
import { checkIn, grantConsents } from './mobile-client.ts'
import { showProgress } from './progress.ts'
import { report } from './report.ts'
import type { Stack } from './stack.ts'
import { demonstrationStills } from './stills.ts'

const SPEECH = join(ROOT, 'test', 'fixtures', 'speech')

/** Scores the media that the project ships, as a student's phone would send them; whether a score was produced. */
export async function runDemonstration(stack: Stack): Promise<boolean> {
  console.log('A demonstration check-in:\n')
  const supabase = await signInDemonstrationStudent({
    apiUrl: stack.apiUrl,
    publishableKey: stack.keys.publishable,
    secretKey: stack.keys.secret,
  })
  await grantConsents(supabase, ['audio', 'camera', 'text'])
  const ended = await checkIn(
    supabase,
    {
      audio: audioFile(join(SPEECH, 'neutral.m4a')),
      images: imageFiles(await demonstrationStills(join(stack.dataDir, 'demonstration-stills'))),
      transcript: readFileSync(join(SPEECH, 'neutral.txt'), 'utf8'),
      moodScore: null,
    },
    showProgress(process.stdout),
  )
  console.log(`\n${report(ended)}\n`)
  await supabase.removeAllChannels()
  return ended.result !== undefined
}
