/** Words that tie a sentence to the one before: connectives and words that refer back. */
const TIES = new Set(
  'and but so because then also that this it its they them he she these those there which who however although though while after before since still anyway therefore instead'.split(
    ' ',
  ),
)

/** Frequent words without a topic. */
const EMPTY = new Set(
  'have with just really very about from been were when what would could should your like some more much well going know think feel into over only even than their'.split(
    ' ',
  ),
)

/** Pronouns count as arguments too: the sentences are about the same person. */
const PERSONS: ReadonlyMap<string, string> = new Map([
  ['i', 'i'],
  ['me', 'i'],
  ['my', 'i'],
  ['myself', 'i'],
  ['we', 'we'],
  ['us', 'we'],
  ['our', 'we'],
])

/** Unpunctuated speech is cut after this many words. */
const LONGEST_SENTENCE = 20

/**
 * Share of neighbouring sentences that are connected, 0 to 1: they share a content word or a person, or the second begins
 * with a tie within its first four words. A simple form of argument overlap in Coh-Metrix (Graesser, McNamara, Louwerse
 * and Cai 2004, Behav. Res. Methods 36). 1 for a single sentence, 0 for empty text.
 */
export function coherence(text: string): number {
  const sentences = sentencesOf(text)
  if (sentences.length <= 1) return sentences.length
  let tied = 0
  let before = new Set<string>()
  for (const [index, words] of sentences.entries()) {
    const content = contentOf(words)
    if (index > 0 && (words.slice(0, 4).some((word) => TIES.has(word)) || overlaps(content, before))) tied++
    before = content
  }
  return tied / (sentences.length - 1)
}

function sentencesOf(text: string): string[][] {
  return text
    .toLowerCase()
    .split(/[.!?\n]+/)
    .map((sentence) => sentence.match(/\p{L}+/gu) ?? [])
    .flatMap((words) =>
      Array.from({ length: Math.ceil(words.length / LONGEST_SENTENCE) }, (_, part) =>
        words.slice(part * LONGEST_SENTENCE, (part + 1) * LONGEST_SENTENCE),
      ),
    )
}

/** Content words without their endings, and persons. */
function contentOf(words: readonly string[]): Set<string> {
  const content = new Set<string>()
  for (const word of words) {
    const person = PERSONS.get(word)
    if (person !== undefined) content.add(person)
    else if (word.length >= 4 && !EMPTY.has(word) && !TIES.has(word)) {
      content.add(word.replace(/(?:ing|ed|es|s)$/, ''))
    }
  }
  return content
}

function overlaps(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const word of a) if (b.has(word)) return true
  return false
}
