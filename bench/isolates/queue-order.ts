import postgres from 'postgres'
import { round } from '../../functions/_shared/numbers.ts'

/** How long a student's check-in waited behind those of another. */
type QueueOrder = {
  /** Units of others that were claimed while a unit of its kind was in the queue. */
  overtakenBy: number
  /** Sum of the longest unit of each kind of the others that ran beside it, from claim to end, seconds. */
  unitOfEachKindS: number
}

/**
 * Notes in the stack's database when each unit of work is queued, claimed and ended. A unit counts as queued once its
 * transaction holds the queue's lock: nothing is claimed from there until it can be seen.
 */
export async function noteUnits(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`
    create schema bench;
    create table bench.notes (
      check_in_id uuid not null,
      kind private.job_kind not null,
      ordinal smallint not null,
      status text not null,
      noted_at timestamptz not null default clock_timestamp()
    );
    create view bench.units as
    select check_in_id, kind, ordinal,
      min(noted_at) filter (where status = 'queued') as queued_at,
      min(noted_at) filter (where status = 'running') as claimed_at,
      min(noted_at) filter (where status in ('done', 'failed')) as ended_at
    from bench.notes
    group by check_in_id, kind, ordinal;
    create function bench.note_queued() returns trigger language plpgsql as $$
    begin
      insert into bench.notes (check_in_id, kind, ordinal, status)
      select check_in_id, kind, ordinal, 'queued' from queued where check_in_id is not null;
      return null;
    end $$;
    create function bench.note_status() returns trigger language plpgsql as $$
    begin
      insert into bench.notes (check_in_id, kind, ordinal, status)
      values (old.check_in_id, old.kind, old.ordinal, coalesce(new.status::text, 'done'));
      return null;
    end $$;
    -- By its name after the trigger that takes the queue's lock.
    create trigger z_note_queued after insert on private.analysis_jobs
      referencing new table as queued for each statement execute function bench.note_queued();
    create trigger note_status after update of status or delete on private.analysis_jobs
      for each row when (old.check_in_id is not null) execute function bench.note_status()`)
  await sql.end()
}

/** What the notes say about the check-ins of one student among those of another. */
export async function queueOrderOf(url: string, one: string[], others: string[]): Promise<QueueOrder> {
  const sql = postgres(url, { max: 1 })
  const [row] = await sql<{ overtaken_by: number; unit_of_each_kind_s: number }[]>`
    with mine as (select * from bench.units where check_in_id = any (${one})),
    theirs as (select * from bench.units where check_in_id = any (${others}))
    select
      (
        select count(distinct (t.check_in_id, t.kind, t.ordinal))::int
        from theirs t
        join mine m on m.kind = t.kind and t.claimed_at > m.queued_at and t.claimed_at < m.claimed_at
      ) as overtaken_by,
      (
        select coalesce(sum(longest), 0)::float8
        from (
          select max(extract(epoch from ended_at - claimed_at)) as longest
          from theirs
          where claimed_at < (select max(ended_at) from mine) and ended_at > (select min(queued_at) from mine)
          group by kind
        ) each
      ) as unit_of_each_kind_s`
  await sql.end()
  if (!row) throw new Error('There are no notes')
  return { overtakenBy: row.overtaken_by, unitOfEachKindS: round(row.unit_of_each_kind_s, 1) }
}

/** The longest that the fusion of one of these check-ins was in the queue before a worker claimed it, seconds. */
export async function longestWaitOfFusion(url: string, checkIns: string[]): Promise<number> {
  const sql = postgres(url, { max: 1 })
  const [row] = await sql<{ wait_s: number }[]>`
    select coalesce(max(extract(epoch from claimed_at - queued_at)), 0)::float8 as wait_s
    from bench.units
    where kind = 'fusion' and check_in_id = any (${checkIns})`
  await sql.end()
  if (!row) throw new Error('There are no notes')
  return round(row.wait_s, 2)
}
