import { CANDIDATES } from './memory'

/** What a path through pitch candidates costs: 64-bit floats, one after another. */
@unmanaged
export class PathCosts {
  ceilingHz: f64
  silenceThreshold: f64
  voicingThreshold: f64
  octave: f64
  octaveJump: f64
  voicedUnvoiced: f64
  /** The loudest sample of the whole recording. */
  peak: f64
}

/** The unvoiced state of a frame, its candidates, and what makes an even number. */
const STATES: i32 = CANDIDATES + 2

/** Of the last frame's states and of this one's, in turns: the best score, and the frequency in octaves over 1 Hz, -1 for unvoiced. */
const scores: usize = memory.data(2 * 8 * STATES, 16)
const octaves: usize = memory.data(2 * 8 * STATES, 16)

/**
 * The most probable sequence of pitch candidates by Viterbi's algorithm (Boersma 1993; Praat's `Pitch_pathFinder`).
 *
 * @param counts how many candidates each frame has, a byte each; of more than `CANDIDATES` the rest are left out
 * @param hertz the candidates' frequencies, frame after frame, with the correlation of each in `strengths`
 * @param cameFrom room for 16 bytes a frame
 * @param path where each frame's frequency goes, a 32-bit float; 0 where it is unvoiced
 */
export function findPitchPath(
  frames: i32,
  counts: usize,
  hertz: usize,
  strengths: usize,
  localPeaks: usize,
  costs: PathCosts,
  cameFrom: usize,
  path: usize,
): void {
  let before = 0
  let candidate = 0
  for (let frame = 0; frame < frames; frame++) {
    const count = <i32>load<u8>(counts + frame)
    const states = min(count, CANDIDATES) + 1
    const turn = 8 * STATES * (frame & 1)
    const last = 8 * STATES - turn
    for (let state = 0; state < states; state++) {
      const at = 4 * (candidate + state - 1)
      const frequency = state === 0 ? 0 : <f64>load<f32>(hertz + at)
      const isVoiced = frequency > 0 && frequency < costs.ceilingHz
      const octave = isVoiced ? Math.log2(frequency) : -1
      let local: f64
      if (isVoiced) {
        local = <f64>load<f32>(strengths + at) - costs.octave * Math.log2(costs.ceilingHz / frequency)
      } else {
        local = unvoicedStrength(<f64>load<f32>(localPeaks + 4 * frame) / costs.peak, costs)
      }
      let best: f64 = before === 0 ? 0 : -Infinity
      let from = 0
      for (let previous = 0; previous < before; previous++) {
        const cost = transitionCost(load<f64>(octaves + last + 8 * previous), octave, costs)
        const score = load<f64>(scores + last + 8 * previous) - cost
        if (score > best) {
          best = score
          from = previous
        }
      }
      store<u8>(cameFrom + STATES * frame + state, from)
      store<f64>(octaves + turn + 8 * state, octave)
      store<f64>(scores + turn + 8 * state, best + local)
    }
    candidate += count
    before = states
  }

  const turn = 8 * STATES * ((frames - 1) & 1)
  let state = 0
  for (let s = 1; s < before; s++) {
    if (load<f64>(scores + turn + 8 * s) > load<f64>(scores + turn + 8 * state)) state = s
  }
  for (let frame = frames - 1; frame >= 0; frame--) {
    candidate -= <i32>load<u8>(counts + frame)
    const frequency: f32 = state === 0 ? 0 : load<f32>(hertz + 4 * (candidate + state - 1))
    store<f32>(path + 4 * frame, <f64>frequency < costs.ceilingHz ? frequency : 0)
    state = <i32>load<u8>(cameFrom + STATES * frame + state)
  }
}

function unvoicedStrength(relativePeak: f64, costs: PathCosts): f64 {
  const silence = 2 - relativePeak / (costs.silenceThreshold / (1 + costs.voicingThreshold))
  return costs.voicingThreshold + Math.max(0, silence)
}

function transitionCost(before: f64, after: f64, costs: PathCosts): f64 {
  if (before < 0) return after < 0 ? 0 : costs.voicedUnvoiced
  return after < 0 ? costs.voicedUnvoiced : costs.octaveJump * Math.abs(before - after)
}
