import { ServiceError } from './errors.ts'

/** What an analysis needs the student's consent for. */
export type ConsentKind = 'audio' | 'camera' | 'text'

const UNAGREED: Readonly<Record<ConsentKind, string>> = {
  audio: 'The student has not agreed to the analysis of voice.',
  camera: 'The student has not agreed to the analysis of stills.',
  text: 'The student has not agreed to the analysis of words.',
}

/** The refusal of a use that the student has not agreed to. */
export function consentRequired(kind: ConsentKind): ServiceError {
  return new ServiceError('consent_required', UNAGREED[kind], { kind })
}
