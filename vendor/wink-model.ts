import { Buffer } from 'node:buffer'
import { deflateRawSync, inflateRawSync } from 'node:zlib'

type Feature = { list: string[] }

/** The words of wink's English model with what it knows of each, as far as reading it takes. */
interface CoreModel {
  packing: { layout: Record<string, number[]> }
  features: Record<string, Feature> & { lexeme: Feature; posClusters: Feature }
  pos: { hash: Record<string, number> }
}

/** As its npm package has it: arrays of 32-bit words in base64. */
interface StoredModel extends CoreModel {
  /** As many words for each lexeme. */
  lexicon: string
  xpansions: string
}

/** As a bundle has it: raw deflate in base64, a quarter of the size. */
interface PackedModel {
  /** The lexicon's bytes, first those of every lexeme's first byte and so on: like beside like deflates better. */
  columns: string
  /** The JSON of all the rest. */
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

/** Where each value is in the list, the last of equals. */
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
