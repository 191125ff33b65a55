import type { FeatureNorm } from '../features/definition.ts'

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
