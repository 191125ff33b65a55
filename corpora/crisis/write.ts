import { writeFileSync } from 'node:fs'
import { DIMENSIONS } from '../../functions/_shared/text/crisis/convolution.ts'
import { INDICATIONS } from '../../functions/_shared/text/crisis/matches.ts'
import { INDICATED, type Network } from '../../functions/_shared/text/crisis/network.ts'

const FILE = new URL('../../functions/_shared/text/crisis/network-weights.js', import.meta.url)

/**
 * Words that are shipped, for the size of a bundle that the platform makes: the last ones are frequent elsewhere, and in none of the texts
 * or few.
 */
const SHIPPED = 14_600

/** Writes the network that the functions ship: vectors and filters in 255 steps, one byte each, the other layers as floats. */
export function writeNetwork(network: Network, words: readonly string[], texts: number): void {
  const vectors = inBytes(network.vectors)
  const filters = network.members.map((layers) => inBytes(layers.filters))
  const layers = network.members.flatMap(({ filters: _filters, ...others }) =>
    Object.values(others).map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  )
  writeFileSync(
    FILE,
    `// @ts-self-types="./network-weights.d.ts"

/**
 * Made by \`npm run train:crisis\` from the ${texts} invented texts in \`corpora/crisis\` and from GloVe's word vectors
 * (Pennington, Socher and Manning 2014, public domain).
 */
export const STORED_NETWORK = {
  words:
    '${inAscii(words.slice(0, SHIPPED).join(' '))}',
  vectors:
    '${vectors.bytes.subarray(0, SHIPPED * DIMENSIONS).toString('base64')}',
  scale: ${vectors.scale},
  filters:
    '${Buffer.concat(filters.map(({ bytes }) => bytes)).toString('base64')}',
  filterScales: [${filters.map(({ scale }) => scale).join(', ')}],
  layers:
    '${Buffer.concat(layers).toString('base64')}',
  inputs: ${INDICATED + INDICATIONS.length},
}
`,
  )
}

function inBytes(values: Float32Array | Int8Array): { bytes: Buffer; scale: number } {
  let most = 0
  for (const value of values) most = Math.max(most, Math.abs(value))
  const scale = most / 127
  return { bytes: Buffer.from(Int8Array.from(values, (value) => Math.round(value / scale)).buffer), scale }
}

/** With escapes in place of other characters, for which an engine would store the whole file in two bytes a character. */
function inAscii(text: string): string {
  return text.replace(/[^ -~]/gu, (other) => `\\u{${other.codePointAt(0)?.toString(16)}}`)
}
