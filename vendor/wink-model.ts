import { Buffer } from 'node:buffer'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

type Feature = { list: string[] }

/** Stands in no lexeme; a line's end is one. */
const SEPARATOR = '\0'

/** The first lexeme stands for the words that the model does not know, and before all that are in order. */
const UNORDERED = 1

/** The part of wink's English model that is needed to load it. */
interface CoreModel {
  packing: { layout: Record<string, number[]> }
  features: Record<string, Feature> & { lexeme: Feature; posClusters: Feature }
  pos: { hash: Record<string, number> }
}

/** The form in the npm package: arrays of 32-bit words in base64. */
interface StoredModel extends CoreModel {
  /** The same number of words for each lexeme. */
  lexicon: string
  xpansions: string
}

/** The form in a bundle: raw deflate in base64, a quarter of the size. */
interface PackedModel {
  /** The words that the model knows, in their order. */
  lexemes: string
  /** The lexicon's bytes by column (the first byte of every lexeme, then the second, …), which deflates better. */
  columns: string
  /** JSON of everything else. */
  rest: string
}

/** Throws where the lexemes are not in the order in which they are looked up. */
export function pack({ lexicon, ...model }: StoredModel): PackedModel {
  const { lexeme, ...features } = model.features
  const ordered = lexeme.list.slice(UNORDERED)
  const isOrdered = ordered.every((each, at) => at === 0 || order(ordered[at - 1] ?? '', each) < 0)
  if (!isOrdered || lexeme.list.some((each) => each.includes(SEPARATOR)))
    throw new Error('The lexemes of wink’s model are not in the order of their lower case')
  return {
    lexemes: deflated(Buffer.from(lexeme.list.join(SEPARATOR))),
    columns: deflated(transposed(Buffer.from(lexicon, 'base64'), lexeme.list.length)),
    rest: deflated(
      Buffer.from(JSON.stringify({ ...model, features: { ...features, lexeme: { ...lexeme, list: [] } } })),
    ),
  }
}

/** The model as wink-nlp works on it: what `read-core-model.js` of the npm package makes of the stored one. */
export function unpack({ lexemes, columns, rest }: PackedModel) {
  const model: CoreModel & { xpansions: string } = JSON.parse(inflated(rest).toString())
  const { features, packing, pos } = model
  features.lexeme.list = inflated(lexemes).toString().split(SEPARATOR)
  const bytes = inflated(columns)
  const lexicon = transposed(bytes, bytes.length / features.lexeme.list.length)
  const indexed = Object.entries(features).map(([name, feature]) => {
    if (name === 'lexeme') return [name, { ...feature, hash: foundPositions(feature.list) }]
    return [name, packing.layout[name]?.[3] === 0 ? { ...feature, hash: positions(feature.list) } : feature]
  })
  const clusters = features.posClusters.list.map(
    (tags) => new Set(tags.split('_').map((tag) => pos.hash[tag] ?? 0)),
  )
  return {
    ...model,
    lexicon: new Uint32Array(lexicon.buffer),
    xpansions: new Uint32Array(Uint8Array.from(Buffer.from(model.xpansions, 'base64')).buffer),
    features: { ...Object.fromEntries(indexed), posClusters: { list: clusters } },
  }
}

/** Position of each value in the list; of duplicates, the last one. */
function positions(list: string[]): Record<string, number> {
  const hash: Record<string, number> = Object.create(null)
  list.forEach((value, i) => {
    hash[value] = i
  })
  return hash
}

/**
 * The same of ordered values, found when asked for: to enter 88,000 lexemes takes more CPU than to unpack all the
 * rest. Takes further ones, as wink-nlp adds them.
 */
function foundPositions(list: readonly string[]): Record<string, number> {
  const end = list.length
  const find = (value: string): number | undefined => {
    if (value === list[0]) return 0
    let from = UNORDERED
    let to = end
    while (from < to) {
      const middle = (from + to) >> 1
      if (order(list[middle] ?? '', value) < 0) from = middle + 1
      else to = middle
    }
    return from < end && list[from] === value ? from : undefined
  }
  return new Proxy<Record<string, number>>(Object.create(null), {
    get: (known, value) => {
      if (typeof value === 'symbol') return undefined
      const position = known[value] ?? find(value)
      if (position !== undefined) known[value] = position
      return position
    },
  })
}

/** By lower case, then by case; negative where `a` is first. */
function order(a: string, b: string): number {
  const [lowerA, lowerB] = [a.toLowerCase(), b.toLowerCase()]
  if (lowerA !== lowerB) return lowerA < lowerB ? -1 : 1
  return a < b ? -1 : a === b ? 0 : 1
}

/** Rows of equal length, as columns. */
function transposed(bytes: Uint8Array, rows: number): Uint8Array<ArrayBuffer> {
  const columns = bytes.length / rows
  const turned = new Uint8Array(bytes.length)
  let at = 0
  for (let column = 0; column < columns; column++)
    for (let from = column; from < bytes.length; from += columns) turned[at++] = bytes[from] ?? 0
  return turned
}

const deflated = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 9 }).toString('base64')

const inflated = (base64: string) => inflateRawSync(Buffer.from(base64, 'base64'))
