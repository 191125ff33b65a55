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
  perform private.audit_at_end(
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

create trigger audit_response
after update on public.security_incidents
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
    or action = 'quarantine' and not coalesce(target = '*' or private.is_edge_function(target), false)
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
  said constant text := nullif(left(btrim(note), 2000), '');
  reopened constant boolean := subject.ended_at is not null and next_status = 'investigating';
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
  if subject.status = 'closed' and next_status = 'investigating' and said is null then
    perform private.refuse(400, 'invalid_value', 'What is closed is reopened with a reason.');
  end if;
  if reopened and exists (select from public.security_incidents i where i.key = subject.key and i.ended_at is null) then
    perform private.refuse(409, 'incident_transition', 'It goes on as another incident, which is active: deal with that one.');
  end if;
  update public.security_incidents i
  set status = coalesce(next_status, i.status),
    owner = coalesce(next_owner, i.owner),
    aware_at = coalesce(known_at, i.aware_at),
    timeline = i.timeline || private.incident_entry(
      case
        when reopened then 'reopened'
        when num_nonnulls(next_status, known_at) > 0 then 'changed'
        when next_owner is not null then 'assigned'
        when said is not null then 'note_added'
        else 'changed'
      end,
      jsonb_strip_nulls(jsonb_build_object(
        'status', nullif(next_status, i.status), 'owner', nullif(next_owner, i.owner), 'aware_at', known_at, 'note', said
      ))
    )
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

create function private.record_incident(
  type public.incident_type, severity public.incident_severity, title text, description text, university_id text,
  noticed_at timestamptz, affected_users uuid[], affected_systems text[]
) returns public.security_incidents
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  at constant timestamptz := coalesce(noticed_at, now());
  systems constant text[] := array_remove(affected_systems, null);
  recorded public.security_incidents;
begin
  perform private.require_security_admin();
  if char_length(coalesce(btrim(title), '')) not between 1 and 500
    or char_length(coalesce(btrim(description), '')) not between 1 and 5000
    or record_incident.type is null
    or record_incident.severity is null
  then
    perform private.refuse(400, 'invalid_value', 'An incident has a type, a severity, a title of up to 500 characters and a description of up to 5000.');
  end if;
  if cardinality(affected_users) > 1000 or cardinality(systems) > 100 or exists (select from unnest(systems) s where char_length(s) > 200) then
    perform private.refuse(400, 'invalid_value', 'An incident concerns up to 1000 accounts, and up to 100 systems with names of up to 200 characters.');
  end if;
  if not isfinite(at) or at > now() then
    perform private.refuse(400, 'invalid_value', 'An incident is noticed in the past.');
  end if;
  if record_incident.university_id is not null and not exists (select from public.universities u where u.id = record_incident.university_id) then
    perform private.refuse(404, 'university_not_found', 'There is no such university.');
  end if;
  insert into public.security_incidents (
    type, severity, title, description, university_id, detected_at, aware_at, affected_users, affected_systems, key, timeline
  )
  values (
    record_incident.type, record_incident.severity, btrim(title), btrim(description), record_incident.university_id, at,
    case when record_incident.type = 'data_breach' then at end,
    array(select distinct a::text from unnest(affected_users) a where a is not null order by 1),
    coalesce(systems, '{}'),
    'recorded:' || gen_random_uuid(),
    jsonb_build_array(private.incident_entry('recorded', jsonb_build_object('severity', record_incident.severity)))
  )
  returning * into recorded;
  return recorded;
end
$$;
comment on function private.record_incident is 'Implementation of public.record_incident, which calls it.';

create function public.record_incident(
  type public.incident_type, severity public.incident_severity, title text, description text, university_id text default null,
  noticed_at timestamptz default now(), affected_users uuid[] default '{}', affected_systems text[] default '{}'
) returns public.security_incidents
language sql set search_path = ''
begin atomic
  select private.record_incident(type, severity, title, description, university_id, noticed_at, affected_users, affected_systems);
end;
comment on function public.record_incident is 'Records an incident that a person noticed. Of a data breach, noticed_at is from when on it is known, from which the 72 hours run until the authority has to be told. Called by security administrators.';

create function private.explain_incident(incident text, words text, reopen boolean) returns public.security_incidents
language plpgsql security definer set search_path = '' as $$
declare
  subject constant public.security_incidents := private.lock_incident(incident);
begin
  if char_length(coalesce(btrim(words), '')) not between 1 and 2000 then
    perform private.refuse(400, 'invalid_value', 'A note or a reason has 1 to 2000 characters.');
  end if;
  if reopen and subject.ended_at is null then
    perform private.refuse(409, 'incident_transition', format('An incident that is %s need not be reopened.', subject.status));
  end if;
  return private.change_incident(incident, case when reopen then 'investigating'::public.incident_status end, null, words, null);
end
$$;
comment on function private.explain_incident is 'Keeps a note of an incident, or takes it up again with a reason. Called by public.add_incident_note and public.reopen_incident.';

create function public.add_incident_note(incident_id text, note text) returns public.security_incidents
language sql set search_path = ''
begin atomic select private.explain_incident(incident_id, note, false); end;
comment on function public.add_incident_note is 'Adds a note to the timeline of an incident, also of one that has ended. Called by security administrators.';

create function public.assign_incident(incident_id text, owner uuid default null, note text default null)
returns public.security_incidents
language sql set search_path = ''
begin atomic select private.change_incident(incident_id, null, coalesce(owner, private.current_account()), note, null); end;
comment on function public.assign_incident is 'Says which security administrator deals with an incident: without an owner, the caller. Called by security administrators.';

create function public.reopen_incident(incident_id text, reason text) returns public.security_incidents
language sql set search_path = ''
begin atomic select private.explain_incident(incident_id, reason, true); end;
comment on function public.reopen_incident is 'Takes up an incident again that was resolved or closed, with the reason in its timeline. Called by security administrators.';

create function private.accept_schema_change(reason text, named text) returns jsonb
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  said constant text := btrim(reason);
  accepted private.schema_changes_to_confirm[];
  listed jsonb;
  incident text;
  weak_ones_left boolean;
begin
  perform private.require_security_admin();
  if char_length(coalesce(said, '')) not between 1 and 1000 then
    perform private.refuse(400, 'invalid_value', 'A change is confirmed with a reason of up to 1000 characters.');
  end if;
  perform private.see_schema_changes();
  with taken as (
    delete from private.schema_changes_to_confirm c
    where case
      when named is null then not c.weakens
      else c.object = named or c.relation = named and (not c.weakens or c.change = 'removed')
    end
    returning c
  )
  select array_agg(t.c order by (t.c).object, (t.c).aspect) into accepted from taken t;
  if accepted is null then
    perform private.refuse(400, 'invalid_value',
      'There is no such change to confirm. What weakens protection is confirmed by its name: list_schema_changes shows it as object.');
  end if;
  select jsonb_agg(jsonb_build_object('aspect', aspect, 'object', object, 'change', change, 'weakens', weakens)) into listed
  from unnest(accepted);
  delete from private.schema_snapshot b using unnest(accepted) a where b.aspect = a.aspect and b.object = a.object and a.change = 'removed';
  insert into private.schema_snapshot (aspect, object, relation, state, confirmed)
  select aspect, object, relation, state, true from unnest(accepted) where change <> 'removed'
  on conflict on constraint schema_snapshot_pkey do update set state = excluded.state, relation = excluded.relation;
  if listed @> '[{"weakens": true}]' then
    select i.id into incident from public.security_incidents i where i.key = 'schema' and i.ended_at is null;
    weak_ones_left := exists (select from private.schema_changes_to_confirm where weakens);
  end if;
  if incident is not null then
    perform private.change_incident(incident, case when not weak_ones_left then 'resolved'::public.incident_status end, null,
      format('Confirmed: %s. %s', said, (select string_agg(object, ', ') from unnest(accepted) where weakens)), null);
    if not weak_ones_left then
      perform private.change_incident(incident, 'closed', null, null, null);
    end if;
  end if;
  perform private.audit_at_end(
    'schema_change_accepted', target_type => 'schema', target_id => named,
    details => jsonb_build_object('reason', said, 'changes', listed, 'incident', incident)
  );
  return jsonb_build_object('confirmed', listed, 'closed', case when not weak_ones_left then incident end);
end
$$;
comment on function private.accept_schema_change is 'Implementation of public.accept_schema_change, which calls it.';

create function public.accept_schema_change(reason text, object text default null) returns jsonb
language sql set search_path = ''
begin atomic select private.accept_schema_change(reason, object); end;
comment on function public.accept_schema_change is 'Confirms a change of list_schema_changes by its object, with what a new table consists of; without one all that weaken nothing. Ends their incident when nothing of it is left. Returns {confirmed: [{aspect, object, change, weakens}], closed: the incident}. Called by security administrators.';

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
