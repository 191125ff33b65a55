import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/**
 * Mean over the voiced frames of the energy of 50 Hz to 1 kHz over that of 1 to 5 kHz, in dB (about 0 to 30; a softer
 * voice has more). Power spectra of 20 ms under a Hamming window, every 10 ms, at 16 kHz; frames are voiced by the
 * pitch of `f0_mean_hz`. eGeMAPS: Eyben et al. (2016), IEEE Transactions on Affective Computing 7, 190-202.
 */
export function alphaRatio(measures: RecordingMeasures): number | null {
  return mean(measures.alphaRatioDb)
}
