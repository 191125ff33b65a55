import { ServiceError } from './errors.ts'

/** What needs the student's consent. */
export type ConsentKind = 'audio' | 'camera' | 'text' | 'support_circle'

const NO_CONSENT: Readonly<Record<ConsentKind, string>> = {
  audio: 'The student has not agreed to the analysis of audio.',
  camera: 'The student has not agreed to the analysis of images.',
  text: 'The student has not agreed to the analysis of text.',
  support_circle: 'The student has not agreed to the support circle.',
}

/** The error of a use that the student has not agreed to. */
export function consentRequired(kind: ConsentKind): ServiceError {
  return new ServiceError('consent_required', NO_CONSENT[kind], { kind })
}
