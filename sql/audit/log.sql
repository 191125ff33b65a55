create type public.audit_action as enum (
  'signed_in', 'sign_in_failed', 'role_granted', 'role_revoked', 'university_added', 'university_changed', 'university_removed',
  'settings_changed', 'review_opened', 'review_changed', 'training_changed', 'training_graded', 'security_test_changed', 'security_test_run',
  'vulnerability_changed', 'students_listed', 'student_read', 'reviews_listed', 'account_read', 'data_exported', 'erasure_requested',
  'erasure_cancelled', 'account_erased', 'account_imported', 'legal_hold_set', 'legal_hold_lifted', 'compliance_assessed',
  'control_decided', 'incident_changed', 'response_action', 'evidence_sealed', 'policy_triggered', 'consent_changed', 'edited_by_hand',
  'schema_change_accepted', 'staff_invitation_accepted', 'enrolments_imported', 'student_nudged'
);
comment on type public.audit_action is 'What an entry of the audit log records.';

create table public.audit_logs (
  id bigint not null,
  occurred_at timestamptz not null,
  action public.audit_action not null,
  actor_hash bytea,
  subject_hash bytea,
  actor_role text not null,
  university_id text,
  target_type text,
  target_id text,
  before jsonb,
  after jsonb,
  details jsonb not null default '{}',
  request_id text,
  previous_hash bytea not null,
  hash bytea not null,
  constraint audit_logs_pkey primary key (id),
  constraint audit_logs_details_object check (jsonb_typeof(details) = 'object')
);
select private.describe('public.audit_logs', 'What was done, and when. Append-only; every entry holds the hash of the one before it. Who did it, to whom and from where is in private.audit_identities; private.audit_log shows both.', $$
  id: Position in the chain, from 1, without gaps.
  occurred_at: When the entry was written.
  action: What was done.
  actor_hash: private.audit_identity_hash of who did it, from where; null for an operator who stated no name, or a job.
  subject_hash: private.audit_identity_hash of whom it was done to; null when that is no person.
  actor_role: Database role that did it: authenticated, service_role, postgres or anon.
  university_id: University it concerns.
  target_type: Table of the row it was done to.
  target_id: Key of the row it was done to; null when that is a person.
  before: The columns that changed, as they were; the whole row when it was deleted. Example: {"crisis_phone": "+1 555 0100"}
  after: The columns that changed, as they became; the whole row when it was added. Example: {"crisis_phone": "+1 555 0101"}
  details: Further details, such as why a sign-in failed. Example: {"reason": "wrong_password"}
  request_id: Id of the request in the logs of the edge functions.
  previous_hash: Hash of the previous entry; 32 zero bytes for the first.
  hash: SHA-256 of previous_hash and everything in this entry.
$$);
-- No statistics: the planner's estimates for a filter, which it makes from rows that a policy hides too, then depend on nothing that
-- is in the rows.
alter table public.audit_logs
  alter column id set statistics 0,
  alter column occurred_at set statistics 0,
  alter column action set statistics 0,
  alter column actor_hash set statistics 0,
  alter column subject_hash set statistics 0,
  alter column actor_role set statistics 0,
  alter column university_id set statistics 0,
  alter column target_type set statistics 0,
  alter column target_id set statistics 0,
  alter column before set statistics 0,
  alter column after set statistics 0,
  alter column details set statistics 0,
  alter column request_id set statistics 0,
  alter column previous_hash set statistics 0,
  alter column hash set statistics 0;
create index audit_logs_action_idx on public.audit_logs (action, occurred_at);
create index audit_logs_target_idx on public.audit_logs (target_type, target_id);

select private.declare_term('audit_log', '6 years',
  'Who the people of the audit log''s entries are: from their writing. The entries stay, without people.', shortest => '6 years');
select private.declare_data('public.audit_logs',
  '{id, occurred_at, action, actor_role, university_id, target_type, request_id}', 'Proof of what was done and when.',
  term => 'audit_log',
  -- It names nobody itself. Of what others did, the person gets reads and reviews: a legal hold may be confidential.
  exported_if => $$
    t.id in (select i.entry from private.audit_identities i where i.account_id = $1 and i.party = 'actor')
    or t.action in ('student_read', 'account_read', 'review_changed', 'student_nudged')
    and t.id in (select i.entry from private.audit_identities i where i.account_id = $1)
  $$);
select private.declare_data('public.audit_logs', '{actor_hash, subject_hash, previous_hash, hash}',
  'Proof that nothing was changed; of people it has only hashes, under salts that are deleted with them.', term => 'audit_log',
  withheld => 'It proves the audit log, and means nothing by itself.');
select private.declare_data('public.audit_logs', '{target_id, before, after, details}', 'Proof of what exactly was done.',
  term => 'audit_log', withheld => 'It may name somebody else.');
select private.declare_unaudited('public.audit_logs', 'It is the audit log: nothing in it is changed or removed.');

create type private.audit_party as enum ('actor', 'subject');
comment on type private.audit_party is 'Who a person is in an entry of the audit log: who did it, or to whom it was done.';

-- Beside the chain, which holds only a hash under a salt that is deleted along with the rest: erasing a person breaks no hash.
-- Without a foreign key, as entries are never deleted.
create table private.audit_identities (
  entry bigint not null,
  party private.audit_party not null,
  account_id uuid,
  ip inet,
  user_agent text,
  salt bytea not null,
  constraint audit_identities_pkey primary key (entry, party),
  constraint audit_identities_somebody check (num_nonnulls(account_id, ip, user_agent) > 0),
  constraint audit_identities_salt_length check (octet_length(salt) = 16)
);
select private.describe('private.audit_identities', 'The people of the audit log''s entries. A row is never changed; it is deleted when the person is erased, and when its term ends.', $$
  entry: The entry, public.audit_logs.id.
  party: Who the person is in it.
  account_id: The account; null for an unknown caller.
  ip: IP address that the request claims to come from.
  user_agent: User agent that the request claims.
  salt: Random bytes, so that the hash in the entry says nothing once the row is deleted.
$$);
create index audit_identities_account_id_idx on private.audit_identities (account_id, entry);
create index audit_identities_unknown_caller_idx on private.audit_identities (entry) where account_id is null;

select private.declare_data('private.audit_identities', '{entry, party, account_id, ip, user_agent}',
  'Proof of who did what, and of who read whose data.', 'account', 'activity', 't.account_id = $1', term => 'audit_log',
  exported_if => 't.account_id = $1 and t.party = ''actor''');
select private.declare_data('private.audit_identities', '{salt}', 'Without it the hashes in the log lead to nobody.', 'account',
  'activity', 't.account_id = $1', term => 'audit_log', withheld => 'It proves the audit log, and means nothing by itself.');
-- The entries follow each other in time, so that the first are the oldest.
select private.declare_purge(kind, 'private.audit_identities', format($due$
  (d.entry, d.party) in (
    select o.entry, o.party
    from (select f.entry, f.party from private.audit_identities f where f.account_id %s order by f.entry limit $3) o
    join public.audit_logs e on e.id = o.entry
    where e.occurred_at < $1
  )
$due$, condition), locked => false)
from (values ('audit_log', 'is not null'), ('sign_in_log', 'is null')) as people (kind, condition);
select private.declare_unaudited('private.audit_identities',
  'They are the people of the audit log: none is changed, and none removed before the term.');

create function private.audit_identity_hash(salt bytea, account uuid, ip inet, user_agent text) returns bytea
language sql stable set search_path = '' as $$
  select sha256(salt || convert_to(jsonb_build_array(account, ip, user_agent)::text, 'UTF8'))
$$;
comment on function private.audit_identity_hash is 'What an entry holds of a person. Called where entries are written and verified.';

create type public.audit_entry as (
  id bigint,
  occurred_at timestamptz,
  action public.audit_action,
  actor_id uuid,
  actor_role text,
  university_id text,
  target_type text,
  target_id text,
  subject_id uuid,
  before jsonb,
  after jsonb,
  details jsonb,
  ip inet,
  user_agent text,
  request_id text,
  previous_hash bytea,
  hash bytea
);
comment on type public.audit_entry is 'An entry of the audit log with the people that it names, as far as they are not erased.';

create view private.audit_log with (security_invoker = true) as
select
  e.id, e.occurred_at, e.action, a.account_id as actor_id, e.actor_role, e.university_id, e.target_type,
  coalesce(e.target_id, s.account_id::text) as target_id,
  s.account_id as subject_id, e.before, e.after, e.details, a.ip, a.user_agent, e.request_id, e.previous_hash, e.hash
from public.audit_logs e
left join private.audit_identities a on a.entry = e.id and a.party = 'actor'
left join private.audit_identities s on s.entry = e.id and s.party = 'subject';
comment on view private.audit_log is 'The audit log with the people of its entries, as far as they are not erased.';
comment on column private.audit_log.before is 'As in public.audit_logs. Example: {"crisis_phone": "+1 555 0100"}';
comment on column private.audit_log.after is 'As in public.audit_logs. Example: {"crisis_phone": "+1 555 0101"}';
comment on column private.audit_log.details is 'As in public.audit_logs. Example: {"reason": "wrong_password"}';

create table private.audit_head (
  only_row boolean not null default true,
  entries bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  constraint audit_head_pkey primary key (only_row),
  constraint audit_head_only_row check (only_row),
  constraint audit_head_hash_length check (octet_length(hash) = 32)
);
select private.describe('private.audit_head', 'Head of the audit log''s chain; its lock lets one transaction append at a time. Exactly one row.', $$
  only_row: Always true: there is one row.
  entries: Number of entries in the log.
  hash: Hash of the last entry.
$$);

insert into private.audit_head default values;

select private.declare_data('private.audit_head', '{only_row, entries, hash}', 'The last hash of the audit log.');
select private.declare_audited('private.audit_head', 'only_row', 'by_hand');

-- Lists the columns one by one, so that adding a column later changes no hash.
create function private.audit_hash(entry public.audit_logs) returns bytea
language sql stable set search_path = '' as $$
  select sha256(
    entry.previous_hash || convert_to(
      jsonb_build_array(
        entry.id,
        extract(epoch from entry.occurred_at),
        entry.action,
        encode(entry.actor_hash, 'hex'),
        encode(entry.subject_hash, 'hex'),
        entry.actor_role, entry.university_id, entry.target_type, entry.target_id, entry.before, entry.after, entry.details,
        entry.request_id
      )::text,
      'UTF8'
    )
  )
$$;
comment on function private.audit_hash is 'The hash that an entry must have. Called where entries are written and verified.';

create function private.chain_audit_entry() returns trigger
language plpgsql set search_path = '' as $$
declare
  head private.audit_head;
begin
  select * into strict head from private.audit_head for update;
  new.id := head.entries + 1;
  new.occurred_at := clock_timestamp();
  new.previous_hash := head.hash;
  new.hash := private.audit_hash(new);
  update private.audit_head set entries = new.id, hash = new.hash;
  return new;
end
$$;
comment on function private.chain_audit_entry is 'Trigger: sets position, time and hash of an entry, whatever the statement says; one transaction at a time.';

create function private.prevent_audit_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'The audit log is append-only.' using errcode = 'insufficient_privilege';
end
$$;
comment on function private.prevent_audit_change is 'Trigger: nobody changes or deletes an entry of the audit log.';

create function private.request_header(name text) returns text
language sql stable set search_path = '' as $$
  select nullif(current_setting('request.headers', true), '')::jsonb ->> name
$$;
comment on function private.request_header is 'A header of the request that PostgREST is handling; null elsewhere. Called by private.audit.';

-- The gateway sets cf-connecting-ip whatever the client sent; X-Forwarded-For begins with what the client wrote. Of a request that
-- an edge function makes for somebody, that is the function's address: it sends the person's, with a proof made with the secret
-- that it shares with the database.
create function private.attested_address() returns inet
language plpgsql stable security definer set search_path = '' as $$
declare
  told text := private.request_header('x-client-address');
  address text := split_part(told, ' ', 1);
begin
  if told is not null and told = any (
    select address || ' ' || encode(extensions.hmac('x-client-address ' || address, decrypted_secret, 'sha256'), 'hex')
    from vault.decrypted_secrets
    where name in ('pipeline_secret', 'pipeline_secret_next')
  ) then
    return address::inet;
  end if;
  return null;
exception
  when invalid_text_representation then
    return null;
end
$$;
comment on function private.attested_address is 'IP address of the person for whom an edge function makes this request, by its word; null of a request that no function makes. Called by private.request_ip, and where functions have checked already what is checked here.';

create function private.request_ip() returns inet
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce(private.attested_address(), private.request_header('cf-connecting-ip')::inet);
exception
  when invalid_text_representation then
    return null;
end
$$;
comment on function private.request_ip is 'IP address that the request comes from, by the word of the gateway or of an edge function; null elsewhere. Called by private.audit.';

create function private.audit(
  action public.audit_action, university text default null, target_type text default null, target_id text default null,
  before jsonb default null, after jsonb default null, details jsonb default '{}', actor uuid default private.actor(),
  ip inet default private.request_ip(), user_agent text default private.request_header('user-agent'),
  request_id text default private.request_header('x-request-id'), subject uuid default null
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  allowance record;
  people private.audit_identities[];
  written bigint;
  event text := case
    when audit.action = 'signed_in' then 'sign_in_succeeded'
    when audit.action in ('role_granted', 'role_revoked') then 'role_changed'
    when audit.action in ('students_listed', 'student_read', 'reviews_listed', 'account_read') then 'students_read'
    when audit.action in ('data_exported', 'settings_changed') then audit.action::text
  end;
begin
  -- What one account adds is bounded, so that the log stays short enough to verify.
  if actor is not null and (select auth.role()) = 'authenticated' then
    select * into strict allowance from private.consume_rate_limit(actor, 'audit');
    if not allowance.allowed then
      perform nextval('private.limited_audit_entries');
      perform private.refuse_for(
        allowance.reset_s, format('Too many reads and changes that are logged. Try again in %s s.', allowance.reset_s)
      );
    end if;
  end if;
  people := array(
    select row(0, p.party, p.account, p.ip, p.user_agent, extensions.gen_random_bytes(16))::private.audit_identities
    from (
      values
        ('actor'::private.audit_party, actor, audit.ip, left(audit.user_agent, 500)),
        ('subject', audit.subject, null, null)
    ) as p (party, account, ip, user_agent)
    where num_nonnulls(p.account, p.ip, p.user_agent) > 0
  );
  -- The trigger chain_audit_entry overwrites the first four.
  insert into public.audit_logs (
    id, occurred_at, previous_hash, hash,
    action, actor_hash, subject_hash, actor_role, university_id, target_type, target_id, before, after, details, request_id
  )
  select
    0, now(), '', '',
    audit.action,
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'actor'
    ),
    (
      select private.audit_identity_hash(p.salt, p.account_id, p.ip, p.user_agent)
      from unnest(people) p
      where p.party = 'subject'
    ),
    -- A token that somebody at the database makes up changes nothing about who is connected.
    coalesce(case when not private.by_hand() then nullif((select auth.role()), '') end, session_user), left(university, 100),
    audit.target_type, audit.target_id, audit.before, audit.after, audit.details, left(audit.request_id, 64)
  returning id into written;
  insert into private.audit_identities
  select written, p.party, p.account_id, p.ip, p.user_agent, p.salt from unnest(people) p;
  if event is not null then
    perform private.note_security_event(event, actor, ip, jsonb_build_object('action', audit.action));
  end if;
end
$$;
comment on function private.audit is 'Appends to the audit log, with who did it and to whom beside it; an error for an account that has appended too often. Locks the chain until the transaction ends, so it comes last in it. Called by triggers and by the edge functions.';

create function private.audit_failed_sign_in(
  reason text, ip inet, user_agent text, request_id text default null, tried text default null, by_other_page boolean default false
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  account uuid := private.account_of_address(tried);
begin
  perform private.audit(
    'sign_in_failed',
    actor => null,
    details => jsonb_build_object('reason', reason),
    ip => ip,
    user_agent => user_agent,
    request_id => request_id
  );
  perform private.note_security_event(
    'sign_in_failed', account,
    case when not by_other_page then ip end,
    jsonb_build_object('reason', reason),
    case when by_other_page and account is null then 'pages' else 'functions' end
  );
end
$$;
comment on function private.audit_failed_sign_in is 'Logs a sign-in that failed, without who was meant, and notes it for detection with the account of the email address that was tried. Where a page of another site had a browser send it, it says nothing against the address that it came from, and counts for the account alone. Called by the edge functions.';

create table private.audit_proof (
  only_row boolean not null default true,
  entries bigint not null default 0,
  hash bytea not null default decode(repeat('00', 32), 'hex'),
  proved_at timestamptz,
  constraint audit_proof_pkey primary key (only_row),
  constraint audit_proof_only_row check (only_row),
  constraint audit_proof_hash_length check (octet_length(hash) = 32)
);
select private.describe('private.audit_proof', 'How far the audit log was found intact, from its first entry; verification goes on from there. Exactly one row.', $$
  only_row: Always true: there is one row.
  entries: Number of entries that were proved, from the first without gaps.
  hash: Hash of the last of them.
  proved_at: When that was; null before the first time.
$$);

insert into private.audit_proof default values;

select private.declare_data('private.audit_proof', '{only_row, entries, hash, proved_at}', 'How far the audit log was verified.');
select private.declare_audited('private.audit_proof', 'only_row', 'by_hand');

create function private.verify_audit_log(from_entry bigint)
returns table (intact boolean, entries bigint, verified_through bigint, broken_at bigint, problem text)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
declare
  origin constant bytea := decode(repeat('00', 32), 'hex');
  -- What takes some 2 s to verify.
  batch constant bigint := 20000;
  proof private.audit_proof;
  first_entry bigint;
  last_entry bigint;
  found record;
begin
  if not (select private.is_security_admin()) and coalesce((select auth.role()), '') in ('anon', 'authenticated') then
    return;
  end if;
  select * into strict proof from private.audit_proof;
  -- The last proved entry is verified again: it must still have the hash that was proved.
  first_entry := coalesce(from_entry, greatest(proof.entries, 1));
  last_entry := case when from_entry is null then proof.entries + batch end;
  with before as (select coalesce((select hash from public.audit_logs where id = first_entry - 1), origin) as hash),
  head as (select h.entries, h.hash from private.audit_head h),
  links as (
    select e.id, e.hash, case
        when e.id <> greatest(first_entry, 1) - 1 + row_number() over chain then 'an entry is missing before this one'
        when e.previous_hash <> lag(e.hash, 1, b.hash) over chain then 'does not follow the entry before it'
        when e.hash <> private.audit_hash(e) or (e.id = proof.entries and e.hash <> proof.hash) then 'was changed'
        when exists (
          select
          from private.audit_identities i
          where i.entry = e.id
            and private.audit_identity_hash(i.salt, i.account_id, i.ip, i.user_agent)
              is distinct from case i.party when 'actor' then e.actor_hash else e.subject_hash end
        )
        then 'who it names was changed'
      end as problem
    from public.audit_logs e, before b
    where e.id >= first_entry and (last_entry is null or e.id <= last_entry)
    window chain as (order by e.id)
  ),
  broken as (
    select id, problem from links where problem is not null
    union all
    select null, 'entries are missing at the end'
    from head
    where head.entries < proof.entries
      or (head.entries, head.hash) is distinct from (
        coalesce((select max(id) from public.audit_logs), 0),
        coalesce((select hash from public.audit_logs order by id desc limit 1), origin)
      )
    union all
    select null, 'the end of the chain is missing'
    where not exists (select from head)
    order by id nulls last
    limit 1
  )
  select
    (select head.entries from head) as entries,
    coalesce((select max(id) from links), first_entry - 1) as through,
    (select hash from links order by id desc limit 1) as hash,
    b.id as broken_at, b.problem
  into found
  from (select) as log
  left join broken b on true;

  if found.problem is null and found.through > proof.entries and first_entry <= proof.entries + 1 then
    update private.audit_proof p
    set entries = found.through, hash = found.hash, proved_at = now()
    where p.entries < found.through;
  end if;
  return query select found.problem is null, found.entries, found.through, found.broken_at, found.problem;
end
$$;
comment on function private.verify_audit_log is 'Implementation of public.verify_audit_chain, which calls it.';

create function public.verify_audit_chain(from_entry bigint default null)
returns table (intact boolean, entries bigint, verified_through bigint, broken_at bigint, problem text)
language sql set search_path = ''
begin atomic
  select v.intact, v.entries, v.verified_through, v.broken_at, v.problem from private.verify_audit_log(from_entry) v;
end;
comment on function public.verify_audit_chain is 'Verifies the audit log: the next 20,000 entries after the last proved one, or all from an entry on. Says whether they are intact, and if not, where. Called by cron, security administrators, the secret key and operators; no row for others.';
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');

create function private.audit_entries(
  before_entry bigint, wanted public.audit_action, actor uuid, target text, page_limit integer, since timestamptz, until timestamptz,
  university text
) returns setof public.audit_entry
language sql stable security definer set search_path = '' as $$
  select e.*
  from private.audit_log e
  where (select private.is_security_admin())
    and (before_entry is null or e.id < before_entry)
    and (wanted is null or e.action = wanted)
    and (actor is null or e.actor_id = actor)
    and (target is null or e.target_id = target)
    and (since is null or e.occurred_at >= since)
    and (audit_entries.until is null or e.occurred_at < audit_entries.until)
    and (university is null or e.university_id = university)
  order by e.id desc
  limit least(greatest(page_limit, 0), 1000)
$$;
comment on function private.audit_entries is 'Implementation of public.read_audit_log, which calls it.';

create function public.read_audit_log(
  before_entry bigint default null, action public.audit_action default null, actor_id uuid default null,
  target_id text default null, page_limit integer default 100, since timestamptz default null, until timestamptz default null,
  university_id text default null
) returns setof public.audit_entry
language sql stable set search_path = ''
begin atomic
  select e.* from private.audit_entries(before_entry, action, actor_id, target_id, page_limit, since, until, university_id) e;
end;
comment on function public.read_audit_log is 'Entries of the audit log, the newest first, at most 1000 a page; the next page is before the last id. until is the first moment that is not meant. Called by security administrators; no row for others.';

create trigger chain_audit_entry before insert on public.audit_logs for each row execute function private.chain_audit_entry();

create trigger prevent_audit_change before update or delete on public.audit_logs
for each row execute function private.prevent_audit_change();

create function private.prevent_audit_identity_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' and (
    -- Erased, or about to be in this transaction.
    (
      old.account_id is not null
      and (
        not exists (select from auth.users where id = old.account_id)
        or exists (select from private.erasures where user_id = old.account_id and erased_at is not null)
      )
    )
    or (
      select e.occurred_at < now() - r.keep
      from public.audit_logs e, private.retention_rules r
      where e.id = old.entry and r.kind = case when old.account_id is null then 'sign_in_log' else 'audit_log' end
    )
  ) then
    return old;
  end if;
  raise exception 'The people of the audit log are deleted when they are erased, or when their term has ended.'
    using errcode = 'insufficient_privilege';
end
$$;
comment on function private.prevent_audit_identity_change is 'Trigger: a person of the audit log is never changed, and deleted only when erased, or when the term has ended: that of sign_in_log for an unknown caller, that of audit_log for an account.';

create trigger prevent_audit_identity_change before update or delete on private.audit_identities
for each row execute function private.prevent_audit_identity_change();

create trigger prevent_audit_identity_truncate before truncate on private.audit_identities
for each statement execute function private.prevent_audit_change();

create trigger prevent_audit_truncate before truncate on public.audit_logs
for each statement execute function private.prevent_audit_change();

select private.declare_audit_triggers('public.audit_logs', '{chain_audit_entry, prevent_audit_change, prevent_audit_truncate}',
  guards => true);
select private.declare_audit_triggers('private.audit_identities',
  '{prevent_audit_identity_change, prevent_audit_identity_truncate}', guards => true);
