import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeGenerated } from '../../../scripts/generated.ts'
import { type Comparison, compare } from './comparison.ts'
import { section } from './page.ts'
import { makeRecordings, missingTools } from './recordings.ts'

/*
 * Compares the voice features with Praat on recordings made for it, prints the tables and puts them into the page on
 * accuracy. Ends with 1 where a bar is missed. On Debian: apt-get install praat espeak-ng ffmpeg pocketsphinx-testdata.
 */
const missing = missingTools()
if (missing.length > 0) {
  console.error(`Not compared: ${missing.join(', ')} not installed.`)
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'accuracy-'))
const comparisons: Comparison[] = []
try {
  for (const recording of makeRecordings(folder)) comparisons.push(await compare(recording))
} finally {
  await rm(folder, { recursive: true })
}
const { text, holds } = section(comparisons)
console.log(text)
writeGenerated('accuracy.md', 'npm run accuracy:audio', text)
process.exitCode = holds ? 0 : 1
