import { MAX_PARTS, type Replicates, replicatesFrom } from '../replicates.ts'
import type { AudioFeature } from './features/registry.ts'
import type { RecordingMeasures } from './recording-measures.ts'
import { type Contour, frameFrom } from './signal.ts'

/** Of what is dear to measure (pitch, loudness, periods) this many seconds are enough to tell how it varies. */
const SAMPLE_S = 60

/** A shorter window holds too little speech to tell one from another. */
const SHORTEST_S = 1.5

/**
 * The features without one window each, of up to eight equally long ones from the first speech to the last. What has no time of its own
 * (frames that were kept for being voiced or holding sound) is left out by its place.
 */
export function withoutWindows(measures: RecordingMeasures, features: readonly AudioFeature[]): Replicates {
  const { runs } = measures.speech
  const startS = runs[0]?.startS ?? 0
  const spanS = (runs.at(-1)?.endS ?? 0) - startS
  const count = Math.min(MAX_PARTS, Math.floor(spanS / SHORTEST_S))
  const sample = sampled(measures, startS, spanS / count)
  const scored = features.filter(({ isScored }) => isScored)
  return replicatesFrom(
    Array.from({ length: count }, (_, index) => {
      const rest = without(sample, startS, spanS, index / count, (index + 1) / count)
      return Object.fromEntries(scored.map(({ name, extract }) => [name, extract(rest)]))
    }),
  )
}

/** The measures with pitch, loudness and periods of the beginning of each window alone, so that a long recording costs no more. */
function sampled(measures: RecordingMeasures, firstS: number, windowS: number): RecordingMeasures {
  const keptS = SAMPLE_S / MAX_PARTS
  if (windowS <= keptS) return measures
  const isKept = (timeS: number) => (timeS - firstS) % windowS < keptS
  const keep = ({ grid, values }: Contour): Contour => ({
    grid,
    values: values.map((value, frame) => (isKept(grid.firstS + frame * grid.stepS) ? value : Number.NaN)),
  })
  return {
    ...measures,
    pitch: keep(measures.pitch),
    intensity: keep(measures.intensity),
    pulses: measures.pulses.filter(({ timeS }) => isKept(timeS)),
  }
}

/** The measures without a share of the speech: missing, as a slice is that could not be analysed. */
function without(
  measures: RecordingMeasures,
  firstS: number,
  spanS: number,
  from: number,
  to: number,
): RecordingMeasures {
  const [startS, endS] = [firstS + from * spanS, firstS + to * spanS]
  const isOutside = (timeS: number) => timeS < startS || timeS >= endS
  const byPlace = (values: number[]) =>
    values.slice(0, Math.round(from * values.length)).concat(values.slice(Math.round(to * values.length)))
  const { runs, pauses } = measures.speech
  return {
    ...measures,
    pitch: withoutFrames(measures.pitch, startS, endS),
    intensity: withoutFrames(measures.intensity, startS, endS),
    cepstralProminenceDb: byPlace(measures.cepstralProminenceDb),
    harmonicityDb: byPlace(measures.harmonicityDb),
    alphaRatioDb: byPlace(measures.alphaRatioDb),
    hammarbergDb: byPlace(measures.hammarbergDb),
    pulses: measures.pulses.filter(({ timeS }) => isOutside(timeS)),
    speech: {
      ...measures.speech,
      runs: runs.flatMap((run) =>
        [
          { startS: run.startS, endS: Math.min(run.endS, startS) },
          { startS: Math.max(run.startS, endS), endS: run.endS },
        ].filter((piece) => piece.endS > piece.startS),
      ),
      pauses: pauses.filter((pause) => isOutside((pause.startS + pause.endS) / 2)),
    },
    syllables: measures.syllables.filter(isOutside),
  }
}

function withoutFrames({ grid, values }: Contour, startS: number, endS: number): Contour {
  return { grid, values: values.slice().fill(Number.NaN, frameFrom(grid, startS), frameFrom(grid, endS)) }
}
