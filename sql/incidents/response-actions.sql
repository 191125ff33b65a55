-- Each action is one transaction, can be repeated, and has a counterpart.

create function private.record_response(
  incident text, action text, target text, undone boolean, outcome jsonb, actor uuid default private.actor()
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  entry jsonb := jsonb_build_object('action', action, 'target', target, 'undone', undone) || outcome;
begin
  update public.security_incidents i
  set response = i.response || (entry || jsonb_build_object('at', now())),
    timeline = i.timeline || private.incident_entry('response', entry, actor)
  where i.id = incident
    and jsonb_array_length(i.timeline) < 990
    -- Doing again what was done last leaves no trace.
    and entry is distinct from (
      select r - 'at'
      from jsonb_array_elements(i.response) with ordinality as t (r, place)
      where r ->> 'action' = action and r ->> 'target' is not distinct from target
      order by place desc
      limit 1
    );
end
$$;
comment on function private.record_response is 'Adds to an incident what was done about it, unless the same was done last. Called by detection, private.respond_to_incident and the edge functions.';

create function private.audit_response() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  latest jsonb := new.response -> -1;
  actor uuid := (new.timeline -> -1 ->> 'by')::uuid;
begin
  perform private.audit(
    'response_action', null, 'security_incidents', new.id,
    details => jsonb_build_object('action', latest -> 'action', 'undone', latest -> 'undone', 'status', latest -> 'status'),
    actor => actor,
    subject => case
      when latest ->> 'action' = 'disable_user' and pg_input_is_valid(latest ->> 'target', 'uuid') then (latest ->> 'target')::uuid
    end
  );
  return null;
end
$$;
comment on function private.audit_response is 'Trigger: logs what is done about an incident.';

create constraint trigger audit_response
after update on public.security_incidents
deferrable initially deferred
for each row when (new.response <> old.response)
execute function private.audit_response();
select private.declare_audit_triggers('public.security_incidents', '{audit_response}');

create function private.lock_incident(incident text) returns public.security_incidents
language plpgsql security definer set search_path = '' as $$
declare
  locked public.security_incidents;
begin
  perform private.require_security_admin();
  select * into locked from public.security_incidents i where i.id = incident for update;
  if not found then
    perform private.refuse(404, 'incident_not_found', 'There is no such incident.');
  end if;
  return locked;
end
$$;
comment on function private.lock_incident is 'Locks an incident for a security administrator and returns it; an error for others and where there is none. Called where one is dealt with.';

create function private.respond_to_incident(incident text, action text, target text, undo boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  subject constant public.security_incidents := private.lock_incident(incident);
  reason constant text := subject.title;
  outcome jsonb;
begin
  if action = 'block_ip' and not pg_input_is_valid(coalesce(target, ''), 'inet')
    or action = 'disable_user' and not pg_input_is_valid(coalesce(target, ''), 'uuid')
    or action = 'quarantine' and coalesce(target, '') !~ '^(\*|[a-z][a-z-]{0,60})$'
  then
    perform private.refuse(400, 'invalid_value', 'The target does not fit the action.');
  end if;
  outcome := case
    when action = 'block_ip' and undo then private.unblock_address(target::inet)
    when action = 'block_ip' then private.block_address(target::inet, null, reason, incident)
    when action = 'disable_user' and undo then private.enable_account(target::uuid)
    when action = 'disable_user' then private.disable_account(target::uuid, reason, incident)
    when action = 'send_alert' and undo then private.withdraw_security_alerts(incident)
    when action = 'send_alert' then private.send_security_alert(
      left(format('Security incident (%s): %s', subject.severity, reason), 200),
      coalesce(nullif(target, ''), reason) || E'\n\nIncident ' || incident,
      incident
    )
    when action = 'quarantine' then private.quarantine(target, undo, reason, incident)
    when action = 'audit_trail' and undo then '{"status": "failed", "detail": "Evidence is kept."}'
    when action = 'audit_trail' then private.seal_evidence(incident)
  end;
  if outcome is null then
    perform private.refuse(400, 'invalid_value', 'There is no such action.');
  end if;
  outcome := outcome || private.reach_of(action, undo, outcome);
  perform private.record_response(incident, action, target, undo, outcome);
  return outcome || jsonb_build_object('action', action, 'target', target, 'undone', undo);
end
$$;
comment on function private.respond_to_incident is 'Implementation of public.respond_to_incident, which calls it.';

create function private.reach_of(action text, undo boolean, outcome jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select case
    when undo or outcome ->> 'status' <> 'done' then '{}'::jsonb
    when action = 'block_ip' then '{"not_reached": ["realtime", "signed_urls"]}'
    when action = 'disable_user' then '{"not_reached": ["joined_channels", "signed_urls"]}'
    when action = 'quarantine' then '{"not_reached": ["rest", "storage", "realtime", "auth"]}'
    else '{}'
  end
$$;
comment on function private.reach_of is 'What an action does not reach because the platform does not let it be guarded; see docs/incidents.md. Called by private.respond_to_incident.';

create function public.respond_to_incident(incident_id text, action text, target text default null, undo boolean default false)
returns jsonb
language sql set search_path = ''
begin atomic select private.respond_to_incident(incident_id, action, target, undo); end;
comment on function public.respond_to_incident is 'Does something about an incident, or undoes it: block_ip, disable_user, send_alert, quarantine or audit_trail. Returns {action, target, undone, status: done or failed, detail?, until?, sha256?, not_reached?}. Doing it again changes nothing. Called by security administrators.';

create function private.change_incident(incident text, status public.incident_status, owner uuid, note text, aware_at timestamptz)
returns public.security_incidents
language plpgsql security definer set search_path = '' as $$
declare
  subject public.security_incidents := private.lock_incident(incident);
  next_status constant public.incident_status := status;
  next_owner constant uuid := owner;
  known_at constant timestamptz := aware_at;
begin
  if next_owner is not null and not private.has_role(next_owner, 'security_admin', null) then
    perform private.refuse(404, 'staff_not_found', 'There is no security administrator with this account.');
  end if;
  if known_at > now() or jsonb_array_length(subject.timeline) >= 990 then
    perform private.refuse(400, 'invalid_value', 'A breach is known from the past on, and a timeline has an end.');
  end if;
  if next_status <> subject.status and not private.may_become(subject.status, next_status) then
    perform private.refuse(409, 'incident_transition', format('An incident that is %s cannot become %s.', subject.status, next_status));
  end if;
  update public.security_incidents i
  set status = coalesce(next_status, i.status),
    owner = coalesce(next_owner, i.owner),
    aware_at = coalesce(known_at, i.aware_at),
    timeline = i.timeline || private.incident_entry('changed', jsonb_strip_nulls(jsonb_build_object(
      'status', nullif(next_status, i.status),
      'owner', nullif(next_owner, i.owner),
      'aware_at', known_at,
      'note', left(note, 2000)
    )))
  where i.id = incident
  returning * into subject;
  return subject;
end
$$;
comment on function private.change_incident is 'Implementation of public.change_incident, which calls it.';

create function public.change_incident(
  incident_id text, status public.incident_status default null, owner uuid default null, note text default null,
  aware_at timestamptz default null
) returns public.security_incidents
language sql set search_path = ''
begin atomic select private.change_incident(incident_id, status, owner, note, aware_at); end;
comment on function public.change_incident is 'Changes the status of an incident, who deals with it, and from when on a breach of personal data is known; adds a note to its timeline. Called by security administrators.';

create function private.detect_as_administrator() returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform private.require_security_admin();
  return (
    select jsonb_build_object(
      'detected',
      coalesce(jsonb_agg(jsonb_build_object('id', d.incident, 'rule', d.rule, 'opened', d.opened) order by d.incident), '[]')
    )
    from private.detect_incidents(now()) d
  );
end
$$;
comment on function private.detect_as_administrator is 'Implementation of public.detect_incidents, which calls it.';

create function public.detect_incidents() returns jsonb
language sql set search_path = ''
begin atomic select private.detect_as_administrator(); end;
comment on function public.detect_incidents is 'Looks for incidents now, as cron does every minute; returns those that it saw: {detected: [{id, rule, opened}]}. Called by security administrators.';
