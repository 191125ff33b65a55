import type { Contour } from './recording-measures.ts'
import { vertex } from './signal/sinc-peak.ts'
import type { Speech } from './speech-runs.ts'

/** How far intensity must fall between two nuclei, in dB. */
const MIN_DIP_DB = 2

/**
 * The times of the syllable nuclei in seconds: voiced peaks of intensity within a run of speech, each at least 2 dB over
 * the dip that follows it (de Jong and Wempe 2009, script of 2010).
 *
 * @param intensity in dB, measured with a floor of 50 Hz
 * @param voicing 1 where the pitch frame is voiced, by the script's settings
 */
export function findSyllables(intensity: Contour, voicing: Contour, speech: Speech): number[] {
  const peaks = loudPeaks(intensity, speech.thresholdDb)
  return peaks
    .filter((peak, i) => {
      const next = peaks[i + 1]
      if (!next) return false
      const dip = intensity.values
        .subarray(peak.frame, next.frame + 1)
        .reduce((low, db) => Math.min(low, db), peak.db)
      return Math.abs(peak.db - dip) > MIN_DIP_DB
    })
    .map(({ timeS }) => timeS)
    .filter((timeS) => speech.runs.some(({ startS, endS }) => timeS >= startS && timeS < endS))
    .filter((timeS) => voicing.values[Math.round((timeS - voicing.grid.firstS) / voicing.grid.stepS)] === 1)
}

function loudPeaks(
  { grid, values }: Contour,
  thresholdDb: number,
): { frame: number; timeS: number; db: number }[] {
  const peaks: { frame: number; timeS: number; db: number }[] = []
  values.forEach((at, frame) => {
    const before = values[frame - 1] ?? Number.NaN
    const after = values[frame + 1] ?? Number.NaN
    if (!(at > before && at >= after)) return
    const offset = vertex(before, at, after)
    const db = at + 0.25 * (after - before) * offset
    if (db > thresholdDb) peaks.push({ frame, timeS: grid.firstS + (frame + offset) * grid.stepS, db })
  })
  return peaks
}
