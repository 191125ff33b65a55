import { type Extractors, namesOf } from '../../features/definition.ts'
import { VISUAL_DEFINITIONS, type VisualFeatureName } from '../../features/visual.ts'
import { EXPRESSION } from './expression.ts'
import type { Frames } from './frames.ts'
import { GAZE_AND_POSE } from './gaze-and-pose.ts'

/** What measures each of them. */
export const VISUAL_EXTRACTORS: Extractors<VisualFeatureName, Frames> = { ...EXPRESSION, ...GAZE_AND_POSE }

const VISUAL_FEATURE_NAMES = namesOf(VISUAL_DEFINITIONS)

export type VisualFeatures = Record<VisualFeatureName, number | null>

/** Every feature of the same frames. */
export function extractFeatures(frames: Frames): VisualFeatures {
  return Object.fromEntries(
    VISUAL_FEATURE_NAMES.map((name) => [name, VISUAL_EXTRACTORS[name](frames)]),
  ) as VisualFeatures
}
