import {
  FEATURE_NORMS,
  type FusionInput,
  type FusionResult,
  fuse,
  type Modality,
  type ModalityInput,
} from '../../functions/_shared/fusion/index.ts'
import { clamp } from '../../functions/_shared/numbers.ts'
import type { Streams } from '../random.ts'

const THEMES = [
  'sleep',
  'exams',
  'studies',
  'friends',
  'family',
  'loneliness',
  'money',
  'work',
  'health',
  'exercise',
]

/** What a check-in rests on. */
export type EvidenceKind = 'whole' | 'without_camera' | 'crisis'

export type Evidence = { result: FusionResult; moodScore: number | null; crisis: 'none' | 'high' }

/** A check-in with invented measures, about `z` population SD on the good side, scored as the service scores. */
export function inventEvidence(random: Streams, stream: number, kind: EvidenceKind, z: number): Evidence {
  const crisis = kind === 'crisis' ? 'high' : 'none'
  const moodScore = random.chance(stream, 0.5)
    ? Math.round(clamp(6 + 1.6 * z + random.normal(stream), 1, 10))
    : null
  const input: FusionInput = {
    audio: inventModality(random, stream, 'audio', z),
    visual: kind === 'without_camera' ? null : inventModality(random, stream, 'visual', z),
    text: inventModality(random, stream, 'text', z),
    ...(kind === 'without_camera' && { missing: { visual: 'no_consent' } }),
    textDetails: {
      themes: inventThemes(random, stream),
      keywords: [],
      crisis: { level: crisis, rule: crisis === 'none' ? null : 'invented' },
      stated_mood: null,
    },
    moodScore,
    baseline: null,
  }
  return { result: fuse(input), moodScore, crisis }
}

/** A modality's features, each about `z` population SD on the good side. */
export function inventModality(
  random: Streams,
  stream: number,
  modality: Modality,
  z: number,
): NonNullable<ModalityInput> {
  const features: Record<string, number> = {}
  for (const [name, { mean, sd, direction }] of Object.entries(FEATURE_NORMS[modality])) {
    features[name] = mean + (z + 0.7 * random.normal(stream)) * sd * direction
  }
  return { features, quality: { score: random.between(stream, 0.6, 0.95), reason: null } }
}

function inventThemes(random: Streams, stream: number): string[] {
  const count = Math.floor(random.between(stream, 1, 4))
  return [...new Set(Array.from({ length: count }, () => random.pick(stream, THEMES)))]
}
