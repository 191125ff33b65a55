/**
 * Reference of one feature. `mean` and `sd` are in the feature's unit and describe ordinary speech, faces and language
 * of young adults; they are engineering priors chosen near published ranges and **not validated** on students.
 */
export type FeatureNorm = {
  mean: number
  sd: number
  /** 1: more is better, -1: less is better, 0: followed in the baseline but not scored. */
  direction: 1 | -1 | 0
  /** Share within its modality, relative to its neighbours. */
  weight: number
  /** Up to this many SD on the good side count, so that an extreme does not look like health. */
  cap: number
  /** Greatest weight of the student's own baseline, 0 to 1; small where "usual for me" may itself be distress. */
  personal: number
  /** Plain words when the feature raised the score, and when it lowered it. */
  raised: string
  lowered: string
}

/** A feature that is followed in the baseline but has no agreed good direction. */
export function unscored(mean: number, sd: number): FeatureNorm {
  return { mean, sd, direction: 0, weight: 0, cap: 0, personal: 0, raised: '', lowered: '' }
}

/**
 * The student's own mood, 1 to 10. The centre is near the mean of single-item wellbeing questions among students; the
 * spread is wider than theirs (about 1.9) so that the whole scale keeps its resolution after squashing. Never blended
 * with the own baseline, so that lasting low mood keeps counting.
 */
export const SELF_REPORT_NORMS: Readonly<Record<string, FeatureNorm>> = {
  mood_score: {
    mean: 6,
    sd: 3,
    direction: 1,
    weight: 1,
    cap: 2,
    personal: 0,
    raised: 'the mood you reported',
    lowered: 'the mood you reported',
  },
}
