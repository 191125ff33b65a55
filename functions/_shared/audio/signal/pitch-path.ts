import type { PitchCandidates } from './pitch-candidates.ts'
import type { PitchSettings } from './pitch-settings.ts'

/**
 * The most probable sequence of candidates by Viterbi's algorithm (Boersma 1993; Praat's `Pitch_pathFinder`).
 *
 * @param globalPeak the loudest sample of the whole recording
 * @returns the fundamental frequency of each frame in hertz, 0 where it is unvoiced
 */
export function findPitchPath(
  candidates: PitchCandidates,
  globalPeak: number,
  settings: PitchSettings,
): Float64Array {
  const { counts, frequencies, strengths, localPeak } = candidates
  const frames = counts.length
  const maxStates = settings.candidates + 1
  const cameFrom = new Uint8Array(frames * maxStates)
  const pitch = new Float64Array(frames)
  let previousScores = new Float64Array(maxStates)
  let scores = new Float64Array(maxStates)
  // Praat's costs are those of steps of 10 ms.
  const costs: TransitionCosts = {
    octaveJump: (settings.octaveJumpCost * 0.01) / settings.stepS,
    voicedUnvoiced: (settings.voicedUnvoicedCost * 0.01) / settings.stepS,
  }
  const previousLog = new Float64Array(maxStates)
  const currentLog = new Float64Array(maxStates)
  let previousStates = 0

  for (let frame = 0; frame < frames; frame++) {
    const states = (counts[frame] ?? 0) + 1
    const unvoiced = unvoicedStrength((localPeak[frame] ?? 0) / globalPeak, settings)
    for (let state = 0; state < states; state++) {
      const at = frame * settings.candidates + state - 1
      const frequency = state === 0 ? 0 : (frequencies[at] ?? 0)
      const voiced = frequency > 0 && frequency < settings.ceilingHz
      currentLog[state] = voiced ? Math.log2(frequency) : -1
      const local = voiced
        ? (strengths[at] ?? 0) - settings.octaveCost * Math.log2(settings.ceilingHz / frequency)
        : unvoiced
      let best = previousStates === 0 ? 0 : Number.NEGATIVE_INFINITY
      for (let previous = 0; previous < previousStates; previous++) {
        const score =
          (previousScores[previous] ?? 0) -
          transitionCost(previousLog[previous] ?? -1, currentLog[state] ?? -1, costs)
        if (score > best) {
          best = score
          cameFrom[frame * maxStates + state] = previous
        }
      }
      scores[state] = best + local
    }
    for (let state = 0; state < states; state++) previousLog[state] = currentLog[state] ?? -1
    ;[previousScores, scores] = [scores, previousScores]
    previousStates = states
  }

  let state = 0
  for (let s = 1; s < previousStates; s++)
    if ((previousScores[s] ?? 0) > (previousScores[state] ?? 0)) state = s
  for (let frame = frames - 1; frame >= 0; frame--) {
    const frequency = state === 0 ? 0 : (frequencies[frame * settings.candidates + state - 1] ?? 0)
    pitch[frame] = frequency < settings.ceilingHz ? frequency : 0
    state = cameFrom[frame * maxStates + state] ?? 0
  }
  return pitch
}

function unvoicedStrength(
  relativePeak: number,
  { silenceThreshold, voicingThreshold }: PitchSettings,
): number {
  const silence = 2 - relativePeak / (silenceThreshold / (1 + voicingThreshold))
  return voicingThreshold + Math.max(0, silence)
}

interface TransitionCosts {
  octaveJump: number
  voicedUnvoiced: number
}

function transitionCost(previousLog: number, currentLog: number, costs: TransitionCosts): number {
  if (previousLog < 0) return currentLog < 0 ? 0 : costs.voicedUnvoiced
  return currentLog < 0 ? costs.voicedUnvoiced : costs.octaveJump * Math.abs(previousLog - currentLog)
}
