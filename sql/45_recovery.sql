create function private.dispatch_due_jobs()
returns integer
language plpgsql
security definer
set search_path = ''
as $$
declare
  ended integer;
  rung integer;
begin
  -- Out of tries, or waiting for too long: locked student and check-in first, as everywhere.
  with hopeless as materialized (
    select j.id, j.check_in_id
    from private.analysis_jobs j, private.pipeline_settings s
    where (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
      and (j.attempts >= s.max_attempts or j.created_at <= now() - s.fail_after)
  ),
  held as materialized (
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'processing' and c.id in (select check_in_id from hopeless)
    order by c.id
    for key share of p skip locked
    for update of c skip locked
  ),
  failed as (
    update private.analysis_jobs j
    set status = 'failed', lease_until = null, error_code = coalesce(j.error_code, case when j.attempts = 0 then 'not_run' else 'worker_lost' end)
    from held, hopeless
    where j.id = hopeless.id and j.check_in_id = held.id
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    returning j.check_in_id, j.kind
  )
  select count(
    case when g.fusion then private.fail_check_in(g.check_in_id, 'analysis_failed')
      else private.advance_check_in(g.check_in_id)
    end
  )
  into ended
  from (select check_in_id, bool_or(kind = 'fusion') as fusion from failed group by check_in_id) g;

  with due as (
    select j.id
    from private.analysis_jobs j
    where j.next_dispatch_at <= now()
      and (j.status = 'queued' or (j.status = 'running' and j.lease_until <= now()))
    order by j.next_dispatch_at
    limit 100
    for update skip locked
  ),
  due_again as (
    update private.analysis_jobs j
    set dispatches = least(j.dispatches + 1, 10),
      next_dispatch_at = now() + least(s.dispatch_grace * power(2, j.dispatches), interval '5 minutes')
    from due, private.pipeline_settings s
    where j.id = due.id
    returning j.id, j.kind
  )
  select count(private.dispatch_job(id, kind)) into rung from due_again;
  return rung;
end
$$;
comment on function private.dispatch_due_jobs is
  'Rings again for jobs whose worker did not come or was lost, with backoff; gives up those out of tries; returns how often it rang. Called by cron.';

create function private.expire_check_ins()
returns void
language sql
security definer
set search_path = ''
as $$
  update checkin.check_ins
  set status = 'expired'
  where id in (
    -- The student is locked with it, as the deletion of an account does: what is busy waits for the next time.
    select c.id
    from checkin.check_ins c
    join public.profiles p on p.user_id = c.user_id
    where c.status = 'created' and c.expires_at <= now()
    for key share of p skip locked
    for update of c skip locked
  )
$$;
comment on function private.expire_check_ins is 'Ends check-ins that were started and never handed in. Called by cron.';
