create table private.support_standstills (
  id uuid not null default gen_random_uuid() constraint support_standstills_pkey primary key,
  kind text not null,
  alert_id uuid constraint support_standstills_alert_id_fkey references public.support_alerts (id) on delete cascade,
  user_id uuid constraint support_standstills_user_id_fkey references auth.users (id) on delete cascade,
  found_at timestamptz not null,
  ended_at timestamptz,
  reported_at timestamptz
);
select private.describe('private.support_standstills',
  'What private.find_standstills found: alerts, or patterns, of which nothing became in time.', $$
  id: The finding.
  kind: What is wrong; docs/support-alerts.md lists the kinds.
  alert_id: The alert that stands still; null where there is none.
  user_id: The student whom it concerns; null where it concerns all.
  found_at: When it was found.
  ended_at: When it was no longer found; null while it lasts.
  reported_at: When the log reported it.
$$);
create unique index support_standstills_lasting_idx on private.support_standstills (kind, alert_id, user_id)
nulls not distinct where ended_at is null;
create index support_standstills_alert_id_idx on private.support_standstills (alert_id);
create index support_standstills_user_id_idx on private.support_standstills (user_id);
create index support_standstills_unreported_idx on private.support_standstills (found_at) where reported_at is null;

select private.declare_data('private.support_standstills', '{id, kind, alert_id, user_id, found_at, ended_at, reported_at}',
  'Alerts of which nothing became in time, for the operator.', 'student', 'activity', 't.user_id = $1',
  term => 'support_history');
select private.declare_purge('support_history', 'private.support_standstills', 'd.ended_at < $1');
select private.declare_audited('private.support_standstills', 'id', 'by_hand');

-- From what happened: requests, answers, texts, reviews, cron's own record. Neither the plan of an alert nor its step decides what
-- is late, so that a wrong plan or step is found too.
create function private.standstills_at(at timestamptz)
returns table (kind text, alert_id uuid, user_id uuid)
language sql stable set search_path = '' as $$
  with clock as (
    select s.*, at - s.standstill_after as late, (at at time zone 'UTC')::date as today
    from private.support_settings s
  ),
  -- Materialized, so that no plan computes it for each alert. Where the clock was set back, an alert asked before it was opened; the one
  -- before it had ended a day earlier.
  asked as materialized (
    select a.id as alert_id, a.user_id, r.id as request_id, r.created_at, r.sent_at, r.response_type, r.response_received_at,
      r.delivery_status, r.buddy_contact_id, o.id as message_id, o.status, o.send_at, o.lease_until, o.ended_at as message_ended_at,
      r.created_at = max(r.created_at) over (partition by a.id) as is_newest,
      greatest(
        case when r.response_type is not null then r.response_received_at end,
        case when o.status in ('dead', 'cancelled') or r.delivery_status in ('undelivered', 'failed') then o.ended_at end,
        case when not (c.is_active and c.verified) then c.updated_at end,
        n.opted_out_at
      ) as over_at
    from public.support_alerts a
    join public.buddy_check_in_requests r
      on r.user_id = a.user_id and r.request_type = 'system_initiated' and r.created_at >= a.opened_at - interval '12 hours'
    left join private.outbox o on o.request_id = r.id and o.purpose = 'support_alert'
    left join public.buddy_contacts c on c.id = r.buddy_contact_id
    left join private.buddy_links l on l.request_id = r.id
    left join private.text_opt_outs n on n.number_hash = l.number_hash
    where a.status = 'open'
  ),
  happened as materialized (
    select q.alert_id,
      count(*) as requests,
      max(q.created_at) as asked_at,
      min(q.response_received_at) filter (where q.response_type in ('called', 'messaged')) as answered_at,
      count(*) filter (where q.is_newest and q.over_at is null) as awaited,
      max(q.over_at) filter (where q.is_newest) as over_at,
      coalesce(
        min(q.sent_at) filter (where q.is_newest and q.delivery_status not in ('undelivered', 'failed')),
        min(q.message_ended_at) filter (where q.is_newest and q.status = 'unconfirmed')
      ) as first_sent_at,
      bool_or(
        (q.status = 'queued' and (q.send_at < late or q.send_at > at + interval '24 hours'))
        or (q.status = 'sending' and q.lease_until < late)
      ) as is_stuck,
      bool_or(
        q.message_id is null and q.delivery_status = 'queued' and q.buddy_contact_id is not null and q.created_at < late
      ) as is_lost
    from clock
    cross join asked q
    group by q.alert_id
  ),
  facts as (
    select a.id as alert_id, a.user_id, a.opened_at, a.step, a.step_began_at, a.crisis_contact_told_at,
      coalesce(h.requests, 0) as requests, h.asked_at, h.answered_at, coalesce(h.awaited, 0) as awaited, h.over_at,
      h.first_sent_at, h.is_stuck, h.is_lost
    from public.support_alerts a
    left join happened h on h.alert_id = a.id
    where a.status = 'open'
  )
  select found.kind, f.alert_id, f.user_id
  from clock k
  cross join facts f
  cross join lateral (
    select max(p.step) as steps, count(p.request_id) as asked
    from private.support_alert_plan p
    where p.alert_id = f.alert_id
  ) as plan
  cross join lateral (
    values
      ('past_its_end', f.opened_at + k.alert_valid < k.late),
      ('answer_without_effect', f.answered_at < k.late),
      ('nobody_asked', f.requests = 0 and f.opened_at < k.late),
      ('nobody_awaited', f.requests > 0 and f.awaited = 0 and f.over_at < k.late),
      ('next_not_asked', f.answered_at is null and f.first_sent_at + k.response_time < k.late),
      (
        'crisis_contact_not_told',
        f.first_sent_at is null and f.crisis_contact_told_at is null and f.asked_at + k.response_time < k.late
      ),
      ('text_stuck', f.is_stuck),
      ('text_lost', f.is_lost),
      ('plan_wrong', f.asked_at < k.late and (f.step > coalesce(plan.steps, 0) or f.requests > plan.asked)),
      (
        'clock_wrong',
        f.opened_at > at + k.standstill_after or f.step_began_at > at + k.standstill_after
          or f.step_began_at < f.opened_at or f.step_began_at <> f.asked_at
      )
  ) as found (kind, is_so)
  where found.is_so

  union all
  select 'status_wrong', a.id, a.user_id
  from clock k
  join public.support_alerts a on a.ended_at > at - interval '7 days'
  where a.ended_at < a.opened_at
    or a.ended_at > at + k.standstill_after
    or case a.status
      when 'answered' then not exists (
        select
        from public.buddy_check_in_requests r
        where r.user_id = a.user_id and r.request_type = 'system_initiated' and r.created_at >= a.opened_at - interval '12 hours'
          and r.response_type in ('called', 'messaged') and r.response_received_at <= a.ended_at + k.standstill_after
      )
      when 'resolved' then a.all_right_at is null
        and not exists (
          select
          from public.consents c
          where c.user_id = a.user_id and c.kind = 'support_circle' and c.withdrawn_at <= a.ended_at + k.standstill_after
        )
        and private.has_consent(a.user_id, 'support_circle')
      when 'expired' then a.ended_at < a.opened_at + k.alert_valid
      else a.crisis_contact_told_at is null
    end

  union all
  select 'crisis_contact_not_told', a.id, a.user_id
  from public.support_alerts a
  where a.ended_at > at - interval '7 days'
    and a.crisis_contact_told_at is not null
    and not (
      exists (select from private.clinical_review_sources s where s.source = 'support_alert' and s.source_id = a.id)
      and exists (
        select
        from private.outbox o
        where o.user_id = a.user_id and o.purpose = 'support_alert_escalation' and o.status <> 'dead'
          and o.created_at >= a.opened_at - interval '1 day'
      )
    )

  union all
  select 'crisis_mail_stuck', null, o.user_id
  from clock k
  join private.outbox o on o.purpose = 'support_alert_escalation'
    and ((o.status = 'queued' and o.send_at < k.late) or (o.status = 'sending' and o.lease_until < k.late))

  union all
  select 'pattern_without_alert', null, w.user_id
  from clock k
  join private.worrying_days w on w.stored_at < k.late and w.day >= k.today - k.pattern_window_days
  join public.profiles p on p.user_id = w.user_id
  left join public.universities n on n.id = p.university_id
  cross join lateral (select coalesce(p.time_zone, n.time_zone, 'UTC') as zone) as home
  join auth.users u on u.id = w.user_id and (u.banned_until is null or u.banned_until < k.late)
  where w.day > (at at time zone home.zone)::date - k.pattern_window_days
    and w.day <= (k.late at time zone home.zone)::date
    and exists (
      select
      from public.consents c
      where c.user_id = w.user_id and c.kind = 'support_circle' and c.withdrawn_at is null and c.granted_at < k.late
    )
    and private.has_consent(w.user_id, 'support_circle')
    and not exists (
      select from public.support_preferences p where p.user_id = w.user_id and p.alerts_paused_until > k.late
    )
    and not exists (
      select from public.support_alerts a where a.user_id = w.user_id and a.opened_at > k.late - k.alert_pause
    )
  group by w.user_id, k.pattern_days
  having count(*) >= k.pattern_days

  union all
  -- Only while cron itself has worked for that long: after a pause of the project, the first runs have yet to come.
  select 'tick_not_running', null, null
  from clock k
  where exists (
      select from cron.job_run_details d where d.start_time between k.late - k.standstill_after and k.late
    )
    and not exists (
      select
      from cron.job_run_details d
      join cron.job j on j.jobid = d.jobid
      where j.jobname = 'tick-support-alerts' and j.active and d.status = 'succeeded' and d.end_time between k.late and at
    )
$$;
comment on function private.standstills_at is 'Alerts, and patterns without an alert, of which nothing became in time: the kind of fault, the alert and the student, each null where it does not apply. Called by private.find_standstills.';

create function private.find_standstills(at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  found_now text[];
begin
  update private.support_standstills s
  set ended_at = at
  where s.ended_at is null
    and not exists (
      select
      from private.standstills_at(at) f
      where f.kind = s.kind and f.alert_id is not distinct from s.alert_id and f.user_id is not distinct from s.user_id
    );
  with stored as (
    insert into private.support_standstills as s (kind, alert_id, user_id, found_at)
    select distinct f.kind, f.alert_id, f.user_id, at
    from private.standstills_at(at) f
    on conflict (kind, alert_id, user_id) where ended_at is null do nothing
    returning s.kind, s.alert_id
  )
  select array_agg(format('%s%s', t.kind, ': alert ' || t.alert_id) order by t.kind, t.alert_id) into found_now
  from stored t;

  if found_now is not null then
    raise warning 'Support alerts stand still: %', found_now[1:100];
    insert into private.outbox (channel, purpose, recipient, subject, body)
    select
      'email',
      'support_standstill',
      s.operator_email,
      'Support alerts stand still',
      format(
        E'%s, found at %s UTC:\n\n%s\n\nWhat each means and what to do is in docs/support-alerts.md.',
        case cardinality(found_now) when 1 then 'One standstill' else cardinality(found_now) || ' standstills' end,
        private.utc_minute(at),
        array_to_string(found_now[1:100], E'\n')
      )
    from private.support_settings s
    where s.operator_email is not null;
  end if;
  perform private.call_function('deliver-messages', '{"type": "UPDATE", "schema": "private", "table": "outbox"}')
  where exists (select from private.support_standstills where reported_at is null);
  return coalesce(cardinality(found_now), 0);
end
$$;
comment on function private.find_standstills is 'Stores what stands still, and raises what is new to the operators by email and, through deliver-messages, in the log; returns how many are new. Called by cron.';
select cron.schedule('find-standstills', '*/5 * * * *', 'select private.find_standstills(now())');

create function private.report_standstills()
returns table (id uuid, kind text, alert_id uuid)
language sql set search_path = '' as $$
  update private.support_standstills s
  set reported_at = now()
  where s.reported_at is null
  returning s.id, s.kind, s.alert_id
$$;
comment on function private.report_standstills is 'Standstills that the log has not reported, each returned once. Called by deliver-messages, which logs them.';
