/** The inner loops of the audio analysis, in AssemblyScript: what functions/_shared/audio spends its time on. */
export { crossPowers, loadFrames, loadSpans, logPowers, powers } from './batches'
export { smoothedPowerDb, theilLines } from './cepstrum'
export { findMatch, findMaxima, normaliseAutocorrelation, normaliseCrossCorrelation } from './correlation'
export { transform } from './fourier'
export { batch, frames, free, result, rows, scratch } from './memory'
export { largest, meanAbout, resample, weightedPower } from './samples'
export { sincPeak } from './sinc'
export { dot } from './vectors'
