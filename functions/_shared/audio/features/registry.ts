import { AUDIO_DEFINITIONS, type AudioFeatureName } from '../../features/audio.ts'
import { type Extractors, namesOf } from '../../features/definition.ts'
import type { Conditions } from '../conditions.ts'
import type { RecordingMeasures } from '../recording-measures.ts'
import { PROSODY } from './prosody.ts'
import { SPEECH_DYNAMICS } from './speech-dynamics.ts'
import { VOICE_QUALITY } from './voice-quality.ts'

const EXTRACTORS: Extractors<AudioFeatureName, RecordingMeasures> = {
  ...PROSODY,
  ...SPEECH_DYNAMICS,
  ...VOICE_QUALITY,
}

/** The features of a spoken recording and what measures them, in the order in which they are stored. */
export const AUDIO_FEATURES = namesOf(AUDIO_DEFINITIONS).map((name) => ({
  name,
  extract: EXTRACTORS[name],
  needs: AUDIO_DEFINITIONS[name].needs,
  isScored: AUDIO_DEFINITIONS[name].norm.direction !== 0,
}))

export type AudioFeature = (typeof AUDIO_FEATURES)[number]

/** Whether a feature can be known under these conditions. */
export function isKnown({ needs }: Pick<AudioFeature, 'needs'>, { snrDb, reverberant }: Conditions): boolean {
  return (snrDb ?? 0) >= needs.snrDb && !(needs.noEcho && reverberant)
}
