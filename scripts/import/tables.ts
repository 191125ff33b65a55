import type { TransactionSql } from 'postgres'

/** How the rows of a table are brought. `$1` is the account, `$2` its university, `t` the row as the file has it. */
type Brought = {
  /** Columns that the project decides, whatever the file says: SQL. */
  decided?: Readonly<Record<string, string>>
  /** Rows that are not stored, by why: SQL that is never null. */
  leftOut?: Readonly<Record<string, string>>
}

/** Nobody agreed to anything in this project: as when the number or the address of a contact changes. */
const NOT_ASKED_YET = {
  verified: 'false',
  verified_at: 'null',
  verification_token_expires_at: 'null',
  declined_at: 'null',
  phone_confirmed_at: 'null',
  phone_confirmed_by: 'null',
  time_zone: 'null',
  number_time_zones: 'null',
  texts_at_night: 'false',
}

const OWN_UNIVERSITY = { university_id: '$2::text' }

/**
 * The tables whose rows a person may bring: what they are, chose, said, and what was measured of it. Everything else in a project's
 * inventory is this project's to know: roles, reviews, alerts, what contacts answered, what staff learned, logs, queues and caches.
 */
export const BROUGHT: Readonly<Record<string, Brought>> = {
  'public.profiles': { decided: OWN_UNIVERSITY },
  'public.students': { decided: { ...OWN_UNIVERSITY, counselor_access: 'false' } },
  'public.consents': {},
  // Who declined is not asked again by way of an import, and no number is brought that nobody could name here.
  'public.buddy_contacts': {
    decided: NOT_ASKED_YET,
    leftOut: {
      'as they declined': 't.declined_at is not null',
      'as texts do not go to the country of the number': 'not private.texts_go_to(t.phone)',
    },
  },
  'public.support_preferences': {},
  'public.assessment_sessions': {},
  'public.session_analyses': {},
  'public.session_scores': {},
  // Nothing here goes on with what was being analysed there.
  'checkin.check_ins': {
    decided: {
      status: "case t.status when 'processing' then 'failed' else t.status end",
      error_code: "case t.status when 'processing' then 'analysis_failed' else t.error_code end",
      completed_at: "case t.status when 'processing' then now() else t.completed_at end",
    },
  },
  'checkin.audio_analysis': {},
  'checkin.visual_analysis': {},
  'checkin.text_analysis': {},
  'checkin.fusion_results': {},
  'checkin.user_baselines': {},
  'private.check_in_inputs': {
    decided: {
      crisis_level: 'greatest(t.crisis_level, t.waiting_crisis_level)',
      waiting_crisis_level: "'none'::checkin.risk_level",
    },
  },
  'private.check_in_media': {},
  'private.worrying_days': {},
}

/** Whether a row is left out for any of these reasons: SQL over `t`. */
export function isLeftOut(reasons: Readonly<Record<string, string>>): string {
  return ['false', ...Object.values(reasons)].map((holds) => `(${holds})`).join(' or ')
}

/** Columns that may be later than now, and two weeks at most. */
const MAY_BE_LATER = ['expires_at', 'alerts_paused_until']

/** Columns that name a row of another table, foreign key or none: it has to be the account's too. */
const NAMES_OF_ROWS: Readonly<Record<string, string>> = {
  check_in_id: 'checkin.check_ins',
  session_id: 'public.assessment_sessions',
}

/** A table that rows are imported into, with the columns that its project exports. */
export type Target = {
  table: string
  columns: string[]
  /** SQL over `t`, true of the account's rows. */
  belongsTo: string
  /** SQL over `t`, true of rows that no account has: of another time, or beside rows of somebody else. */
  isWrong: string
}

/** Every table of the project's inventory; those that rows are imported into, those first that others refer to. */
export async function targetsOf(tx: TransactionSql): Promise<{ known: Set<string>; targets: Target[] }> {
  const known = await tx<{ table: string }[]>`
    select distinct schema_name || '.' || relation_name as table from private.exported_columns`
  const rows = await tx<{ table: string; columns: string[]; times: string[]; belongs_to: string }[]>`
    with recursive target as (
      select c.schema_name || '.' || c.relation_name as table,
        (c.schema_name || '.' || c.relation_name)::regclass as relation,
        array_agg(distinct c.column_name) as columns,
        coalesce(array_agg(distinct c.column_name) filter (where c.type in ('timestamp with time zone', 'date')), '{}') as times,
        string_agg(distinct '(' || replace(c.belongs_to, '$1', '$1::uuid') || ')', ' or ') as belongs_to
      from private.exported_columns c
      where c.schema_name || '.' || c.relation_name = any (${Object.keys(BROUGHT)})
      group by 1
    ),
    refers as (
      select k.conrelid as relation, k.confrelid as referred
      from pg_constraint k
      where k.contype = 'f' and k.conrelid <> k.confrelid
        and k.conrelid in (select relation from target) and k.confrelid in (select relation from target)
    ),
    depth as (
      select relation, 0 as level from target
      union
      select r.relation, d.level + 1 from refers r join depth d on d.relation = r.referred where d.level < 20
    )
    select t.table, t.columns, t.times, t.belongs_to
    from target t
    order by (select max(d.level) from depth d where d.relation = t.relation), t.table`
  const targets = rows.map(({ table, columns, times, belongs_to }) => ({
    table,
    columns,
    belongsTo: belongs_to,
    isWrong: [
      ...times.map(
        (column) => `t.${column} > now()${MAY_BE_LATER.includes(column) ? " + interval '14 days'" : ''}`,
      ),
      ...Object.entries(NAMES_OF_ROWS)
        .filter(([column, owner]) => columns.includes(column) && owner !== table)
        .map(
          ([column, owner]) => `t.${column} not in (select o.id from ${owner} o where o.user_id = $1::uuid)`,
        ),
      'false',
    ].join(' or '),
  }))
  return { known: new Set(known.map(({ table }) => table)), targets }
}
