import type { TransactionSql } from 'postgres'
import type { Student } from '../people/people.ts'
import type { History } from '../wellbeing/history.ts'
import { time } from '../wellbeing/rows.ts'
import { copyInto } from './copy.ts'
import { copyRow } from './copy-text.ts'

const COLUMNS = [
  ...[
    'user_id',
    'check_ins',
    'last_check_in_at',
    'last_score',
    'last_uncertainty',
    'last_direction_of_change',
  ],
  ...['risk_level', 'baseline'],
]

/** Brings up to date what the service derives from check-ins as they come: where each student stands, and the baselines. */
export async function storeStandings(
  sql: TransactionSql,
  students: readonly Student[],
  history: History,
): Promise<void> {
  await sql`
    create temporary table seeded_standings (
      user_id uuid, check_ins integer, last_check_in_at timestamptz, last_score numeric, last_uncertainty numeric,
      last_direction_of_change checkin.direction_of_change, risk_level checkin.risk_level, baseline jsonb
    ) on commit drop`
  const rows = [...history.changed].flatMap((student) => {
    const [subject, standing] = [students[student], history.standings[student]]
    if (!subject || !standing) return []
    const { checkIns, lastAtMs, lastScore, lastUncertainty, lastDirection, risk } = standing
    const at = lastAtMs === null ? null : time(lastAtMs)
    const baseline = history.baselines[student] ?? null
    return [
      copyRow([
        ...[subject.id, checkIns, at, lastScore, lastUncertainty, lastDirection, risk],
        baseline && JSON.stringify(baseline),
      ]),
    ]
  })
  await copyInto(sql, 'seeded_standings', COLUMNS, rows)
  await sql`
    update public.students s
    set check_ins = n.check_ins,
      last_check_in_at = n.last_check_in_at,
      last_score = n.last_score,
      last_uncertainty = n.last_uncertainty,
      last_direction_of_change = n.last_direction_of_change,
      risk_level = n.risk_level
    from seeded_standings n
    where s.user_id = n.user_id`
  await sql`
    insert into checkin.user_baselines (user_id, version, check_ins, score_mean, score_sd, state, updated_at)
    select
      user_id, (baseline ->> 'version')::integer, (baseline ->> 'count')::integer,
      (baseline #>> '{score,mean}')::double precision, (baseline #>> '{score,spread}')::double precision, baseline,
      last_check_in_at
    from seeded_standings
    where baseline is not null
    on conflict (user_id) do update
    set version = excluded.version,
      check_ins = excluded.check_ins,
      score_mean = excluded.score_mean,
      score_sd = excluded.score_sd,
      state = excluded.state,
      updated_at = excluded.updated_at`
  history.changed.clear()
}
