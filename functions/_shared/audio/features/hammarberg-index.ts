import type { RecordingMeasures } from '../recording-measures.ts'
import { mean } from '../statistics.ts'

/**
 * Mean over the voiced frames of the strongest spectral peak under 2 kHz over that of 2 to 5 kHz, in dB (about 10 to
 * 40). Spectra as in `alpha_ratio_db`. Hammarberg et al. (1980) as in eGeMAPS: Eyben et al. (2016), IEEE Transactions
 * on Affective Computing 7, 190-202.
 */
export function hammarbergIndex(measures: RecordingMeasures): number | null {
  return mean(measures.hammarbergDb)
}
