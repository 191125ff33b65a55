import { writeGenerated } from '../../../scripts/generated.ts'
import { type Pair, type Repeatability, repeatability } from '../degradations/pairs.ts'
import { missingPackages } from '../degradations/readers.ts'
import { halvesOfImages } from './images.ts'
import { repeatedSpeech } from './recordings.ts'
import { halvesOfTranscripts, transcripts } from './transcripts.ts'

/*
 * Compares what scores differ by when the same moment is measured twice with their stated standard errors, prints a table, puts it
 * into the page on accuracy and ends with 1 where a bar is missed on material that nothing was fitted to. The packages for voices are
 * those of `accuracy:degradations`.
 */
const RATIO = { from: 0.8, to: 1.25 }
const COVERAGE = { from: 0.86, to: 0.94 }

type Result = Repeatability & { split: 'tuning' | 'held-out' }

const results: Result[] = []
const missing = missingPackages()
for (const split of ['tuning', 'held-out'] as const) {
  const add = (modality: Repeatability['modality'], pairs: Pair[]) =>
    results.push({ split, ...repeatability(modality, pairs) })
  add('text', halvesOfTranscripts(transcripts(split)))
  add('visual', await halvesOfImages(split))
  if (missing.length === 0) add('audio', await repeatedSpeech(split))
}
if (missing.length > 0) console.error(`Voices were not measured: ${missing.join(', ')} not installed.`)

const table = [
  '| Material | Score of | Pairs | Repeat error | Stated | Ratio (95% interval) | Within the 90% interval | Holds |',
  '| --- | --- | --- | --- | --- | --- | --- | --- |',
  ...results.map(row),
].join('\n')
console.log(table)
if (missing.length === 0) writeGenerated('accuracy.md', 'npm run accuracy:uncertainty', table)
process.exitCode = results.every((result) => result.split === 'tuning' || holds(result)) ? 0 : 1

function holds({ ratio, coverage }: Result): boolean {
  return ratio >= RATIO.from && ratio <= RATIO.to && coverage >= COVERAGE.from && coverage <= COVERAGE.to
}

function row(result: Result): string {
  const { split, modality, pairs, repeatError, standardError, ratio, ratioFrom, ratioTo, coverage } = result
  return `| ${split} | ${modality} | ${pairs} | ${repeatError.toFixed(1)} | ${standardError.toFixed(1)} | ${ratio.toFixed(2)} (${ratioFrom.toFixed(2)} to ${ratioTo.toFixed(2)}) | ${(100 * coverage).toFixed(0)}% | ${holds(result) ? 'yes' : 'no'} |`
}
