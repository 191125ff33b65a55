import * as z from 'zod'

/**
 * How weights are stored, row by row:
 *
 * - `f32`: little-endian floats;
 * - `q8`: a signed byte a weight, and after all rows a float for each of them, by which its weights are multiplied;
 * - `q4`: for every 32 weights a 16-bit float, by which they are multiplied, and 16 bytes: the low half of byte j is weight j, the high
 *   half is weight j + 16, both 8 more than they are.
 */
const DTYPES = ['f32', 'q8', 'q4'] as const

const count = z.int().positive().max(1e6)
const piece = z.int().nonnegative()
const finite = z.number()

/** `model.json` of the crisis model's pack. `prefix`, `suffix` and `unknown` are numbers of pieces. */
const declaration = z.object({
  layers: count.max(48),
  hidden: count.max(2048),
  heads: count.max(64),
  intermediate: count.max(2048),
  /** Of the layer normalisation. */
  eps: z.number().positive(),
  /** Tokens in a window at most. */
  positions: count.max(8192),
  /** Whether the vocabulary has no capital letters. */
  lowercase: z.boolean().default(false),
  prefix: z.array(piece),
  suffix: z.array(piece),
  unknown: piece,
  /** What a character that no piece begins with counts. */
  unknownScore: finite,
  /** A window is so many `words`, from one to the next it is `every` words, and at most `tokens` of it are read. */
  windows: z.object({ words: count.max(1000), every: count.max(1000), tokens: count.max(254) }),
  /** Windows that are read at most. */
  budget: count,
  /**
   * What makes a probability of log-odds: those of a text are lowered by `perLogWindow` times the logarithm of its windows, and then
   * multiplied by `slope`.
   */
  calibration: z.object({ slope: finite, intercept: finite, perLogWindow: finite }),
  tensors: z.record(
    z.string(),
    z.object({
      dtype: z.enum(DTYPES),
      shape: z.array(count).min(1).max(2),
      offset: z.int().nonnegative(),
    }),
  ),
})
export type Declaration = z.infer<typeof declaration>

/** The stored form of one tensor: `columns` weights in each of so many rows. */
export interface Tensor {
  dtype: (typeof DTYPES)[number]
  rows: number
  columns: number
  bytes: Uint8Array
}

/** Weights of a group that share a scale, in `q4`, and the bytes that they take. */
const GROUP = { weights: 32, bytes: 18 }

/** Bytes of a tensor's row, of its scale apart. */
export function rowBytes({ dtype, columns }: Pick<Tensor, 'dtype' | 'columns'>): number {
  if (dtype === 'f32') return 4 * columns
  return dtype === 'q8' ? columns : (columns / GROUP.weights) * GROUP.bytes
}

/** What `model.json` and `weights.bin` say, checked against each other. */
export interface Weights {
  declared: Declaration
  /** @throws when there is none of that name, or of another shape; a vector is one row */
  tensor(name: string, rows: number, columns: number): Tensor
  /** Rows of a tensor of so many columns. */
  rowsOf(name: string): number
}

/**
 * Reads the declaration of a model and finds its tensors.
 *
 * @throws when it declares anything that cannot be, or more than there are bytes
 */
export function readWeights(modelJson: Uint8Array, bytes: Uint8Array): Weights {
  const declared = readDeclaration(modelJson)
  const { hidden, heads, intermediate, positions, prefix, suffix, windows } = declared
  demand(hidden % heads === 0 && (hidden / heads) % 8 === 0, 'the size of a head is no multiple of 8')
  demand(intermediate % 8 === 0, 'intermediate is no multiple of 8')
  demand(windows.every <= windows.words, 'words between the windows would never be read')
  const specials = prefix.length + suffix.length
  demand(
    specials + windows.tokens <= Math.min(positions, WINDOW_TOKENS),
    'a window has more tokens than positions',
  )
  const tensors = findTensors(declared.tensors, bytes)
  const named = (name: string) => {
    const tensor = tensors.get(name)
    if (!tensor) throw new Error(`The crisis model has no tensor ${name}`)
    return tensor
  }
  return {
    declared,
    tensor(name, rows, columns) {
      const tensor = named(name)
      if (tensor.rows !== rows || tensor.columns !== columns) {
        const shape = `${tensor.rows} × ${tensor.columns}`
        throw new Error(`The crisis model's tensor ${name} is ${shape}, not ${rows} × ${columns}`)
      }
      return tensor
    },
    rowsOf: (name) => named(name).rows,
  }
}

/** Tokens of a window at most, those before and after its text included. */
export const WINDOW_TOKENS = 256

function readDeclaration(modelJson: Uint8Array): Declaration {
  try {
    return declaration.parse(JSON.parse(new TextDecoder().decode(modelJson)))
  } catch (cause) {
    throw new Error('The crisis model is not declared as it must be', { cause })
  }
}

function findTensors(declared: Declaration['tensors'], bytes: Uint8Array): Map<string, Tensor> {
  const tensors = new Map<string, Tensor>()
  let end = 0
  const inOrder = Object.entries(declared).sort(([, a], [, b]) => a.offset - b.offset)
  for (const [name, { dtype, shape, offset }] of inOrder) {
    const [rows, columns] = shape.length === 2 ? [shape[0] ?? 0, shape[1] ?? 0] : [1, shape[0] ?? 0]
    demand(dtype !== 'q4' || columns % GROUP.weights === 0, `a row of tensor ${name} is no multiple of 32`)
    demand(offset >= end, `tensor ${name} lies over another`)
    end = offset + rows * rowBytes({ dtype, columns }) + (dtype === 'q8' ? 4 * rows : 0)
    demand(end <= bytes.length, `the weights end before tensor ${name} does`)
    const tensor: Tensor = { dtype, rows, columns, bytes: bytes.subarray(offset, end) }
    demand(dtype === 'q4' || hasFloats(tensor), `tensor ${name} has a number that is none`)
    tensors.set(name, tensor)
  }
  return tensors
}

/** Whether all floats are numbers: weights of `f32`, scales of `q8`. */
function hasFloats({ dtype, rows, columns, bytes }: Tensor): boolean {
  const numbers = floatsOf(bytes.subarray(dtype === 'q8' ? rows * columns : 0))
  return numbers.every(Number.isFinite)
}

/** Little-endian floats; copied, since they may begin anywhere. */
export function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer)
}

function demand(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(`The crisis model cannot be used: ${otherwise}`)
}
