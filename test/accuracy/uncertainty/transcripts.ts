import { readFile } from 'node:fs/promises'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import type { Pair } from './pairs.ts'

const FIXTURES = new URL('../../fixtures/crisis/', import.meta.url)

/** Ordinary spoken check-ins: those that the crisis check and the weights of the text features were tuned on, and others. */
const LISTS = {
  tuning: [1, 2, 3].map((list) => `tuning/ordinary-check-ins-${list}.txt`),
  'held-out': ['held-out-check-ins.txt'],
}

/** The transcripts of a list: paragraphs of one sentence a line. */
export async function transcripts(split: keyof typeof LISTS): Promise<string[]> {
  const texts = await Promise.all(LISTS[split].map((file) => readFile(new URL(file, FIXTURES), 'utf8')))
  return texts.flatMap((text) => text.split(/\n\s*\n/)).filter((text) => text.split('\n').length >= 4)
}

/** The first and the second half of each transcript. */
export function halvesOfTranscripts(texts: readonly string[]): Pair[] {
  return texts.map((text) => {
    const lines = text.trim().split('\n')
    const words = lines.map((line) => line.split(/\s+/).length)
    const half = words.reduce((sum, count) => sum + count, 0) / 2
    let before = 0
    const cut = words.findIndex((count) => {
      before += count
      return before >= half
    })
    return { first: evidence(lines.slice(0, cut).join('\n')), second: evidence(lines.slice(cut).join('\n')) }
  })
}

function evidence(text: string) {
  const { features, replicates, quality } = analyzeText(text)
  return { features, replicates, quality, amount: quality.words }
}
