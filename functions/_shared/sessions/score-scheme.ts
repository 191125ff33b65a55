import { CHECK_IN_SCHEME, type Scheme } from '../fusion/index.ts'
import { SUMMARY_AUDIO_NORMS } from './audio-norms.ts'

/**
 * How a session is scored where it differs from a check-in: the voice from a summary in place of a recording, the face
 * from one still in place of 8 to 12, both trusted less. Engineering priors.
 */
export const SESSION_SCHEME: Scheme = {
  norms: { ...CHECK_IN_SCHEME.norms, audio: SUMMARY_AUDIO_NORMS },
  reliability: { ...CHECK_IN_SCHEME.reliability, audio: 0.2, visual: 0.15 },
  version: `${CHECK_IN_SCHEME.version}+session-1.0.0`,
}
