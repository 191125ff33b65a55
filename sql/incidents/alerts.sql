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
select private.describe('private.security_alerts',
  'Alerts of rules and security policies: which were mailed at once, and which come in a digest because there were too many within an hour.', $$
  id: The alert.
  rule: Rule of detection, or security policy, that alerted.
  incident_id: The incident; null for a security policy's alert.
  severity: Severity of the incident then: one that becomes worse alerts again, and alerts of another severity do not hold it back.
  alerted_at: When.
  digest_at: When its digest is due; null when it was mailed at once.
  digested_at: When the digest was queued, or the alert was withdrawn.
$$);
create index security_alerts_rule_idx on private.security_alerts (rule, alerted_at);
create index security_alerts_digest_at_idx on private.security_alerts (digest_at) where digest_at is not null and digested_at is null;

select private.declare_data('private.security_alerts', '{id, rule, incident_id, severity, alerted_at, digest_at, digested_at}',
  'Which alerts were mailed, and which come in a digest.');
select private.declare_audited('private.security_alerts', 'id', 'by_hand');

create function private.security_administrators()
returns table (id uuid, email text)
language sql stable security definer set search_path = '' as $$
  select distinct user_id, email from private.active_staff where role = 'security_admin' and email is not null
$$;
comment on function private.security_administrators is 'Whom alerts are mailed to. Called where one is queued.';

-- Whoever does not get the lock is told of together with others: alerts of security policies end requests, which must not wait for each other.
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
comment on function private.place_alert is 'When an alert of a rule or security policy comes in a digest; null when it is mailed at once, as the first few within an hour are, and each that is critical. The same for the same incident, until it becomes worse. Called by private.send_security_alert.';

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
      'email', 'security_alert', a.id, a.email, left(subject, 200),
      left(text, 19000) || coalesce(E'\n\nOpen it: ' || private.staff_link('/incidents/' || incident), '')
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
comment on function private.send_security_alert is 'Queues an email to every security administrator, once for the same words about the same incident; those of a rule or security policy that has alerted too often within the hour wait for its digest. Returns {status, detail}. Called by detection, policies and public.respond_to_incident, which alerts at once.';

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
comment on function private.withdraw_security_alerts is 'Cancels the alerts of an incident that are not sent yet, also in a digest. Called by private.respond_to_incident.';

create function private.first_of(list text[]) returns text
language sql immutable set search_path = '' as $$
  select array_to_string(list[:10], ', ') || case when cardinality(list) > 10 then format(' and %s more', cardinality(list) - 10) else '' end
$$;
comment on function private.first_of is 'The first ten of a list, and how many more there are. Called where a digest is written.';

create function private.counted_list(label text, list text[]) returns text
language sql immutable set search_path = '' as $$
  select format('%s (%s): %s', label, cardinality(list), private.first_of(list)) where list is not null
$$;
comment on function private.counted_list is 'A line of a digest with a list and its length; null without a list. Called where a digest is written.';

create function private.digest_ending(subject text, path text, query text) returns text
language sql stable security definer set search_path = '' as $$
  select concat_ws(
    E'\n', '', 'Look at ' || subject || ' in the staff''s app' || coalesce(': ' || private.staff_link(path), '.'),
    'In SQL:', query
  )
$$;
comment on function private.digest_ending is 'The last lines of a digest: where more is to be seen. Called where a digest is written.';

create function private.digest_of_incidents(rule text, incidents text[], at timestamptz)
returns table (subject text, body text)
language sql stable security definer set search_path = '' as $$
  with counted as materialized (
    select i.id, i.severity, i.detected_at, i.last_seen_at, i.ended_at, i.affected_users, i.indicators
    from public.security_incidents i
    where i.id = any (incidents)
  ),
  facts as (
    select count(*) as number, count(*) filter (where c.ended_at is null) as active,
      min(c.detected_at) as first_at, max(c.last_seen_at) as last_at,
      array_agg(c.id order by c.severity desc, c.detected_at) as ids
    from counted c
  ),
  severities as (
    select string_agg(format('%s %s', s.number, s.severity), ', ' order by s.severity desc) as list
    from (select c.severity, count(*) as number from counted c group by c.severity) s
  ),
  networks as (
    select array_agg(distinct text(private.wide_network(a::inet))) as list
    from counted c
    cross join jsonb_array_elements_text(c.indicators -> 'addresses') as a
  ),
  accounts as (
    select array_agg(distinct a) as list from counted c cross join unnest(c.affected_users) a
  )
  select
    format('Security digest: %s more %s of the rule %s', f.number, case f.number when 1 then 'incident' else 'incidents' end, rule),
    concat_ws(
      E'\n',
      format(
        '%s of the rule "%s" from %s to %s UTC %s not mailed one by one, because this rule had alerted %s times within the hour.',
        case f.number when 1 then 'One more incident' else f.number || ' more incidents' end,
        rule,
        private.utc_minute(f.first_at),
        private.utc_minute(at),
        case f.number when 1 then 'was' else 'were' end,
        (select d.alerts_per_hour from private.detection_settings d)
      ),
      'None is lost: each is recorded, and what the rule does at once was done for each.',
      '',
      'The rule counts: ' || (select r.about from private.detection_rules r where r.rule = digest_of_incidents.rule),
      'Severity: ' || (select s.list from severities s),
      format('Still active: %s of %s; last seen %s UTC', f.active, f.number, private.utc_minute(f.last_at)),
      private.counted_list('Networks', (select n.list from networks n)),
      private.counted_list('Accounts', (select a.list from accounts a)),
      'Incidents: ' || private.first_of(f.ids),
      private.digest_ending('them', '/incidents', format(
        'select id, severity, status, title, last_seen_at from public.security_incidents where indicators ->> ''rule'' = %L and detected_at >= %L order by severity desc, detected_at;',
        rule, to_char(f.first_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      ))
    )
  from facts f
  where f.number > 0
$$;
comment on function private.digest_of_incidents is 'Subject and text of the digest of a rule''s incidents; people are ids. Called by private.send_alert_digests.';

create function private.digest_of_policy(policy text, since timestamptz, number bigint, at timestamptz)
returns table (subject text, body text)
language sql stable security definer set search_path = '' as $$
  with fired as materialized (
    select f.account, f.address
    from private.policy_firings f
    where f.policy_id = policy and f.action = 'send_alerts' and f.fired_at between since and at
  ),
  lists as (
    select
      array_agg(distinct f.account::text) filter (where f.account is not null) as accounts,
      array_agg(distinct text(private.wide_network(f.address))) filter (where f.address is not null) as networks
    from fired f
  )
  select
    left(format('Security digest: the policy "%s" applied %s more times', p.name, number), 200),
    concat_ws(
      E'\n',
      format(
        'The policy "%s" (%s) applied %s more times from %s to %s UTC, which was not mailed one by one, because it had alerted %s times within the hour.',
        p.name, p.id, number,
        private.utc_minute(since), private.utc_minute(at),
        (select d.alerts_per_hour from private.detection_settings d)
      ),
      'Each time it did what its other actions say.',
      '',
      private.counted_list('Networks', l.networks),
      private.counted_list('Accounts', l.accounts),
      private.digest_ending('it', '/policies/' || p.id, format(
        'select account, address, fired_at from private.policy_firings where policy_id = %L and fired_at >= %L order by fired_at;',
        p.id, to_char(since at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS"Z"')
      ))
    )
  from public.security_policies p
  cross join lists l
  where p.id = policy
$$;
comment on function private.digest_of_policy is 'Subject and text of the digest of how often a security policy applied; people are ids. Called by private.send_alert_digests.';

create function private.send_alert_digests(at timestamptz) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  written integer;
begin
  -- What a security policy alerted of is in its own tables; an incident's alerts are deleted with it.
  delete from private.security_alerts a
  where a.incident_id is null and a.alerted_at < at - interval '1 day' and (a.digest_at is null or a.digested_at is not null);
  with due as (
    update private.security_alerts a
    set digested_at = at
    where a.digest_at <= at and a.digested_at is null
    returning a.rule, a.incident_id, a.alerted_at
  ),
  digests as materialized (
    select d.rule, array_agg(d.incident_id) filter (where d.incident_id is not null) as incidents,
      min(d.alerted_at) as since, count(*) as number
    from due d
    group by d.rule
  ),
  queued as (
    insert into private.outbox (channel, purpose, user_id, recipient, subject, body)
    select 'email', 'security_alert_digest', a.id, a.email, left(t.subject, 200), t.body
    from digests d
    cross join lateral (
      select i.subject, i.body from private.digest_of_incidents(d.rule, d.incidents, at) i
      union all
      select p.subject, p.body from private.digest_of_policy(d.rule, d.since, d.number, at) p where d.incidents is null
    ) as t
    cross join private.security_administrators() a
  )
  select count(*) into written from digests;
  return written;
end
$$;
comment on function private.send_alert_digests is 'Mails to every security administrator what alerts of each rule and security policy were not mailed one by one, once their hour is over; returns of how many. Called by private.detect_incidents every minute.';
