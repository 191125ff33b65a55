import * as z from 'zod'
import { DIRECTIONS, SIGNIFICANCES } from '../direction-of-change.ts'
import { RISK_LEVELS } from '../risk-level.ts'

const points = z.number().min(0).max(100)

/** A check-in or an assessment session in a student's history. */
export const historyEntry = z
  .strictObject({
    source: z
      .enum(['check_in', 'session'])
      .describe('What it is of. Scores of the two kinds are on scales of their own.'),
    id: z.guid().describe('The check-in or the session.'),
    at: z.iso.datetime({ offset: true }).describe('When it was submitted; of a session, when it began.'),
    local_date: z.iso.date().describe('The day where the student is.'),
    score: points
      .nullable()
      .describe('Wellbeing score; null where risk was found and nothing could be scored.'),
    score_interval: z
      .tuple([points, points])
      .nullable()
      .describe('90% interval of the score; null without one.'),
    calibrated: z
      .boolean()
      .nullable()
      .describe('Whether the interval was fitted to labels; never of a session.'),
    uncertainty: z.number().min(0).max(1).nullable().describe('Uncertainty of the score, 0 certain to 1.'),
    direction_of_change: z
      .enum(DIRECTIONS)
      .nullable()
      .describe(
        'Against the usual score of the check-ins; null without a score or, of a session, without a usual score.',
      ),
    significance: z.enum(SIGNIFICANCES).nullable().describe('How clearly the change stands out.'),
    risk_level: z.enum(RISK_LEVELS).describe('Risk level; never below what crisis language calls for.'),
    baseline: z
      .strictObject({
        score: z.number().describe('The usual score of the check-ins then.'),
        compared: z.number().describe('The score minus that, points.'),
      })
      .nullable()
      .describe('What the score was compared with; null before there were three check-ins.'),
    algorithm_version: z.string().nullable().describe('What made the score; names sessions too.'),
  })
  .meta({ id: 'HistoryEntry' })

type HistoryEntry = z.output<typeof historyEntry>

/** A row of `public.history_entry`, as the database returns it. */
export const historyRow = z.object({
  ...historyEntry.omit({ score_interval: true, baseline: true }).shape,
  score_low: points.nullable().describe('Where the 90% interval of the score begins; null without one.'),
  score_high: points.nullable().describe('Where it ends.'),
  baseline_score: z
    .number()
    .nullable()
    .describe('The usual score of the check-ins then; null before there were three.'),
  compared_to_baseline: z.number().nullable().describe('The score minus that, points.'),
})

/** The entries of rows of `public.read_history`, or of the `history` of `public.read_student`. */
export function historyEntries(rows: unknown): HistoryEntry[] {
  return z
    .array(historyRow)
    .parse(rows)
    .map(({ score_low, score_high, baseline_score, compared_to_baseline, ...entry }) => ({
      ...entry,
      score_interval: score_low === null || score_high === null ? null : [score_low, score_high],
      baseline:
        baseline_score === null || compared_to_baseline === null
          ? null
          : { score: baseline_score, compared: compared_to_baseline },
    }))
}
