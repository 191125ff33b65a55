import { LOW_MOOD_THEME } from '../functions/_shared/low-mood.ts'
import { clamp } from '../functions/_shared/numbers.ts'
import type { RiskLevel } from '../functions/_shared/risk-level.ts'
import { fuse } from '../functions/_shared/scoring/fuse.ts'
import { type Rest, riskFloor, withoutEachUnproven } from '../functions/_shared/scoring/interpretation.ts'
import { FEATURE_NORMS } from '../functions/_shared/scoring/scheme.ts'
import { restsOnWordsAlone, UNCERTAIN } from '../functions/_shared/scoring/summary.ts'
import type {
  Driver,
  FusionInput,
  FusionResult,
  Modality,
  ModalityInput,
} from '../functions/_shared/scoring/types.ts'
import { arrayText, copyText } from './copy.ts'
import type { Streams } from './random.ts'

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

type Evidence = { result: FusionResult; moodScore: number | null; crisis: 'none' | 'high' }

/** A check-in with generated features, about `z` population SD on the good side, scored by the service's own fusion. */
export function generateEvidence(random: Streams, stream: number, kind: EvidenceKind, z: number): Evidence {
  const crisis = kind === 'crisis' ? 'high' : 'none'
  const moodScore = random.chance(stream, 0.5)
    ? Math.round(clamp(6 + 1.6 * z + random.normal(stream), 1, 10))
    : null
  const input: FusionInput = {
    audio: generateModality(random, stream, 'audio', z),
    visual: kind === 'without_camera' ? null : generateModality(random, stream, 'visual', z),
    text: generateModality(random, stream, 'text', z),
    ...(kind === 'without_camera' && { missing: { visual: 'no_consent' } }),
    textDetails: {
      themes: generateThemes(random, stream),
      keywords: [],
      crisis: { level: crisis, rule: crisis === 'none' ? null : 'invented' },
      stated_mood: null,
    },
    moodScore,
    baseline: null,
  }
  return { result: fuse(input), moodScore, crisis }
}

/** Seconds of speech, images and words of an ordinary check-in. */
const AMOUNTS: Readonly<Record<Modality, number>> = { audio: 45, visual: 10, text: 140 }

/** Generated features of one modality, each about `z` population SD on the good side. */
export function generateModality(
  random: Streams,
  stream: number,
  modality: Modality,
  z: number,
): NonNullable<ModalityInput> {
  const features: Record<string, number> = {}
  for (const [name, { mean, sd, direction }] of Object.entries(FEATURE_NORMS[modality])) {
    features[name] = mean + (z + 0.7 * random.normal(stream)) * sd * direction
  }
  return {
    features,
    quality: { score: random.between(stream, 0.6, 0.95), reason: null },
    amount: AMOUNTS[modality],
  }
}

function generateThemes(random: Streams, stream: number): string[] {
  const count = Math.floor(random.between(stream, 1, 4))
  return [...new Set(Array.from({ length: count }, () => random.pick(stream, THEMES)))]
}

/** Drivers stored on each side. The service stores up to four, with every feature behind them; one keeps rows small. */
const DRIVERS = 1

/** The part of a check-in's result that is the same for every student, ready for COPY. */
export type StoredEvidence = {
  score: number
  uncertainty: number
  standardError: number
  without: Rest[]
  /** The uncertainty stands for what `isWellMeasured` reads, which a result does not hold; disagreement raises it. */
  wellMeasured: boolean
  mood: number | null
  text: { score: number | null; reason: string | null } | null
  saysLowMood: boolean
  wordsAlone: boolean
  crisis: RiskLevel
  /** The lowest risk level that the crisis check and the mood allow. */
  floor: RiskLevel
  /** The columns score_interval, calibrated, themes, drivers_positive, drivers_negative, drivers, components, separated by tabs. */
  columns: string
  algorithmVersion: string
}

export function storedEvidence({ result, moodScore, crisis }: Evidence): StoredEvidence {
  const positive = strongest(result, ({ contribution }) => contribution > 0)
  const negative = strongest(result, ({ contribution }) => contribution < 0)
  const labels = (drivers: Driver[]) => arrayText(drivers.map(({ label }) => label))
  return {
    score: result.score,
    uncertainty: result.uncertainty,
    standardError: result.standard_error,
    without: withoutEachUnproven(result.components),
    wellMeasured: result.uncertainty < UNCERTAIN,
    mood: moodScore,
    text: result.components.find(({ modality }) => modality === 'text') ?? null,
    saysLowMood: result.themes.includes(LOW_MOOD_THEME),
    wordsAlone: restsOnWordsAlone(result.components),
    crisis,
    floor: riskFloor(crisis, moodScore),
    columns: [
      `{${result.score_interval.join()}}`,
      String(result.calibrated),
      arrayText(result.themes),
      labels(positive),
      labels(negative),
      JSON.stringify([...positive, ...negative]),
      JSON.stringify(result.components),
    ]
      .map(copyText)
      .join('\t'),
    algorithmVersion: result.algorithm_version,
  }
}

function strongest({ drivers }: FusionResult, isOnSide: (driver: Driver) => boolean): Driver[] {
  const byLabel = new Map<string, Driver>()
  for (const driver of drivers.filter(isOnSide)) {
    if (!byLabel.has(driver.label)) byLabel.set(driver.label, driver)
  }
  return [...byLabel.values()].slice(0, DRIVERS)
}

/** Generated features are centred within this many population SD. */
const RANGE_SD = 2.6

/**
 * Generated entries by score, computed once: scoring each of millions of check-ins would take hours, and those with the
 * same score are alike enough.
 */
export class LookupTable<Entry> {
  readonly #byScore: Entry[][] = []
  readonly #random: Streams

  /**
   * @param generate makes an entry whose features lie about `z` population SD on the good side
   * @param scoreOf 0 to 100
   */
  constructor(
    random: Streams,
    size: number,
    generate: (z: number) => Entry,
    scoreOf: (entry: Entry) => number,
  ) {
    this.#random = random
    const found = new Map<number, Entry[]>()
    for (let index = 0; index < size; index++) {
      const entry = generate(-RANGE_SD + (2 * RANGE_SD * index) / (size - 1))
      const score = Math.round(scoreOf(entry))
      found.set(score, [...(found.get(score) ?? []), entry])
    }
    for (let score = 0; score <= 100; score++) {
      const nearest = [...found.keys()].reduce((best, each) =>
        Math.abs(each - score) < Math.abs(best - score) ? each : best,
      )
      this.#byScore.push(found.get(nearest) ?? [])
    }
  }

  /** A random entry among those whose score is nearest. */
  near(stream: number, score: number): Entry {
    return this.#random.pick(stream, this.#byScore[Math.round(clamp(score, 0, 100))] ?? [])
  }
}
