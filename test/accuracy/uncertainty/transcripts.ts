import { HELD_OUT_CHECK_INS } from '../../../corpora/crisis/measured/lists.ts'
import { CHECK_INS } from '../../../corpora/crisis/texts.ts'
import { analyzeText } from '../../../functions/_shared/text/analyze.ts'
import type { Pair } from '../degradations/pairs.ts'

/**
 * Ordinary spoken check-ins, paragraphs of one sentence a line: those that the crisis check and the weights of the text features were tuned
 * on, and others.
 */
export function transcripts(split: 'tuning' | 'held-out'): string[] {
  const texts =
    split === 'tuning'
      ? CHECK_INS.filter(({ author }) => author.startsWith('ordinary-')).map(({ text }) => text)
      : HELD_OUT_CHECK_INS
  return texts.filter((text) => text.split('\n').length >= 4)
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
