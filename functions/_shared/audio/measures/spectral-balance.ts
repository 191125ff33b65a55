import { type Kernels, kernels, SLOTS } from '../kernels.ts'
import { ANALYSIS_RATE_HZ, type FrameGrid, type Signal } from '../signal.ts'

const WINDOW_SAMPLES = 0.02 * ANALYSIS_RATE_HZ
export const FFT_SIZE = 512
const BIN_HZ = ANALYSIS_RATE_HZ / FFT_SIZE
const bin = (hertz: number) => Math.round(hertz / BIN_HZ)

const hamming = Float64Array.from(
  { length: WINDOW_SAMPLES },
  (_, i) => 0.54 - 0.46 * Math.cos((2 * Math.PI * i) / (WINDOW_SAMPLES - 1)),
)

interface SpectralBalance {
  /** Energy of 50 Hz to 1 kHz over that of 1 to 5 kHz, in dB. */
  alphaRatioDb: Float32Array
  /** Strongest peak of 0 to 2 kHz over that of 2 to 5 kHz, in dB. */
  hammarbergDb: Float32Array
}

/**
 * The balance of low and high frequencies in frames `from` to `to`: the power spectrum of 20 ms under a Hamming window
 * (eGeMAPS: Eyben et al. 2016, IEEE Transactions on Affective Computing 7). Frames for which `isMeasured` returns false get 0.
 *
 * @param see is given each measured frame's power spectrum, whose bins lie `SLOTS` apart, until it returns
 */
export function measureSpectralBalance(
  signal: Signal,
  grid: FrameGrid,
  from: number,
  to: number,
  isMeasured: (frame: number) => boolean,
  see: (frame: number, power: Float32Array) => void,
): SpectralBalance {
  const alphaRatioDb = new Float32Array(to - from)
  const hammarbergDb = new Float32Array(to - from)
  const memory = kernels()
  const { run } = memory
  const samples = memory.placeSamples(signal.samples)
  const window = memory.place(hamming)
  const batch = memory.floats(run.batch.value, SLOTS * FFT_SIZE)
  // The frequency bins of one slot lie eight apart.
  const powers = Array.from({ length: SLOTS }, (_, slot) => batch.subarray(slot))
  const sums = memory.floats(run.scratch.value, 4 * SLOTS)

  let waiting: number[] = []
  const measureWaiting = () => {
    run.loadFrames(window, WINDOW_SAMPLES, FFT_SIZE)
    run.transform(FFT_SIZE)
    run.powers(FFT_SIZE)
    sumEnergies(memory, 50, 1000, 0)
    sumEnergies(memory, 1000, 5000, 1)
    run.largestBin(0, bin(2000), 2)
    run.largestBin(bin(2000) + 1, bin(5000), 3)
    waiting.forEach((frame, slot) => {
      const of = (place: number) => sums[SLOTS * place + slot] ?? 0
      alphaRatioDb[frame - from] = ratioDb(of(0), of(1))
      hammarbergDb[frame - from] = ratioDb(of(2), of(3))
      see(frame, powers[slot] ?? batch)
    })
    waiting = []
  }
  for (let frame = from; frame < to; frame++) {
    if (!isMeasured(frame)) continue
    const first =
      Math.round((grid.firstS + frame * grid.stepS) * ANALYSIS_RATE_HZ - WINDOW_SAMPLES / 2) - signal.start
    memory.setFrame(waiting.length, samples.at(first), 0)
    waiting.push(frame)
    if (waiting.length === SLOTS) measureWaiting()
  }
  if (waiting.length > 0) measureWaiting()
  return { alphaRatioDb, hammarbergDb }
}

/** Sums up the energy between two frequencies in each slot; of the bins at its edges the part that lies inside. */
function sumEnergies({ run }: Kernels, fromHz: number, toHz: number, place: number): void {
  const [from, to] = [fromHz / BIN_HZ, toHz / BIN_HZ]
  const [first, last] = [Math.round(from), Math.round(to)]
  run.sumBins(first, last, first + 0.5 - from, to - (last - 0.5), place)
}

function ratioDb(low: number, high: number): number {
  return 10 * Math.log10((low + 1e-20) / (high + 1e-20))
}
