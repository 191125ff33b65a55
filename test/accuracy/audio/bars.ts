/** How far a measure may lie from its reference: in its own unit, or as a part of the reference. */
export interface Bar {
  measure: string
  limit: number
  relative: boolean
}

const absolute = (measure: string, limit: number): Bar => ({ measure, limit, relative: false })
const relative = (measure: string, limit: number): Bar => ({ measure, limit, relative: true })

/** Measures held to a bar on every recording. */
export const BARS: Bar[] = [
  relative('f0_mean_hz', 0.005),
  relative('f0_sd_semitones', 0.03),
  relative('jitter_local', 0.05),
  relative('shimmer_local', 0.05),
  absolute('hnr_db', 0.5),
  absolute('cpps_db', 0.5),
  absolute('intensity_mean_db', 0.1),
  absolute('pause_count', 1),
  relative('pause_time_s', 0.05),
  relative('syllable_count', 0.08),
  absolute('alpha_ratio_db', 0.2),
  absolute('hammarberg_index_db', 0.2),
]

/** Further features, of which the table shows the differences. */
export const REPORTED: Omit<Bar, 'limit'>[] = [
  relative('f0_range_semitones', 0),
  relative('f0_slope_semitones_per_s', 0),
  absolute('intensity_sd_db', 0),
  absolute('intensity_range_db', 0),
  absolute('voiced_fraction', 0),
  relative('speech_rate_syllables_per_s', 0),
  relative('articulation_rate_syllables_per_s', 0),
  absolute('phonation_ratio', 0),
  relative('pause_rate_per_min', 0),
  relative('pause_mean_s', 0),
  relative('pause_sd_s', 0),
  relative('long_pause_rate_per_min', 0),
  relative('speech_run_mean_s', 0),
  absolute('voice_break_fraction', 0),
].map(({ measure, relative }) => ({ measure, relative }))
