import { round } from '../functions/_shared/numbers.ts'
import type { RiskLevel } from '../functions/_shared/risk-level.ts'
import { SUMMARY_AUDIO_NORMS } from '../functions/_shared/sessions/audio-analysis.ts'
import { type SessionScore, scoreSession } from '../functions/_shared/sessions/score.ts'
import { type Day, startOfDay } from './calendar.ts'
import { type Alarm, time } from './check-ins.ts'
import { copyRow } from './copy.ts'
import { generateModality, type LookupTable } from './evidence.ts'
import type { Streams } from './random.ts'
import type { StudentTraits } from './wellbeing.ts'

/** Probability of a session on a day: the baseline in the first week of a term, otherwise one on demand. */
const PROBABILITY = { firstWeek: 0.1, term: 0.006, holidays: 0.001 }

const FAILING = 0.05

export const SESSION_COLUMNS = {
  sessions: ['id', 'user_id', 'assessment_type', 'status', 'session_data', 'created_at', 'updated_at'],
  scores: [
    ...['session_id', 'user_id', 'final_score', 'confidence', 'risk_level', 'fusion_score'],
    ...['algorithm_version', 'created_at'],
  ],
} as const

type SessionRows = { sessions: string[]; scores: string[]; alarms: Alarm[] }

/** A session with generated features, about `z` population SD on the good side, scored by the service's own code. */
export function generateSession(random: Streams, stream: number, z: number): SessionScore {
  const audio: Record<string, number> = {}
  for (const [name, { mean, sd, direction }] of Object.entries(SUMMARY_AUDIO_NORMS)) {
    audio[name] = mean + (z + 0.5 * random.normal(stream)) * sd * direction
  }
  const found = { quality: 0.8, quality_reason: null, risk_level: 'none' as RiskLevel }
  const details = { themes: [], keywords: [], stated_mood: null, crisis_rule: null }
  const visual = generateModality(random, stream, 'visual', z)
  const text = generateModality(random, stream, 'text', z)
  return scoreSession(
    {
      consents: { audio: true, visual: true, text: true },
      analyses: {
        audio: {
          ...found,
          measures: { features: audio, mood_score: Math.min(10, Math.max(1, round(6 + 1.6 * z, 0))) },
        },
        visual: { ...found, measures: { features: visual.features } },
        text: { ...found, measures: { features: text.features, ...details } },
      },
      baseline: null,
    },
    [],
  )
}

/** The assessment sessions of one day. */
export function sessionsOf(
  day: Day,
  students: readonly { id: string; university: { timeZone: string }; traits: StudentTraits }[],
  random: Streams,
  scores: LookupTable<SessionScore>,
): SessionRows {
  const rows: SessionRows = { sessions: [], scores: [], alarms: [] }
  const probability = day.isFirstWeekOfTerm
    ? PROBABILITY.firstWeek
    : day.isTerm
      ? PROBABILITY.term
      : PROBABILITY.holidays
  for (const [student, { id, university, traits }] of students.entries()) {
    if (!random.chance(student, probability)) continue
    const atMs = startOfDay(day, university.timeZone) + Math.round(random.between(student, 8, 21) * 3_600_000)
    const session = random.timedUuid(student, atMs)
    const type = day.isFirstWeekOfTerm ? 'baseline' : 'on_demand'
    const failed = random.chance(student, FAILING)
    const data = JSON.stringify({
      platform: random.pick(student, ['ios', 'android']),
      widget_type: 'conversation',
    })
    const endedMs = atMs + 240_000
    const status = failed ? 'failed' : 'completed'
    rows.sessions.push(copyRow([session, id, type, status, data, time(atMs), time(endedMs)]))
    if (failed) continue
    const { fusion_score, risk_level, algorithm_version } = scores.near(
      student,
      traits.usual + 8 * random.normal(student),
    )
    const { final_score, confidence } = fusion_score
    rows.scores.push(
      copyRow([
        ...[session, id, final_score, confidence, risk_level, JSON.stringify(fusion_score)],
        ...[algorithm_version, time(endedMs)],
      ]),
    )
    if (risk_level === 'high')
      rows.alarms.push({ source: 'session', sourceId: session, student, atMs: endedMs })
  }
  return rows
}
