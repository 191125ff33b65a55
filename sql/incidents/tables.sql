create type public.incident_type as enum (
  'unauthorized_access', 'data_breach', 'brute_force_attacks', 'privilege_escalation', 'data_exfiltration', 'compliance_violations',
  'suspicious_activity', 'system_compromise'
);
comment on type public.incident_type is 'What kind of incident it is.';

create type public.incident_severity as enum ('low', 'medium', 'high', 'critical');
comment on type public.incident_severity is 'How bad an incident is.';

create type public.incident_status as enum ('open', 'investigating', 'contained', 'resolved', 'closed');
comment on type public.incident_status is 'How far an incident is dealt with; active means neither resolved nor closed.';

create table public.security_incidents (
  id text not null default 'inc_' || replace(gen_random_uuid()::text, '-', '') constraint security_incidents_pkey primary key,
  type public.incident_type not null,
  severity public.incident_severity not null,
  status public.incident_status not null default 'open',
  title text not null constraint security_incidents_title_length check (char_length(title) between 1 and 500),
  description text not null constraint security_incidents_description_length check (char_length(description) between 1 and 5000),
  detected_at timestamptz not null default now(),
  affected_systems text[] not null default '{}',
  affected_users text[] not null default '{}',
  indicators jsonb not null default '{}',
  response jsonb not null default '[]' constraint security_incidents_response_array check (jsonb_typeof(response) = 'array'),
  timeline jsonb not null default '[]' constraint security_incidents_timeline_array check (jsonb_typeof(timeline) = 'array'),
  metadata jsonb not null default '{}',
  key text not null constraint security_incidents_key_length check (char_length(key) between 1 and 300),
  owner uuid constraint security_incidents_owner_fkey references auth.users (id) on delete set null,
  university_id text constraint security_incidents_university_id_fkey references public.universities (id) on delete set null,
  aware_at timestamptz,
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint security_incidents_details_objects check (jsonb_typeof(indicators) = 'object' and jsonb_typeof(metadata) = 'object'),
  constraint security_incidents_id_form check (id ~ '^inc_[a-z0-9_]{1,60}$'),
  constraint security_incidents_timeline_size check (jsonb_array_length(timeline) <= 1000),
  constraint security_incidents_ended check ((status = any (array['resolved', 'closed']::public.incident_status[])) = (ended_at is not null))
);
select private.describe('public.security_incidents',
  'Security incidents: one for one thing that goes on, with what shows it, what was done about it, and its timeline. People are ids.', $$
  id: The incident.
  type: What kind it is.
  severity: How bad it is; detection only raises it.
  status: How far it is dealt with.
  title: What happened, in a line.
  description: What happened, and what to look at.
  detected_at: When it was detected; of one that a person recorded, when it was noticed.
  affected_systems: Parts of the service that it concerns.
  affected_users: Accounts that it concerns.
  indicators: What shows it: the rule with its threshold and window, and the evidence that it counted. Example: {"rule": "brute_force_address", "threshold": 10, "period": "00:15:00", "failures": 31, "addresses": ["192.0.2.7"]}
  response: What was done: an array of {action, target, status, detail, at}. Example: [{"action": "block_ip", "target": "192.0.2.7", "undone": false, "status": "done", "at": "2026-05-04T09:31:00Z"}]
  timeline: What happened to it: an array of {at, event, …}. Entries are only ever added. Example: [{"at": "2026-05-04T09:30:00Z", "event": "detected", "severity": "high"}]
  metadata: Further details. Example: {"ticket": "SEC-42"}
  key: What goes on; one incident of it is active at a time.
  owner: Security administrator who deals with it; null while nobody does.
  university_id: University that it concerns; null when that is none alone.
  aware_at: From when on a breach of personal data is known: the terms of notification run from then; null while it is no such breach.
  last_seen_at: When it was last seen going on.
  ended_at: When it was resolved; null while it is active.
$$);
alter table public.security_incidents
  alter column affected_users set statistics 0, -- see public.user_roles
  alter column owner set statistics 0;
create unique index security_incidents_active_key_idx on public.security_incidents (key)
where status = any (array['open', 'investigating', 'contained']::public.incident_status[]);
create index security_incidents_key_idx on public.security_incidents (key, ended_at);
create index security_incidents_detected_at_idx on public.security_incidents (detected_at);
create index security_incidents_owner_idx on public.security_incidents (owner);
create index security_incidents_university_id_idx on public.security_incidents (university_id);

select private.declare_term('security_incidents', '6 years', 'Incidents with their timelines and evidence: from their end.',
  shortest => '1 year');
select private.declare_data('public.security_incidents',
   '{id, type, severity, status, title, description, detected_at, affected_systems, indicators, metadata, key, university_id,
    aware_at, last_seen_at, ended_at}', 'What attacks and breaches there were.', term => 'security_incidents');
select private.declare_data('public.security_incidents', '{affected_users, response, timeline}',
  'To know whom an incident concerned and who dealt with it.', 'account', 'activity',
  '$1::text = any (t.affected_users) or strpos(t.timeline::text, $1::text) > 0', erasure => 'keep',
  reason => 'Ids, which lead to nobody once the account is erased: the record of a breach has to stay whole (GDPR article 33 (5)) until its term ends.',
  term => 'security_incidents', withheld => 'It names others.');
select private.declare_data('public.security_incidents', '{owner}', 'To know who deals with it.', 'staff', 'activity',
  't.owner = $1', erasure => 'anonymize', term => 'security_incidents', withheld => 'It names others.');
select private.declare_purge('security_incidents', 'public.security_incidents', 'd.ended_at < $1');
select private.declare_audited('public.security_incidents', 'id', actions => '{incident_changed}', shown => '{type, severity, status, aware_at, university_id}',
  watched => '{type, status, severity, owner, university_id, aware_at}', kept => 'An incident is never deleted: close it instead.');

create function private.incident_entry(event text, details jsonb default '{}', actor uuid default private.actor()) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_strip_nulls(jsonb_build_object('at', clock_timestamp(), 'event', event, 'by', actor)) || details
$$;
comment on function private.incident_entry is 'An entry of an incident''s timeline. Called where one is added.';

-- A call that says nothing new changes only when it was last seen, so that a timeline tells what changed.
create function private.open_incident(
  type public.incident_type, severity public.incident_severity, title text, description text, indicators jsonb default '{}',
  affected uuid[] default '{}', key text default null, systems text[] default '{}'
) returns text
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  incident text;
begin
  insert into public.security_incidents as i (
    type, severity, title, description, indicators, affected_users, affected_systems, key, aware_at, timeline
  )
  values (
    open_incident.type, open_incident.severity, left(open_incident.title, 500), left(open_incident.description, 5000),
    open_incident.indicators,
    array(select distinct a::text from unnest(affected) a where a is not null order by 1 limit 1000),
    systems,
    coalesce(left(open_incident.key, 300), gen_random_uuid()::text),
    case when open_incident.type = 'data_breach' then now() end,
    jsonb_build_array(private.incident_entry('detected', jsonb_build_object('severity', open_incident.severity), null))
  )
  on conflict (key) where status = any (array['open', 'investigating', 'contained']::public.incident_status[]) do update
  set
    last_seen_at = now(),
    severity = greatest(i.severity, excluded.severity),
    indicators = i.indicators || excluded.indicators,
    affected_users = array(select distinct a from unnest(i.affected_users || excluded.affected_users) a order by a limit 1000),
    timeline = case
      when jsonb_array_length(i.timeline) < 900
        and (
          i.severity < excluded.severity
          or not i.affected_users @> excluded.affected_users
          or i.status = 'contained'
          or i.last_seen_at < now() - interval '1 hour'
        )
      then i.timeline || private.incident_entry('seen_again', jsonb_build_object('severity', greatest(i.severity, excluded.severity)), null)
      else i.timeline
    end
  returning id into incident;
  return incident;
end
$$;
comment on function private.open_incident is 'Opens an incident, or adds to the active one with the same key; returns its id. Without a key each call opens one. Called by detection, security policies and checks.';

create function private.may_become(status public.incident_status, following public.incident_status) returns boolean
language sql immutable set search_path = '' as $$
  select following = any (
    (case status
      when 'open' then array['investigating', 'contained', 'resolved']
      when 'investigating' then array['contained', 'resolved']
      when 'contained' then array['investigating', 'resolved']
      when 'resolved' then array['investigating', 'closed']
      when 'closed' then array['investigating']
    end)::public.incident_status[]
  )
$$;
comment on function private.may_become is 'Whether an incident may go from one status to another: only what is resolved can be closed, and only what has ended is taken up again. Called where the status changes.';

create function private.is_json_time(value jsonb) returns boolean
language sql stable set search_path = '' as $$
  select value #>> '{}' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$' and pg_input_is_valid(value #>> '{}', 'timestamptz')
$$;
comment on function private.is_json_time is 'Whether a value is a time as JSON writes it, with its offset from UTC. Called by private.check_incident.';

-- Whoever reads an incident relies on these forms: detection every minute, for all incidents.
create function private.check_incident(incident public.security_incidents) returns void
language plpgsql stable set search_path = '' as $$
declare
  addresses constant jsonb := coalesce(incident.indicators -> 'addresses', '[]');
  entry jsonb;
begin
  if jsonb_typeof(incident.timeline) <> 'array' or jsonb_typeof(incident.response) <> 'array'
    or jsonb_typeof(incident.indicators) <> 'object' or jsonb_typeof(incident.metadata) <> 'object'
  then
    perform private.refuse(400, 'invalid_value', 'timeline and response are JSON arrays; indicators and metadata are JSON objects.');
  end if;
  select e into entry
  from jsonb_array_elements(incident.timeline) e
  where (
    jsonb_typeof(e -> 'event') = 'string' and private.is_json_time(e -> 'at')
    and (not e ? 'by' or pg_input_is_valid(e ->> 'by', 'uuid'))
  ) is not true
  limit 1;
  if found then
    perform private.refuse(400, 'invalid_value',
      'An entry of timeline is like {"at": "2026-11-28T09:30:00Z", "event": "note_added", "by": "<id of an account>"}: add_incident_note writes it.');
  end if;
  select r into entry
  from jsonb_array_elements(incident.response) r
  where (
    private.is_json_time(r -> 'at') and jsonb_typeof(r -> 'undone') = 'boolean'
    and r ->> 'status' = any (array['done', 'failed', 'not_configured'])
    and r ? 'target'
    and case r ->> 'action'
      when 'block_ip' then pg_input_is_valid(r ->> 'target', 'inet')
      when 'disable_user' then pg_input_is_valid(r ->> 'target', 'uuid')
      else r ->> 'action' = any (array['send_alert', 'quarantine', 'backup', 'audit_trail'])
    end
  ) is not true
  limit 1;
  if found then
    perform private.refuse(400, 'invalid_value',
      'An entry of response has an action with a target that fits it, status, undone and at: respond_to_incident does it and writes it.');
  end if;
  if jsonb_typeof(addresses) <> 'array'
    or exists (select from jsonb_array_elements(addresses) a where pg_input_is_valid(a #>> '{}', 'inet') is not true)
  then
    perform private.refuse(400, 'invalid_value', 'indicators.addresses is an array of IP addresses, such as ["203.0.113.7"].');
  end if;
  if not pg_input_is_valid(coalesce(incident.indicators ->> 'period', '1 hour'), 'interval')
    or not pg_input_is_valid(coalesce(incident.indicators ->> 'got_in', 'false'), 'boolean')
  then
    perform private.refuse(400, 'invalid_value', 'indicators.period is a time such as "15 minutes", indicators.got_in true or false.');
  end if;
  if not coalesce(incident.aware_at <= now() and isfinite(incident.aware_at), true)
    or not (incident.detected_at <= now() and isfinite(incident.detected_at))
  then
    perform private.refuse(400, 'invalid_value', 'An incident is noticed in the past: detected_at and aware_at are no later than now.');
  end if;
end
$$;
comment on function private.check_incident is 'Refuses an incident whose times, timeline, response or indicators others could not read. Called by private.protect_incident.';

create function private.protect_incident() returns trigger
language plpgsql set search_path = '' as $$
declare
  kept integer;
begin
  if tg_op = 'INSERT' then
    if new.timeline = '[]' then
      raise exception 'Record an incident with record_incident, under your own name: nothing tells here who you are.'
        using errcode = 'insufficient_privilege', hint = 'docs/incidents.md shows the call.';
    end if;
    perform private.check_incident(new);
    return new;
  end if;
  kept := jsonb_array_length(old.timeline);
  if jsonb_typeof(new.timeline) <> 'array'
    or (
      select coalesce(jsonb_agg(entry order by place), '[]')
      from jsonb_array_elements(new.timeline) with ordinality t (entry, place)
      where place <= kept
    ) <> old.timeline
  then
    raise exception 'The timeline of an incident is append-only.' using errcode = 'insufficient_privilege';
  end if;
  if new.status <> old.status then
    if not private.may_become(old.status, new.status) then
      raise exception 'An incident that is % cannot become %.', old.status, new.status using errcode = 'PT409';
    end if;
    new.ended_at := case when new.status in ('resolved', 'closed') then coalesce(old.ended_at, now()) end;
  end if;
  -- What detection adds, and that an owner or a university goes, needs no entry.
  if jsonb_array_length(new.timeline) = kept
    and (
      (new.status, new.type, new.title, new.description, new.detected_at, new.aware_at, new.response, new.metadata, new.key)
        is distinct from
        (old.status, old.type, old.title, old.description, old.detected_at, old.aware_at, old.response, old.metadata, old.key)
      or new.severity < old.severity
      or new.owner <> coalesce(old.owner, gen_random_uuid())
      or new.university_id <> coalesce(old.university_id, '')
    )
  then
    raise exception 'Change an incident with change_incident, add_incident_note or assign_incident, under your own name: nothing tells here who you are.'
      using errcode = 'insufficient_privilege', hint = 'docs/incidents.md shows the calls.';
  end if;
  perform private.check_incident(new);
  return new;
end
$$;
comment on function private.protect_incident is 'Trigger: whoever records or changes an incident is in its timeline, which only grows; states follow open, investigating, contained, resolved, closed; only what has ended is taken up again; others can read what is stored.';

create trigger protect_incident
before insert or update on public.security_incidents
for each row execute function private.protect_incident();

create function private.audit_incident_note() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit_at_end('incident_changed', new.university_id, 'security_incidents', new.id, details => '{"event": "note_added"}');
  return null;
end
$$;
comment on function private.audit_incident_note is 'Trigger: logs that somebody added a note to an incident, without its words.';

create trigger audit_incident_note
after update on public.security_incidents
for each row when (new.timeline <> old.timeline and new.timeline -> -1 ->> 'event' = 'note_added')
execute function private.audit_incident_note();
select private.declare_audit_triggers('public.security_incidents', '{audit_incident_note}');
