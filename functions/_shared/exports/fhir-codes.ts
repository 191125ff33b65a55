import { FEATURES } from '../features/features.ts'

/** Addresses that the resources of a bundle begin with: names that differ from everybody else's, nothing to be opened. */
export const FHIR_BASE = 'https://student-wellbeing.example.edu/fhir'

/**
 * The service's own codes. No LOINC or SNOMED CT code means what these measures are: a code that nearly fits would be read as
 * something that was never measured.
 */
const CODES = `${FHIR_BASE}/codes/measures`
const RISK_CODES = `${FHIR_BASE}/codes/risk-level`
export const PERSON_IDS = `${FHIR_BASE}/ids/person`
export const CHECK_IN_IDS = `${FHIR_BASE}/ids/check-in`
const UCUM = 'http://unitsofmeasure.org'

const MEASURES: Readonly<Record<string, string>> = {
  'wellbeing-score': 'Wellbeing score of a check-in, 0 to 100; higher is better. Not a clinical scale.',
  'session-score': 'Score of a conversational assessment, 0 to 100; higher is better. Not a clinical scale.',
  uncertainty: 'Uncertainty of the score, 0 (certain) to 1.',
  'score-interval': '90% interval of the score, 0 to 100.',
  calibrated:
    'Whether the interval was fitted to labels; if not, it says how repeatable the score is, not how accurate.',
  'mood-score': 'Mood that the student entered, 1 (worst) to 10 (best).',
  'audio-analysis': 'Features of the voice in a recording.',
  'visual-analysis': 'Features of face and gaze over images.',
  'text-analysis': 'Features of a transcript.',
  quality: 'Reliability of the measures, 0 to 1.',
}

const RISKS: Readonly<Record<string, string>> = {
  none: 'No signs of a crisis were found. This is no reassurance.',
  mild: 'Few or weak signs.',
  moderate: 'Clear signs.',
  high: 'Signs of a crisis.',
}

/** Units of the dictionary in UCUM; others are dimensionless counts or ratios. */
const UCUM_UNITS: Readonly<Record<string, string>> = {
  hertz: 'Hz',
  dB: 'dB',
  'dB re 2e-5 Pa': 'dB',
  seconds: 's',
  'per minute': '/min',
  'syllables per second': '{syllables}/s',
  semitones: '{semitones}',
  'semitones per second': '{semitones}/s',
  degrees: 'deg',
  'per 100 words': '/100{words}',
  words: '{words}',
  'school years': '{school years}',
  score: '{score}',
}

/** A value with its unit, in UCUM. */
export function quantity(value: number, unit: string) {
  return { value, unit, system: UCUM, code: UCUM_UNITS[unit] ?? '1' }
}

/** A range with its unit, in UCUM. */
export function range(low: number, high: number, unit: string) {
  return { low: quantity(low, unit), high: quantity(high, unit) }
}

/** One of the service's own codes, with its meaning. */
export function measure(code: string, text = MEASURES[code] ?? code) {
  return { coding: [{ system: CODES, code }], text }
}

/** A risk level as a code. */
export function riskLevel(level: string) {
  return { coding: [{ system: RISK_CODES, code: level }], text: RISKS[level] ?? level }
}

/** What the codes mean, so that a bundle explains itself. */
export function codeSystems() {
  const features = Object.values(FEATURES).flatMap((modality) =>
    Object.entries(modality).map(([code, { method, unit }]) => ({
      code,
      display: code,
      definition: `${method} Unit: ${unit}.`,
    })),
  )
  const measures = Object.entries(MEASURES).map(([code, definition]) => ({ code, display: code, definition }))
  const risks = Object.entries(RISKS).map(([code, definition]) => ({ code, display: code, definition }))
  return [
    codeSystem(CODES, 'WellbeingMeasures', [...measures, ...features]),
    codeSystem(RISK_CODES, 'WellbeingRiskLevel', risks),
  ]
}

function codeSystem(
  url: string,
  name: string,
  concept: { code: string; display: string; definition: string }[],
) {
  return {
    resourceType: 'CodeSystem' as const,
    url,
    name,
    status: 'active' as const,
    content: 'complete' as const,
    count: concept.length,
    concept,
  }
}
