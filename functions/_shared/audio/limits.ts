/** Longest recording that is analysed, in seconds. */
export const MAX_RECORDING_S = 1200

/** Shortest recording that can hold a spoken sentence, in seconds. */
export const MIN_RECORDING_S = 1

/** Longest part of a recording that one request analyses, in seconds: what fits the platform's CPU limit. */
export const MAX_SLICE_S = 60

/** How far a file may fall short of the length that it declares before it counts as cut off, in seconds. */
export const TRUNCATION_TOLERANCE_S = 0.25

/** Sample rate at which everything is measured, in hertz. */
export const ANALYSIS_RATE_HZ = 16000
