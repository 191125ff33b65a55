import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type postgres from 'postgres'
import * as z from 'zod'
import {
  fitCalibration,
  LABELS_NEEDED,
  type LabelledScore,
  moodLabel,
} from '../functions/_shared/scoring/calibration.ts'
import { ALGORITHM_VERSION } from '../functions/_shared/scoring/scheme.ts'
import { readLabels } from './calibration-labels.ts'
import { connectTo } from './database.ts'

const USAGE = `Fits the 90% intervals of scores to labels of your own students, for each set of components that scores are made of.

Usage:
  npm run calibrate -- mood --database-url URL
  npm run calibrate -- who5 FILE --database-url URL

mood  The moods of 1 to 10 that students entered with their check-ins, against the score without them.
who5  A CSV file of check_in_id,value: the WHO-5 that the student answered with that check-in, 0 to 100.

Takes each student's latest labelled check-in of version ${ALGORITHM_VERSION}, and at least ${LABELS_NEEDED} students for a set. The URL is
that of the database as postgres, by default SUPABASE_DB_URL. docs/scoring.md`

const component = z.object({ modality: z.string(), score: z.number().nullable(), weight: z.number() })
const scoredCheckIn = z.object({
  check_in_id: z.string(),
  score: z.coerce.number(),
  components: z.array(component),
  mood_score: z.number().nullable(),
})
type ScoredCheckIn = z.infer<typeof scoredCheckIn>

/** `npm run calibrate`: exits with 0 when at least one interval is stored. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'database-url': { type: 'string' } },
  })
  const [instrument, file, ...others] = positionals
  const url = values['database-url'] ?? process.env.SUPABASE_DB_URL
  const isKnown =
    (instrument === 'mood' && file === undefined) || (instrument === 'who5' && file !== undefined)
  if (!url || !isKnown || others.length > 0) throw new Error(USAGE)
  const sql = connectTo(url)
  try {
    const labels = file === undefined ? null : readLabels(readFileSync(file, 'utf8'))
    const checkIns = await latestCheckIns(sql, labels && [...labels.keys()])
    const labelled = checkIns.flatMap((checkIn) =>
      labels === null ? labelledByMood(checkIn) : labelledBy(checkIn, labels.get(checkIn.check_in_id)),
    )
    await fitEach(sql, instrument ?? '', labelled)
    if (labels !== null && labels.size > checkIns.length) {
      console.log(
        `${labels.size - checkIns.length} labels are left out: of another check-in of the same student, of no check-in here, or of one that version ${ALGORITHM_VERSION} has not scored.`,
      )
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function fitEach(
  sql: postgres.Sql,
  instrument: string,
  labelled: readonly LabelledScore[],
): Promise<void> {
  let stored = 0
  for (const [set, scores] of Map.groupBy(labelled, ({ components }) => components.join(', '))) {
    const fitted = fitCalibration(scores)
    if (fitted === null) {
      console.log(
        `${set}: ${scores.length} students have a label, ${LABELS_NEEDED - scores.length} more are needed.`,
      )
      continue
    }
    const { components, low, high, labels, heldOutCoverage } = fitted
    await sql`
      insert into private.score_calibrations
        (algorithm_version, components, instrument, labels, low, high, held_out_coverage)
      values (${ALGORITHM_VERSION}, ${[...components]}, ${instrument}, ${labels}, ${low}, ${high}, ${heldOutCoverage})
      on conflict (algorithm_version, components) do update
      set instrument = excluded.instrument, labels = excluded.labels, low = excluded.low, high = excluded.high,
        held_out_coverage = excluded.held_out_coverage, created_at = now()`
    stored++
    console.log(
      `${set}: ${labels} labels; from the score ${signed(low)} to ${signed(high)} points; of held-out labels ${(100 * heldOutCoverage).toFixed(0)}% lie within.`,
    )
  }
  if (labelled.length === 0) console.log(`No check-in of version ${ALGORITHM_VERSION} has such a label.`)
  if (stored === 0) process.exitCode = 1
}

/** Each student's latest scored check-in: that has a mood, or is one of those given. */
async function latestCheckIns(sql: postgres.Sql, among: string[] | null): Promise<ScoredCheckIn[]> {
  const rows = await sql`
    select distinct on (r.user_id) r.check_in_id, r.score, r.components, i.mood_score
    from checkin.fusion_results r
    join private.check_in_inputs i on i.check_in_id = r.check_in_id
    where r.algorithm_version = ${ALGORITHM_VERSION}
      and ${among === null ? sql`i.mood_score is not null` : sql`r.check_in_id = any(${among}::uuid[])`}
    order by r.user_id, r.created_at desc`
  return z.array(scoredCheckIn).parse(rows)
}

/** The mood is part of the score, which would agree with itself: what is compared is the score without it. */
function labelledByMood({ components, mood_score }: ScoredCheckIn): LabelledScore[] {
  const measured = components.filter(({ modality, weight }) => weight > 0 && modality !== 'self_report')
  const total = measured.reduce((sum, { weight }) => sum + weight, 0)
  if (mood_score === null || total === 0) return []
  const score = measured.reduce((sum, { weight, score }) => sum + (weight / total) * (score ?? 0), 0)
  return [{ components: measured.map(({ modality }) => modality), score, label: moodLabel(mood_score) }]
}

function labelledBy({ components, score }: ScoredCheckIn, label: number | undefined): LabelledScore[] {
  if (label === undefined) return []
  const used = components.filter(({ weight }) => weight > 0).map(({ modality }) => modality)
  return [{ components: used, score, label }]
}

function signed(points: number): string {
  return `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)}`
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
