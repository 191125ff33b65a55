-- Each incident is known in public.security_incidents, mailed or not.

create table private.security_alerts (
  id bigint generated always as identity constraint security_alerts_pkey primary key,
  rule text not null,
  incident_id text constraint security_alerts_incident_id_fkey references public.security_incidents (id) on delete cascade,
  severity public.incident_severity,
  alerted_at timestamptz not null default now(),
  digest_at timestamptz,
  digested_at timestamptz,
  constraint security_alerts_once unique (incident_id, severity),
  constraint security_alerts_severity_of_incident check ((incident_id is null) = (severity is null)),
  constraint security_alerts_digested check (digested_at is null or digest_at is not null)
);
comment on table private.security_alerts is
  'Alerts of rules and policies: which were mailed at once, and which come in a digest because there were too many within an hour.';
comment on column private.security_alerts.id is 'The alert.';
comment on column private.security_alerts.rule is 'Rule of detection, or policy, that alerted.';
comment on column private.security_alerts.incident_id is 'The incident; null for a policy''s alert.';
comment on column private.security_alerts.severity is
  'Severity of the incident then: one that becomes worse alerts again, and alerts of another severity do not hold it back.';
comment on column private.security_alerts.alerted_at is 'When.';
comment on column private.security_alerts.digest_at is 'When its digest is due; null when it was mailed at once.';
comment on column private.security_alerts.digested_at is 'When the digest was queued, or the alert was withdrawn.';
create index security_alerts_rule_idx on private.security_alerts (rule, alerted_at);
create index security_alerts_digest_at_idx on private.security_alerts (digest_at) where digest_at is not null and digested_at is null;

select private.declare_data('private.security_alerts', '{id, rule, incident_id, severity, alerted_at, digest_at, digested_at}',
  'Which alerts were mailed, and which come in a digest.');

create function private.security_administrators()
returns table (id uuid, email text)
language sql stable security definer set search_path = '' as $$
  select distinct user_id, email from private.active_staff where role = 'security_admin' and email is not null
$$;
comment on function private.security_administrators is 'Whom alerts are mailed to. Called where one is queued.';

-- Whoever does not get the lock is told of together with others: alerts of policies end requests, which must not wait for each other.
create function private.place_alert(rule text, incident text) returns timestamptz
language plpgsql security definer set search_path = '' as $$
declare
  worst public.incident_severity := (select i.severity from public.security_incidents i where i.id = incident);
  known private.security_alerts;
  alone boolean;
  digest timestamptz;
begin
  select * into known from private.security_alerts a where a.incident_id = incident and a.severity = worst;
  if found then
    return known.digest_at;
  end if;
  -- One that is critical waits for no digest, whoever made others happen before it.
  if worst = 'critical' then
    insert into private.security_alerts (rule, incident_id, severity) values (place_alert.rule, incident, worst);
    return null;
  end if;
  alone := pg_try_advisory_xact_lock(85, hashtext(rule));
  select
    coalesce(
      max(a.digest_at) filter (where a.digested_at is null),
      case
        when not alone or count(*) filter (where a.digest_at is null and a.alerted_at > now() - interval '1 hour') >= s.alerts_per_hour
          then coalesce(min(a.alerted_at) filter (where a.digest_at is null and a.alerted_at > now() - interval '1 hour'), now())
            + interval '1 hour'
      end
    )
  into digest
  from private.detection_settings s
  left join private.security_alerts a on a.rule = place_alert.rule and a.severity is not distinct from worst
    and (a.digested_at is null or a.alerted_at > now() - interval '1 hour')
  group by s.alerts_per_hour;
  insert into private.security_alerts (rule, incident_id, severity, digest_at)
  values (place_alert.rule, incident, worst, digest);
  return digest;
end
$$;
comment on function private.place_alert is
  'When an alert of a rule or policy comes in a digest; null when it is mailed at once, as the first few within an hour are, and each that is critical. The same for the same incident, until it becomes worse. Called by private.send_security_alert.';

-- The message's id is made from what it says and whom it tells, so that saying it again sends nothing.
create function private.send_security_alert(subject text, text text, incident text default null, rule text default null)
returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  recipients integer;
  digest timestamptz;
begin
  if rule is not null then
    digest := private.place_alert(rule, incident);
  end if;
  if digest is not null then
    return jsonb_build_object('status', 'done', 'detail', format('in the digest of %s UTC', private.utc_minute(digest)));
  end if;
  with administrators as (
    select * from private.security_administrators()
  ),
  queued as (
    insert into private.outbox (id, channel, purpose, user_id, recipient, subject, body)
    select
      md5(concat_ws('/', 'security_alert', incident, subject, text, a.id))::uuid,
      'email', 'security_alert', a.id, a.email, left(subject, 200), left(text, 20000)
    from administrators a
    on conflict do nothing
  )
  select count(*) into recipients from administrators;
  return jsonb_build_object(
    'status', case when recipients > 0 then 'done' else 'failed' end,
    'detail', format('%s security administrators', recipients)
  );
end
$$;
comment on function private.send_security_alert is
  'Queues an email to every security administrator, once for the same words about the same incident; those of a rule or policy that has alerted too often within the hour wait for its digest. Returns {status, detail}. Called by detection, policies and public.respond_to_incident, which alerts at once.';

create function private.withdraw_security_alerts(incident text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  withdrawn integer;
begin
  update private.outbox o
  set status = 'cancelled', ended_at = now()
  where o.purpose = 'security_alert' and o.status = 'queued' and strpos(o.body, incident) > 0;
  get diagnostics withdrawn = row_count;
  update private.security_alerts a
  set digested_at = now()
  where a.incident_id = incident and a.digest_at is not null and a.digested_at is null;
  return jsonb_build_object('status', 'done', 'detail', format('%s messages had not been sent', withdrawn));
end
$$;
comment on function private.withdraw_security_alerts is
  'Cancels the alerts of an incident that are not sent yet, also in a digest. Called by private.respond_to_incident.';
