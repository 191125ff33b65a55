/** An address in the kernels' memory. */
export type Pointer = number

/** Where something lies in the kernels' memory: a `WebAssembly.Global`. */
interface Place {
  readonly value: Pointer
}

/** What vendor/audio-kernels exports; what each function does is said there. */
export interface KernelExports {
  readonly memory: WebAssembly.Memory
  readonly batch: Place
  readonly frames: Place
  readonly rows: Place
  readonly scratch: Place
  readonly result: Place
  readonly free: Place
  /** Pitch candidates of a frame at most. */
  readonly candidates: { readonly value: number }
  loadFrames(window: Pointer, samples: number, size: number): void
  loadSpans(unity: Pointer, fixed: number, span: number, size: number): void
  transform(size: number): void
  powers(size: number): void
  logPowers(size: number): void
  crossPowers(size: number): void
  normaliseAutocorrelation(windowCorrelation: Pointer, lags: number): void
  normaliseCrossCorrelation(windowSamples: number, lags: number): void
  smoothedPowerDb(from: number, to: number, width: number): void
  theilLines(from: number, to: number): void
  heightsOverLines(from: number, to: number): void
  sumBins(first: number, last: number, shareOfFirst: number, shareOfLast: number, place: number): void
  largestBin(from: number, to: number, place: number): void
  strongestMaximum(y: Pointer, length: number, from: number, to: number): number
  choosePitchCandidates(
    y: Pointer,
    lags: number,
    choice: Pointer,
    intoHertz: Pointer,
    intoStrengths: Pointer,
  ): number
  findPitchPath(
    frames: number,
    counts: Pointer,
    hertz: Pointer,
    strengths: Pointer,
    localPeaks: Pointer,
    costs: Pointer,
    cameFrom: Pointer,
    path: Pointer,
  ): void
  findMatch(samples: Pointer, left: number, length: number, minimum: number, maximum: number): number
  peak(from: Pointer, count: number): number
  tidy(from: Pointer, count: number, faintest: number, clipping: number, loudest: number): number
  pulseAmplitudes(
    samples: Pointer,
    start: number,
    rateHz: number,
    times: Pointer,
    count: number,
    into: Pointer,
  ): void
  dot(a: Pointer, b: Pointer, count: number): number
  meanAbout(left: Pointer, half: number): number
  largest(from: Pointer, count: number, mean: number, weights: Pointer): number
  preEmphasise(samples: Pointer, count: number, share: number): void
  weightedPower(from: Pointer, weights: Pointer, count: number): number
  resample(
    input: Pointer,
    inputLength: number,
    inputStart: number,
    output: Pointer,
    outputLength: number,
    firstOutput: number,
    kernels: Pointer,
    offsets: Pointer,
    taps: number,
    phases: number,
    stride: number,
  ): void
}

export function createKernels(): KernelExports
