import type { FeatureNorm } from './norm.ts'
import { AUDIO_NORMS } from './norms-audio.ts'
import { TEXT_NORMS } from './norms-text.ts'
import { VISUAL_NORMS } from './norms-visual.ts'
import type { ComponentName } from './types.ts'

/**
 * The student's own mood, 1 to 10. The centre is near the mean of single-item wellbeing questions among students; the
 * spread is wider than theirs (about 1.9) so that the whole scale keeps its resolution after squashing. Never blended
 * with the own baseline, so that lasting low mood keeps counting.
 */
const SELF_REPORT_NORMS: Readonly<Record<string, FeatureNorm>> = {
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

/** Reference of every feature that fusion knows, by component; any other feature is ignored. */
export const FEATURE_NORMS: Readonly<Record<ComponentName, Readonly<Record<string, FeatureNorm>>>> = {
  audio: AUDIO_NORMS,
  visual: VISUAL_NORMS,
  text: TEXT_NORMS,
  self_report: SELF_REPORT_NORMS,
}

/** Widest plausible distance from the mean, in SD; beyond it a value is taken for this. */
const PLAUSIBLE_SD = 10

/** The value within plausible bounds, so that one broken measurement cannot spoil a baseline. */
export function plausible(value: number, norm: FeatureNorm): number {
  const reach = PLAUSIBLE_SD * norm.sd
  return Math.min(norm.mean + reach, Math.max(norm.mean - reach, value))
}

/** Name of a feature's series within a baseline. */
export function featureKey(component: ComponentName, feature: string): string {
  return `${component}.${feature}`
}

const KNOWN: ReadonlyArray<{ key: string; norm: FeatureNorm }> = (
  ['audio', 'visual', 'text', 'self_report'] as const
).flatMap((component) =>
  Object.entries(FEATURE_NORMS[component]).map(([name, norm]) => ({
    key: featureKey(component, name),
    norm,
  })),
)

/** Every feature that fusion knows, by its key within a baseline. */
export function knownFeatures(): ReadonlyArray<{ key: string; norm: FeatureNorm }> {
  return KNOWN
}
