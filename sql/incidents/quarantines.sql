create table private.quarantines (
  function_name text not null constraint quarantines_pkey primary key,
  reason text not null constraint quarantines_reason_length check (char_length(reason) between 1 and 500),
  incident_id text constraint quarantines_incident_id_fkey references public.security_incidents (id) on delete set null,
  since timestamptz not null default now(),
  constraint quarantines_function_name_form check (function_name ~ '^(\*|[a-z][a-z-]{0,60})$')
);
comment on table private.quarantines is 'Edge functions that answer nothing but 503 quarantined.';
comment on column private.quarantines.function_name is 'The function; * for all.';
comment on column private.quarantines.reason is 'Why.';
comment on column private.quarantines.incident_id is 'The incident that it responds to.';
comment on column private.quarantines.since is 'Since when.';
create index quarantines_incident_id_idx on private.quarantines (incident_id);

select private.declare_data('private.quarantines', '{function_name, reason, incident_id, since}',
  'Functions that are switched off.');

create function private.check_call(address inet, called text)
returns table (code text, retry_s integer, until timestamptz, contact text, resources jsonb)
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
  select
    'address_blocked',
    greatest(1, ceil(extract(epoch from b.until - now())))::integer,
    b.until,
    (select s.blocked_contact from private.detection_settings s),
    private.university_crisis_resources(null)
  from private.blocked_addresses b
  where address is not null and b.network = private.block_network(address) and b.until > now()
  union all
  select 'quarantined', 60, null, null, private.university_crisis_resources(null) from private.quarantines q
  where q.function_name in (called, '*')
  order by 1;
end
$$;
comment on function private.check_call is
  'Why a call of a function is refused, for how many seconds, for a blocked address until when and whom to ask, and the help that nothing keeps from anybody; no row when it is not, a row for each reason. Called by the edge functions before each call.';

create function private.quarantine(called text, lift boolean, reason text, incident text) returns jsonb
language plpgsql set search_path = '' as $$
begin
  if lift then
    delete from private.quarantines where function_name = called;
  else
    insert into private.quarantines (function_name, reason, incident_id)
    values (called, left(reason, 500), incident)
    on conflict on constraint quarantines_pkey do nothing;
  end if;
  return '{"status": "done"}';
end
$$;
comment on function private.quarantine is 'Quarantines a function, or all (*), or lifts that. Called by private.respond_to_incident.';
