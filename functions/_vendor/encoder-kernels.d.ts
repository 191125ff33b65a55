/** What vendor/encoder-kernels exports; what each function does is said there. Addresses and counts are whole numbers. */
export interface EncoderKernels {
  addBytes(from: number, scale: number, columns: number, to: number): void
  addFloats(from: number, columns: number, to: number): void
  addNibbles(from: number, columns: number, to: number): void
  arrangeRows(from: number, rows: number, columns: number, to: number): void
  bytesFromNibbles(from: number, columns: number, to: number): number
  quantise(from: number, rows: number, columns: number, to: number, scales: number): void
  multiply(
    weights: number,
    weightScales: number,
    biases: number,
    outputs: number,
    activations: number,
    activationScales: number,
    tokens: number,
    columns: number,
    to: number,
    room: number,
  ): void
  attend(from: number, tokens: number, hidden: number, heads: number, to: number, room: number): void
  gelu(at: number, count: number): void
  addAndNormalise(
    x: number,
    added: number,
    rows: number,
    columns: number,
    weights: number,
    biases: number,
    epsilon: number,
  ): void
  mean(from: number, rows: number, columns: number, to: number): void
  dense(weights: number, biases: number, outputs: number, from: number, columns: number, to: number): void
}

export declare const createKernels: (memory: WebAssembly.Memory) => EncoderKernels
