import { createHash } from 'node:crypto'
import type { FeatureDefinition } from '../features/definition.ts'
import { FEATURES } from '../features/features.ts'
import {
  CHECK_IN_IDS,
  codeSystems,
  FHIR_BASE,
  measure,
  PERSON_IDS,
  quantity,
  range,
  riskLevel,
} from './fhir-codes.ts'
import type { Row } from './relations.ts'

/** Of whom and when a bundle is; `name` is null unless the person chose to have it in. */
type BundleOf = {
  userId: string
  exportId: string
  createdAt: string
  name: { first: string; last: string } | null
}

type Resource = { resourceType: string } & Record<string, unknown>
type Entry = { fullUrl: string; resource: Resource }
/** Relative, as the addresses of all entries begin alike. */
type Reference = { reference: string }
type Add = (of: string, content: Resource) => Reference

const ABSENT = {
  coding: [
    {
      system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason',
      code: 'unknown',
      display: 'Unknown',
    },
  ],
}

/**
 * The check-ins and sessions of a person as a FHIR R4 Bundle (collection): Patient, a Device for each version of the algorithm,
 * and for each check-in an Observation per analysis and of the score, a RiskAssessment and a Provenance. Its own codes are in
 * CodeSystems of the same bundle. https://hl7.org/fhir/R4/bundle.html
 *
 * @param rowsNamed rows of the export by table, such as `checkin.check_ins`
 */
export function fhirBundle(rowsNamed: (table: string) => readonly Row[], of: BundleOf) {
  const entries: Entry[] = []
  /** Adds a resource and returns the reference to it. The same row has the same address in every export. */
  const add: Add = (of, content) => {
    const id = uuidOf(`${content.resourceType} ${of}`)
    const reference = `${content.resourceType}/${id}`
    entries.push({ fullUrl: `${FHIR_BASE}/${reference}`, resource: { ...content, id } })
    return { reference }
  }

  for (const system of codeSystems()) add(system.url, system)
  const subject = add(of.userId, patient(of))
  const devices = new Map<string, Reference>()
  const deviceOf = (version: string): Reference => {
    const known = devices.get(version) ?? add(version, device(version))
    devices.set(version, known)
    return known
  }

  const byCheckIn = (table: string) => new Map(rowsNamed(table).map((row) => [text(row.check_in_id), row]))
  const results = byCheckIn('checkin.fusion_results')
  const inputs = byCheckIn('private.check_in_inputs')
  const analyses = {
    audio: byCheckIn('checkin.audio_analysis'),
    visual: byCheckIn('checkin.visual_analysis'),
    text: byCheckIn('checkin.text_analysis'),
  }
  for (const checkIn of rowsNamed('checkin.check_ins')) {
    const id = text(checkIn.id)
    const result = results.get(id)
    const at = text(checkIn.completed_at ?? checkIn.submitted_at ?? checkIn.created_at)
    const maker = result && deviceOf(text(result.algorithm_version))
    const common = {
      status: 'final',
      subject,
      effectiveDateTime: text(checkIn.submitted_at ?? checkIn.created_at),
      identifier: [{ system: CHECK_IN_IDS, value: id }],
    }
    const evidence: Reference[] = []
    for (const modality of ['audio', 'visual', 'text'] as const) {
      const row = analyses[modality].get(id)
      if (!row) continue
      evidence.push(
        add(`${modality} ${id}`, {
          resourceType: 'Observation',
          ...common,
          code: measure(`${modality}-analysis`),
          component: [
            ...Object.entries(FEATURES[modality]).map(([feature, meaning]) =>
              component(feature, row[feature], meaning),
            ),
            {
              code: measure('quality'),
              ...valueOrAbsent(row.quality, 'fraction'),
            },
          ],
        }),
      )
    }
    const mood = inputs.get(id)?.mood_score
    if (typeof mood === 'number') {
      evidence.push(
        add(`mood ${id}`, {
          resourceType: 'Observation',
          ...common,
          code: measure('mood-score'),
          performer: [subject],
          valueQuantity: quantity(mood, 'score'),
        }),
      )
    }
    const outcome: Reference[] = []
    if (result && maker) {
      outcome.push(
        add(`score ${id}`, {
          resourceType: 'Observation',
          ...common,
          issued: text(result.created_at),
          code: measure('wellbeing-score'),
          device: maker,
          valueQuantity: quantity(Number(result.score), 'score'),
          component: [
            {
              code: measure('uncertainty'),
              valueQuantity: quantity(Number(result.uncertainty), 'fraction'),
            },
            ...intervalOf(result.score_interval, result.calibrated),
          ],
          ...(evidence.length > 0 && { derivedFrom: evidence }),
        }),
      )
    }
    if (typeof checkIn.risk_level === 'string') {
      outcome.push(
        add(`risk ${id}`, {
          resourceType: 'RiskAssessment',
          status: 'final',
          identifier: common.identifier,
          subject,
          occurrenceDateTime: at,
          ...(maker && { performer: maker }),
          ...(evidence.length > 0 && { basis: evidence }),
          prediction: [{ outcome: { text: 'Crisis' }, qualitativeRisk: riskLevel(checkIn.risk_level) }],
        }),
      )
    }
    if (maker && outcome.length > 0) add(`check-in ${id}`, provenance(outcome, evidence, maker, at))
  }
  addSessions(rowsNamed, subject, add, deviceOf)

  return {
    resourceType: 'Bundle',
    id: of.exportId,
    type: 'collection',
    timestamp: of.createdAt,
    entry: entries,
  }
}

function addSessions(
  rowsNamed: (table: string) => readonly Row[],
  subject: Reference,
  add: Add,
  deviceOf: (version: string) => Reference,
): void {
  for (const score of rowsNamed('public.session_scores')) {
    const id = text(score.session_id)
    const at = text(score.created_at)
    const maker = deviceOf(text(score.algorithm_version))
    const observation = add(`session score ${id}`, {
      resourceType: 'Observation',
      status: 'final',
      subject,
      effectiveDateTime: at,
      code: measure('session-score'),
      device: maker,
      ...valueOrAbsent(score.final_score, 'score'),
      ...sessionInterval(score.fusion_score),
    })
    const outcome = [observation]
    if (typeof score.risk_level === 'string') {
      outcome.push(
        add(`session risk ${id}`, {
          resourceType: 'RiskAssessment',
          status: 'final',
          subject,
          occurrenceDateTime: at,
          performer: maker,
          basis: [observation],
          prediction: [{ outcome: { text: 'Crisis' }, qualitativeRisk: riskLevel(score.risk_level) }],
        }),
      )
    }
    add(`session ${id}`, provenance(outcome, [], maker, at))
  }
}

function patient({ userId, name }: BundleOf): Resource {
  const names = name && [name.first, name.last].some(Boolean)
  return {
    resourceType: 'Patient',
    identifier: [{ system: PERSON_IDS, value: userId }],
    ...(names && {
      name: [
        {
          use: 'usual',
          ...(name.last && { family: name.last }),
          ...(name.first && { given: [name.first] }),
        },
      ],
    }),
  }
}

/** The software that made a score. */
function device(version: string): Resource {
  return {
    resourceType: 'Device',
    status: 'active',
    deviceName: [{ name: 'Student wellbeing scoring', type: 'model-name' }],
    type: { text: 'Algorithm that scores check-ins' },
    version: [{ value: version }],
  }
}

/** Who made what from what: the algorithm, from the analyses. */
function provenance(target: Reference[], evidence: Reference[], maker: Reference, at: string): Resource {
  return {
    resourceType: 'Provenance',
    target,
    occurredDateTime: at,
    recorded: at,
    agent: [
      {
        type: {
          coding: [
            {
              system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type',
              code: 'assembler',
              display: 'Assembler',
            },
          ],
        },
        who: maker,
      },
    ],
    ...(evidence.length > 0 && { entity: evidence.map((what) => ({ role: 'source', what })) }),
  }
}

function component(feature: string, value: unknown, { unit }: FeatureDefinition) {
  return { code: measure(feature, feature), ...valueOrAbsent(value, unit) }
}

/** The interval of a score, and whether it is one of accuracy; nothing for scores of versions that had none. */
function intervalOf(interval: unknown, calibrated: unknown) {
  const [low, high] = Array.isArray(interval) ? interval.map(Number) : []
  if (low === undefined || high === undefined) return []
  return [
    { code: measure('score-interval'), valueRange: range(low, high, 'score') },
    { code: measure('calibrated'), valueBoolean: calibrated === true },
  ]
}

/** The same of a session, whose score is stored as it was returned. */
function sessionInterval(score: unknown) {
  const returned = new Map(Object.entries(score ?? {}))
  const component = intervalOf(returned.get('score_interval'), returned.get('calibrated'))
  return component.length > 0 ? { component } : {}
}

function valueOrAbsent(value: unknown, unit: string) {
  return typeof value === 'number' ? { valueQuantity: quantity(value, unit) } : { dataAbsentReason: ABSENT }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A UUID from a name (RFC 9562, version 8 with SHA-256). */
function uuidOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex')
  const variant = ((Number.parseInt(hash.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
