import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { INDICATIONS } from '../../functions/_shared/text/crisis/matches.ts'
import {
  CRISIS_KINDS,
  KINDS,
  type Network,
  windowCount,
} from '../../functions/_shared/text/crisis/network.ts'
import { readText, type Word, weigh } from '../../functions/_shared/text/crisis/reading.ts'
import { type Example, fitNetwork, readingOf } from './fitting.ts'
import { CHECK_INS, type CheckIn, EXAMPLES, SENTENCES, type Sentence } from './texts.ts'
import { type WordVectors, wordVectors } from './vectors.ts'
import { writeNetwork } from './write.ts'

/** Authors that one of the two networks has not read, on whom thresholds are tried; lists that were sealed are most like others. */
const KEPT_APART: ReadonlySet<string> = new Set([
  'sealed-3',
  'sealed-4',
  'sealed-5',
  'sealed-10',
  'sealed-11',
  'sealed-12',
  'sealed-13',
])
const PASSES = 6
const SEED = 1
/** Share of their harmless sentences, and of their ordinary check-ins full of loaded words, that come to `high`. */
const RAISED = { sentences: 0.11, loadedCheckIns: 0.04 } as const

/** A mild sentence is an ordinary one with less certainty; a moderate one with least, and only where it is of these kinds. */
const COUNTS = { high: 1, none: 1, mild: 0.3, moderate: 0.1 } as const
const MODERATE_KINDS: ReadonlySet<string> = new Set(['past', 'low_mood', 'third_person', 'example'])
/** Texts of authors who wrote whole check-ins too, in the manner of speech, count three times; a check-in counts half as much again. */
const LIKE_SPEECH = { authors: /^(?:author-|sealed-|opened)/, counts: 3 }
const WHOLE_COUNTS = 1.5
/** Examples whose exact level is a test. */
const EXAMPLE_COUNTS = 8

/**
 * What words of who somebody is are here: another word than where the network is used, so that what it learns with them, that violence
 * is told of some, weighs on nobody.
 */
const IDENTITY = 'welsh'

/** Kinds of earlier lists, in those of the network. */
const SAME_KIND: Readonly<Record<string, string>> = {
  plan: 'plan_or_preparation',
  means: 'method',
  negated: 'denial',
  quotation: 'academic_media',
  fiction: 'academic_media',
  stress: 'strong_feeling',
  low_mood: 'strong_feeling',
}

type Form = { words: readonly Word[]; part: readonly Word[] }
type Read = Sentence & { whole: boolean; named: boolean; forms: readonly Form[] }

/** Each text as it was written and as speech recognition writes it, without punctuation and capitals. */
function read(texts: readonly (Sentence | CheckIn)[], whole: boolean): readonly Read[] {
  return texts.map((each) => {
    const disclosure = 'disclosure' in each ? (each.disclosure ?? each.text) : each.text
    const forms = [asWritten, unpunctuated].map((form) => ({
      words: readText(form(each.text), IDENTITY).words,
      part: readText(form(disclosure), IDENTITY).words,
    }))
    const named = readText(each.text).found.some(({ level }) => level === 'high')
    return { ...each, whole, named, forms }
  })
}

function asWritten(text: string): string {
  return text
}

function unpunctuated(text: string): string {
  return text.toLowerCase().replace(/[.,!?;:"]/g, '')
}

function exampleOf({ author, level, kind, whole, forms }: Read, { words }: WordVectors): Example {
  const rows = rowsOf(words)
  const crisis = level === 'high'
  const index = KINDS.indexOf(SAME_KIND[kind] ?? kind)
  return {
    forms: forms.map(({ words, part }) => readingOf(words, rows, part)),
    crisis,
    kind: index < CRISIS_KINDS.length === crisis ? index : -1,
    weight:
      kind === 'example'
        ? EXAMPLE_COUNTS
        : COUNTS[level] *
          (LIKE_SPEECH.authors.test(author) ? LIKE_SPEECH.counts : 1) *
          (whole ? WHOLE_COUNTS : 1),
    whole,
    surroundings: level === 'none',
  }
}

const rowsCache = new WeakMap<readonly string[], Map<string, number>>()
function rowsOf(words: readonly string[]): Map<string, number> {
  const rows = rowsCache.get(words) ?? new Map(words.map((word, row) => [word, row]))
  rowsCache.set(words, rows)
  return rows
}

const texts = [...read([...SENTENCES, ...EXAMPLES], false), ...read(CHECK_INS, true)].filter(
  ({ level, kind }) => level !== 'moderate' || MODERATE_KINDS.has(kind),
)
const vectors = wordVectors(
  texts.map(({ forms }) => new Set(forms.flatMap(({ words }) => words.map(({ word }) => word)))),
)

type Which = 'without those kept apart' | 'all'

/** Fits in this thread. */
function networkOf(which: Which): Network {
  const chosen = which === 'all' ? texts : texts.filter(({ author }) => !KEPT_APART.has(author))
  const examples = chosen.map((each) => exampleOf(each, vectors))
  const log = (line: string) => console.log(`${which}: ${line}`)
  return fitNetwork(examples, vectors, INDICATIONS.length, { passes: PASSES, seed: SEED, log })
}

if (isMainThread) await main()
else parentPort?.postMessage(networkOf(workerData))

async function main(): Promise<void> {
  console.log(`${texts.length} texts, ${vectors.words.length} words`)
  const all = process.argv.includes('--dry') ? undefined : inThread('all')
  console.log(
    calibrate(
      networkOf('without those kept apart'),
      texts.filter(({ author }) => KEPT_APART.has(author)),
    ),
  )
  if (all) writeNetwork(await all, vectors.words, texts.length)
}

function inThread(which: Which): Promise<Network> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: which })
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}

/** On log-odds: so much in a text of one window, and so much more for each unit of the logarithm of their number. */
type Threshold = { base: number; step: number }

/** The threshold as a line through sentences and through check-ins; what it finds of the network alone is printed. */
function calibrate(network: Network, unseen: readonly Read[]): Threshold {
  const scored = unseen.map((each) => {
    const [{ words } = { words: [] }] = each.forms
    return { ...each, top: weigh(network, words), chances: Math.log(windowCount(words.length)) }
  })
  const sentences = scored.filter(({ level, whole }) => level === 'none' && !whole)
  const loaded = scored.filter(({ kind }) => kind === 'loaded')
  const [a, b] = [at(sentences, RAISED.sentences), at(loaded, RAISED.loadedCheckIns)]
  const [x, y] = [mean(sentences), mean(loaded)]
  const slope = (b - a) / (y - x)
  const found = { base: round(a - slope * x), step: round(slope) }
  for (const wanted of ['high', 'none']) {
    const tops = scored
      .filter(({ level, named }) => named && level === wanted)
      .map(({ top }) => round(top))
      .sort((a, b) => a - b)
    console.log(`${wanted} with a rule of high: ${tops.join(' ')}`)
  }
  for (const [group, list = []] of Object.entries(
    Object.groupBy(scored, ({ author, whole }) => `${whole ? 'check-ins' : 'sentences'} of ${author}`),
  )) {
    const raised = (wanted: string) => {
      const some = list.filter(({ level }) => level === wanted)
      return `${some.filter(({ top, chances }) => top > found.base + found.step * chances).length} of ${some.length}`
    }
    console.log(`${group}: ${raised('high')} of a crisis, ${raised('none')} ordinary`)
  }
  return found
}

type Scored = { top: number; chances: number }

function at(scored: readonly Scored[], share: number): number {
  const tops = scored.map(({ top }) => top).sort((a, b) => b - a)
  return tops[Math.floor(share * tops.length)] ?? 0
}

function mean(scored: readonly Scored[]): number {
  return scored.reduce((sum, { chances }) => sum + chances, 0) / Math.max(1, scored.length)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
