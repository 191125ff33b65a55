create table private.evidence (
  id bigint generated always as identity constraint evidence_pkey primary key,
  incident_id text not null constraint evidence_incident_id_fkey references public.security_incidents (id) on delete cascade,
  content jsonb not null,
  sha256 bytea not null constraint evidence_sha256_length check (octet_length(sha256) = 32),
  sealed_at timestamptz not null default now(),
  constraint evidence_once unique (incident_id, sha256),
  constraint evidence_sha256_of_content check (sha256 = sha256(convert_to(content::text, 'UTF8')))
);
select private.describe('private.evidence',
  'Sealed extracts of what shows an incident. Never changed; their hashes are in the audit log''s chain.', $$
  id: The extract.
  incident_id: The incident.
  content: The incident, the events and the entries of the audit log of that time, and what was done. Example: {"incident": {"id": "inc_1", "type": "brute_force_attacks"}, "events": [], "audit_log": []}
  sha256: SHA-256 of the content as text in UTF-8.
  sealed_at: When it was made.
$$);

select private.declare_data('private.evidence', '{id, incident_id, content, sha256, sealed_at}',
  'To prove what happened in an incident.', 'account', 'activity', 'strpos(t.content::text, $1::text) > 0', erasure => 'keep',
  reason => 'Ids and addresses, sealed by a hash: evidence of a breach is kept as long as its incident.',
  term => 'security_incidents');
select private.declare_audited('private.evidence', 'id', 'by_hand', kept => 'Evidence is kept as long as its incident.');

create function private.prevent_evidence_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'Evidence is never changed.' using errcode = 'insufficient_privilege';
end
$$;
comment on function private.prevent_evidence_change is 'Trigger: nobody changes an extract of evidence.';

create function private.audit_evidence() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.audit_at_end(
    'evidence_sealed', null, 'security_incidents', new.incident_id,
    details => jsonb_build_object('sha256', encode(new.sha256, 'hex'))
  );
  return null;
end
$$;
comment on function private.audit_evidence is 'Trigger: puts the hash of an extract of evidence into the audit log''s chain.';

create trigger audit_evidence
after insert on private.evidence
for each row execute function private.audit_evidence();
select private.declare_audit_triggers('private.evidence', '{audit_evidence}');

create trigger prevent_evidence_change
before update on private.evidence
for each row execute function private.prevent_evidence_change();

create function private.seal_evidence(incident text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  about public.security_incidents;
  extract jsonb;
  digest bytea;
begin
  select * into about from public.security_incidents where id = incident;
  if not found then
    return jsonb_build_object('status', 'failed', 'detail', 'There is no such incident.');
  end if;
  extract := jsonb_build_object(
    'incident', to_jsonb(about) - array['timeline', 'response'],
    'events', (
      select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]')
      from (
        select *
        from private.security_events e
        where e.minute between about.detected_at - interval '1 hour' and about.last_seen_at + interval '1 minute'
          and (
            e.account::text = any (about.affected_users)
            or host(e.address) in (select jsonb_array_elements_text(coalesce(about.indicators -> 'addresses', '[]')))
          )
        order by e.id
        limit 5000
      ) e
    ),
    'audit_log', (
      select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]')
      from (
        select l.id, l.occurred_at, l.action, l.actor_id, l.subject_id, l.target_type, l.target_id, host(l.ip) as ip, encode(l.hash, 'hex') as hash
        from private.audit_log l
        where l.occurred_at between about.detected_at - interval '1 hour' and about.last_seen_at + interval '1 minute'
          and (l.actor_id::text = any (about.affected_users) or l.subject_id::text = any (about.affected_users))
        order by l.id
        limit 5000
      ) l
    )
  );
  digest := sha256(convert_to(extract::text, 'UTF8'));
  insert into private.evidence (incident_id, content, sha256) values (incident, extract, digest) on conflict do nothing;
  return jsonb_build_object('status', 'done', 'sha256', encode(digest, 'hex'));
end
$$;
comment on function private.seal_evidence is 'Stores an extract of what shows an incident, with its hash in the audit log; once while nothing is added. Returns {status, sha256}. Called by public.respond_to_incident.';
