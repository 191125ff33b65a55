import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeGenerated } from '../../../scripts/generated.ts'
import { section } from './page.ts'
import { missingPackages } from './readers.ts'
import { type Shift, shifts } from './shifts.ts'

/*
 * Degrades recordings as rooms, streets, phones and lines do, measures how far the score of the voice moves, writes every move into
 * shifts.jsonl and the tables into the page on accuracy. Ends with 1 where a bar is missed. Takes some ten minutes.
 */
const missing = missingPackages()
if (missing.length > 0) {
  console.log(`SKIPPED: ${missing.join(', ')} not installed.`)
  process.exit(0)
}
const all: Shift[] = []
for await (const shift of shifts()) {
  all.push(shift)
  if (all.at(-2)?.recording !== shift.recording) console.log(shift.recording)
}
const lines = all.map((shift) => JSON.stringify(shift)).join('\n')
await writeFile(join(import.meta.dirname, 'shifts.jsonl'), `${lines}\n`)
const { text, holds } = section(all)
console.log(text)
writeGenerated('accuracy.md', 'npm run accuracy:degradations', text)
process.exitCode = holds ? 0 : 1
