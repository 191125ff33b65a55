import { SELF_REPORT_NORMS } from '../../../functions/_shared/scoring/norms.ts'
import { daysUntil } from '../../../seed/calendar.ts'
import { CheckInHistory, COLUMNS } from '../../../seed/check-ins.ts'
import { generateEvidence, generateModality, storedEvidence } from '../../../seed/evidence.ts'
import { generateStudents, generateUniversities } from '../../../seed/people.ts'
import { Streams } from '../../../seed/random.ts'
import { generateSession } from '../../../seed/sessions.ts'

type Row = Record<string, unknown>

/** Rows of an export by table. */
export type SeededRows = Readonly<Record<string, readonly Row[]>>

/** What a student of the demonstration data has stored: check-ins with results, features and moods, and a session. */
export type SeededStudent = { id: string; first: string; last: string; rows: SeededRows }

/** Students as `npm run seed` generates them, with features as well, which it leaves out for their size. */
export function seededStudents(count: number, days: number): SeededStudent[] {
  const random = new Streams('exports', count + 1)
  const universities = generateUniversities('exports', 1)
  const students = generateStudents(random, { universities, count, participation: 0.6 })
  const history = new CheckInHistory(random, students, (_, score) =>
    storedEvidence(generateEvidence(random, count, score < 20 ? 'crisis' : 'whole', (score - 50) / 20)),
  )
  const calendar = daysUntil('2026-11-20', days)
  const checkIns: Row[] = []
  const results: Row[] = []
  for (const [index, day] of calendar.entries()) {
    const rows = history.next(day, index / days)
    checkIns.push(...rows.checkIns.map((line) => parsed(COLUMNS.checkIns, line)))
    results.push(...rows.results.map((line) => parsed(COLUMNS.results, line)))
  }
  const byStudent = Map.groupBy(checkIns, ({ user_id }) => user_id)
  const resultsByStudent = Map.groupBy(results, ({ user_id }) => user_id)
  return students.map(({ id, firstName, lastName }) => {
    const own = byStudent.get(id) ?? []
    const complete = own.filter(({ status }) => status === 'complete')
    const features = (modality: 'audio' | 'visual' | 'text') =>
      complete
        .filter(() => random.chance(count, 0.9))
        .map(({ id: check_in_id }) => {
          const { features: measured, quality } = generateModality(random, count, modality, 0)
          const some = Object.entries(measured).map(([name, value]) => [
            name,
            random.chance(count, 0.05) ? null : value,
          ])
          return { check_in_id, ...Object.fromEntries(some), quality: quality.score }
        })
    const session = generateSession(random, count, 0)
    return {
      id,
      first: firstName,
      last: lastName,
      rows: {
        'checkin.check_ins': own,
        'checkin.fusion_results': resultsByStudent.get(id) ?? [],
        'checkin.audio_analysis': features('audio'),
        'checkin.visual_analysis': features('visual'),
        'checkin.text_analysis': features('text'),
        'private.check_in_inputs': complete.map(({ id: check_in_id }, index) => ({
          check_in_id,
          mood_score: index % 2 === 0 ? (SELF_REPORT_NORMS.mood_score?.mean ?? null) : null,
        })),
        'public.session_scores': [
          {
            ...session.fusion_score,
            session_id: random.uuid(count),
            risk_level: 'none',
            algorithm_version: 'sessions-1',
            created_at: '2026-11-20T10:00:00.123456+00:00',
          },
        ],
      },
    }
  })
}

/** A line of COPY's text format as JSON would have it. */
function parsed(columns: readonly string[], line: string): Row {
  const values = line.trimEnd().split('\t')
  return Object.fromEntries(
    columns.map((column, index) => {
      const value = values[index] ?? '\\N'
      if (value === '\\N') return [column, null]
      if (column === 'score_interval') return [column, value.slice(1, -1).split(',').map(Number)]
      return [column, ['score', 'uncertainty'].includes(column) ? Number(value) : value]
    }),
  )
}
