import { Buffer } from 'node:buffer'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

type Feature = { list: string[] }

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
  /** The lexicon's bytes by column (the first byte of every lexeme, then the second, …), which deflates better. */
  columns: string
  /** JSON of everything else. */
  rest: string
}

export function pack({ lexicon, ...rest }: StoredModel): PackedModel {
  return {
    columns: deflated(transposed(Buffer.from(lexicon, 'base64'), rest.features.lexeme.list.length)),
    rest: deflated(Buffer.from(JSON.stringify(rest))),
  }
}

/** The model as wink-nlp works on it: what `read-core-model.js` of the npm package makes of the stored one. */
export function unpack({ columns, rest }: PackedModel) {
  const model: CoreModel & { xpansions: string } = JSON.parse(inflated(rest).toString())
  const { features, packing, pos } = model
  const bytes = inflated(columns)
  const lexicon = transposed(bytes, bytes.length / features.lexeme.list.length)
  const indexed = Object.entries(features).map(([name, feature]) => {
    const isCounted = name === 'lexeme' || packing.layout[name]?.[3] === 0
    return [name, isCounted ? { ...feature, hash: positions(feature.list) } : feature]
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

/** Rows of equal length, as columns. */
function transposed(bytes: Uint8Array, rows: number): Uint8Array<ArrayBuffer> {
  const columns = bytes.length / rows
  const turned = new Uint8Array(bytes.length)
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      turned[column * rows + row] = bytes[row * columns + column] ?? 0
  return turned
}

const deflated = (bytes: Uint8Array) => deflateRawSync(bytes, { level: 9 }).toString('base64')

const inflated = (base64: string) => inflateRawSync(Buffer.from(base64, 'base64'))
