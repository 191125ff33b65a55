import { AUDIO_DEFINITIONS } from './audio.ts'
import type { FeatureDefinition } from './definition.ts'
import { TEXT_DEFINITIONS } from './text.ts'
import { VISUAL_DEFINITIONS } from './visual.ts'

/**
 * Every feature that a check-in is analysed for, by modality. Apart from what measures them, because the fusion and the function
 * that writes exports have no room for what that loads.
 */
export const FEATURES: Readonly<
  Record<'audio' | 'visual' | 'text', Readonly<Record<string, FeatureDefinition>>>
> = {
  audio: AUDIO_DEFINITIONS,
  visual: VISUAL_DEFINITIONS,
  text: TEXT_DEFINITIONS,
}
