-- Deletes what has been kept for as long as private.retention_rules says. Every run is one short transaction of a bounded number of
-- rows of each kind, the oldest first, that are past use: it makes nothing wait, can be repeated, and may be lost at any point.

create index check_ins_created_at_idx on checkin.check_ins (created_at);
create index assessment_sessions_created_at_idx on public.assessment_sessions (created_at);

create table private.retention_counts (
  day date not null,
  kind text not null,
  deleted bigint not null,
  constraint retention_counts_pkey primary key (day, kind),
  constraint retention_counts_kind_fkey foreign key (kind) references private.retention_rules (kind) on delete cascade
);
comment on table private.retention_counts is 'How much retention deleted on each day.';
comment on column private.retention_counts.day is 'The day (UTC).';
comment on column private.retention_counts.kind is 'The kind of data.';
comment on column private.retention_counts.deleted is 'Rows that were deleted, or files that were queued for removal.';
create index retention_counts_kind_idx on private.retention_counts (kind);

select private.declare_data('private.retention_counts', '{day, kind, deleted}', 'How much retention deleted on each day.');

create table private.bucket_comparisons (
  bucket text not null,
  began_at timestamptz not null,
  compared_through text not null default '',
  objects bigint not null default 0,
  removed bigint not null default 0,
  ended_at timestamptz,
  constraint bucket_comparisons_pkey primary key (bucket)
);
comment on table private.bucket_comparisons is 'The last comparison of each bucket with the tables, and how far it is.';
comment on column private.bucket_comparisons.bucket is 'The bucket.';
comment on column private.bucket_comparisons.began_at is 'When it began.';
comment on column private.bucket_comparisons.compared_through is 'Name of the last object that was compared.';
comment on column private.bucket_comparisons.objects is 'Objects that were compared.';
comment on column private.bucket_comparisons.removed is 'Objects that belong to no row and were queued for removal.';
comment on column private.bucket_comparisons.ended_at is 'When the last object was compared; null while it goes on.';

select private.declare_data('private.bucket_comparisons', '{compared_through}',
  'How far the comparison of a bucket is: the name of a file, until the next one.', 'student', 'activity',
  'starts_with(t.compared_through, $1::text || ''/'') or t.compared_through like ''%/students/'' || $1::text || ''/%''',
  erasure => 'keep', reason => 'Replaced with the next files that are compared, within a day.');
select private.declare_data('private.bucket_comparisons', '{bucket, began_at, objects, removed, ended_at}',
  'The last comparison of each bucket with the tables.');

create function private.check_in_of_path(path text) returns uuid
language sql immutable set search_path = '' as $$
  select case
    when path ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/' then substr(path, 38, 36)::uuid
  end
$$;
comment on function private.check_in_of_path is
  'The check-in in whose folder an object lies; null when it lies elsewhere. Called by private.belongs_to_a_row.';

create function private.belongs_to_a_row(bucket text, name text) returns boolean
language sql stable set search_path = '' as $$
  select case bucket
    when 'university-files' then split_part(name, '/', 2) <> 'students'
      or exists (select from auth.users u where u.id::text = split_part(name, '/', 3))
    else exists (
      select from private.check_in_media m where m.check_in_id = private.check_in_of_path(name) and m.path = name
    )
  end
$$;
comment on function private.belongs_to_a_row is
  'Whether an object of a bucket belongs to a submitted check-in, to a student''s folder or to a university. Called by private.compare_bucket.';

-- An upload begins before its row, so only what is older than any upload is removed.
create function private.compare_bucket(compared text, at timestamptz, most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  pass private.bucket_comparisons;
  cutoff timestamptz := at - (select keep from private.retention_rules where kind = 'unfinished_uploads');
  found_objects integer;
  last_name text;
  orphans integer;
begin
  insert into private.bucket_comparisons (bucket, began_at) values (compared, at) on conflict do nothing;
  select * into pass from private.bucket_comparisons where bucket = compared for update skip locked;
  if not found or (pass.ended_at is not null and (pass.began_at at time zone 'UTC')::date = (at at time zone 'UTC')::date) then
    return 0;
  end if;
  if pass.ended_at is not null then
    pass.began_at := at;
    pass.compared_through := '';
    pass.objects := 0;
    pass.removed := 0;
  end if;

  with page as materialized (
    select o.name, o.created_at
    from storage.objects o
    where o.bucket_id = compared and o.name collate "C" > pass.compared_through
    order by o.name collate "C"
    limit most
  ),
  removed as materialized (
    select private.queue_object_removal(compared, p.name, 'no_row')
    from page p
    where p.created_at < cutoff
      and not private.belongs_to_a_row(compared, p.name)
      and not exists (select from private.object_removals r where r.bucket = compared and r.name = p.name)
  )
  select (select count(*) from page), (select max(name collate "C") from page), (select count(*) from removed)
  into found_objects, last_name, orphans;

  update private.bucket_comparisons
  set began_at = pass.began_at,
    compared_through = coalesce(last_name, pass.compared_through),
    objects = pass.objects + found_objects,
    removed = pass.removed + orphans,
    ended_at = case when found_objects < most then at end
  where bucket = compared;
  return orphans;
end
$$;
comment on function private.compare_bucket is
  'Compares the next objects of a bucket with the tables, once through a day; those older than unfinished_uploads that belong to no row are queued for removal. Returns how many. Called by private.purge_kind.';

-- Rows that are deleted with others: analyses, scores and inputs with their check-in, plans with their alert.
create function private.purge_kind(purged text, at timestamptz, most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  cutoff timestamptz := at - (select keep from private.retention_rules where kind = purged);
  students uuid[];
  deleted integer;
  further integer;
begin
  case purged
    when 'raw_media' then
      with due as materialized (
        select m.ctid
        from private.check_in_media m
        join checkin.check_ins c on c.id = m.check_in_id
        where m.created_at < cutoff and c.completed_at < cutoff
        order by m.created_at
        limit most
        for update of m skip locked
      ),
      gone as (
        delete from private.check_in_media m where m.ctid = any (array(select ctid from due)) returning m.kind, m.path
      ),
      queued as materialized (
        select private.queue_object_removal(case kind when 'audio' then 'check-in-media' else 'check-in-images' end, path, 'retention')
        from gone
        order by path
      )
      select count(*) into deleted from queued;
      return deleted;
    when 'unfinished_uploads' then
      -- Looking is cheap: most of what is compared stays.
      return private.compare_bucket('check-in-media', at, 10 * most)
        + private.compare_bucket('check-in-images', at, 10 * most)
        + private.compare_bucket('university-files', at, 10 * most);
    when 'transcripts' then
      update private.check_in_inputs i
      set transcript = null, crisis_rule = null
      where i.check_in_id = any (array(
        select n.check_in_id
        from private.check_in_inputs n
        join checkin.check_ins c on c.id = n.check_in_id
        where n.transcript is not null and n.created_at < cutoff and c.completed_at < cutoff
        order by n.created_at
        limit most
        for update of n skip locked
      ));
    when 'transcript_results' then
      delete from private.transcript_results t
      where t.id = any (array(
        select d.id from private.transcript_results d where d.created_at < cutoff order by d.created_at limit most for update skip locked
      ));
    when 'results' then
      -- Locks the student too, as the deletion of an account does.
      with due as materialized (
        select c.id
        from checkin.check_ins c
        join auth.users u on u.id = c.user_id
        where c.created_at < cutoff and c.status <> 'processing'
        order by c.created_at
        limit most
        for key share of u skip locked
        for update of c skip locked
      ),
      gone as (
        delete from checkin.check_ins c where c.id = any (array(select id from due)) returning c.user_id
      )
      select count(*), array_agg(distinct user_id order by user_id) into deleted, students from gone;
      perform private.refresh_last_result(student) from unnest(students) as student;
      delete from public.assessment_sessions s
      where s.id = any (array(
        select d.id from public.assessment_sessions d where d.created_at < cutoff order by d.created_at limit most for update skip locked
      ));
      get diagnostics further = row_count;
      return deleted + further;
    when 'clinical_reviews' then
      delete from public.clinical_reviews r
      where r.id = any (array(
        select d.id from public.clinical_reviews d where d.status = 'closed' and d.closed_at < cutoff limit most for update skip locked
      ));
    when 'worrying_days' then
      delete from private.worrying_days w
      where w.ctid = any (array(
        select d.ctid from private.worrying_days d where d.day < (cutoff at time zone 'UTC')::date limit most for update skip locked
      ));
    when 'support_history' then
      return private.purge_support_history(cutoff, most);
    when 'declined_contacts' then
      delete from public.buddy_contacts c
      where c.id = any (array(
        select d.id from public.buddy_contacts d where d.declined_at < cutoff limit most for update skip locked
      ));
    when 'inbound_texts' then
      delete from private.inbound_texts t
      where t.ctid = any (array(
        select d.ctid from private.inbound_texts d where d.received_at < cutoff order by d.received_at limit most for update skip locked
      ));
    when 'sent_messages' then
      delete from private.outbox o
      where o.id = any (array(
        select d.id
        from private.outbox d
        where d.status in ('sent', 'cancelled') and d.ended_at < cutoff
        order by d.ended_at
        limit most
        for update skip locked
      ));
    when 'undelivered_messages' then
      delete from private.outbox o
      where o.id = any (array(
        select d.id
        from private.outbox d
        where d.status in ('dead', 'unconfirmed') and d.ended_at < cutoff
        order by d.ended_at
        limit most
        for update skip locked
      ));
    when 'channel_messages' then
      delete from realtime.messages m
      where (m.id, m.inserted_at) in (
        select d.id, d.inserted_at from realtime.messages d where d.inserted_at < cutoff at time zone 'UTC' limit most
      );
    when 'rate_limit_uses' then
      delete from private.rate_limit_uses u
      where u.ctid = any (array(
        select d.ctid
        from private.rate_limit_uses d
        join private.rate_limit_rules r on r.scope = d.scope
        where d.used_at[cardinality(d.used_at)] < least(cutoff, at - r.period)
        limit most
        for update of d skip locked
      ));
    when 'logged_accesses' then
      delete from private.logged_accesses l
      where l.ctid = any (array(
        select d.ctid from private.logged_accesses d where d.logged_at < cutoff limit most for update skip locked
      ));
    when 'sign_in_log' then
      delete from auth.audit_log_entries e
      where e.id = any (array(select d.id from auth.audit_log_entries d where d.created_at < cutoff limit most));
      get diagnostics further = row_count;
      return further + private.purge_audit_identities(cutoff, most, false);
    when 'policy_firings' then
      delete from private.policy_firings f
      where f.ctid = any (array(
        select d.ctid from private.policy_firings d where d.fired_at < cutoff order by d.fired_at limit most for update skip locked
      ));
    when 'security_events' then
      delete from private.security_events e
      where e.id = any (array(
        select d.id from private.security_events d where d.minute < cutoff order by d.minute limit most for update skip locked
      ));
      get diagnostics further = row_count;
      delete from private.blocked_addresses b where b.until < cutoff;
      get diagnostics deleted = row_count;
      return deleted + further;
    when 'security_incidents' then
      delete from public.security_incidents i
      where i.id = any (array(
        select d.id from public.security_incidents d where d.ended_at < cutoff limit most for update skip locked
      ));
    when 'cron_runs' then
      delete from cron.job_run_details r
      where r.runid = any (array(select d.runid from cron.job_run_details d where d.end_time < cutoff limit most));
    when 'compliance_assessments' then
      delete from public.compliance_assessments a
      where a.id = any (array(
        select d.id from public.compliance_assessments d where d.ended_at < cutoff order by d.ended_at limit most for update skip locked
      ));
    when 'audit_log' then
      return private.purge_audit_identities(cutoff, most, true);
    when 'security_test_runs' then
      delete from public.security_test_runs r
      where r.id = any (array(select d.id from public.security_test_runs d where d.ended_at < cutoff limit most));
    else
      return 0;
  end case;
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
comment on function private.purge_kind is
  'Deletes what has been kept for as long as its rule says, the oldest first and most rows at once; returns how many. Called by private.purge_expired.';

create function private.purge_audit_identities(cutoff timestamptz, most integer, known boolean) returns integer
language plpgsql set search_path = '' as $$
declare
  deleted integer;
begin
  -- The entries follow each other in time, so that the first are the oldest.
  delete from private.audit_identities i
  where (i.entry, i.party) in (
    select d.entry, d.party
    from (
      (select f.entry, f.party from private.audit_identities f where known and f.account_id is not null order by f.entry limit most)
      union all
      (select f.entry, f.party from private.audit_identities f where not known and f.account_id is null order by f.entry limit most)
    ) d
    join public.audit_logs e on e.id = d.entry
    where e.occurred_at < cutoff
  );
  get diagnostics deleted = row_count;
  return deleted;
end
$$;
comment on function private.purge_audit_identities is
  'Deletes who the people of the audit log''s entries from before the cutoff are: accounts, or unknown callers; returns how many. Called by private.purge_kind.';

create function private.purge_support_history(cutoff timestamptz, most integer) returns integer
language plpgsql set search_path = '' as $$
declare
  deleted integer := 0;
  affected integer;
begin
  delete from public.support_alerts a
  where a.id = any (array(
    select d.id from public.support_alerts d where d.status <> 'open' and d.opened_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from public.buddy_check_in_requests r
  where r.id = any (array(
    select d.id from public.buddy_check_in_requests d where d.created_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  -- The proof of what somebody agreed to lasts as long as they are a contact.
  delete from public.buddy_verification_audit a
  where a.id = any (array(
    select d.id from public.buddy_verification_audit d where d.buddy_contact_id is null and d.created_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.buddy_verification_sends s
  where s.id = any (array(
    select d.id from private.buddy_verification_sends d where d.sent_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.buddy_refusals f
  where f.ctid = any (array(
    select d.ctid from private.buddy_refusals d where d.refused_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.first_texts f
  where f.number_hash = any (array(
    select d.number_hash from private.first_texts d where d.queued_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.code_tries t
  where (t.number_hash, t.user_id) in (
    select d.number_hash, d.user_id from private.code_tries d where d.tried_at < cutoff limit most for update skip locked
  );
  get diagnostics affected = row_count;
  deleted := deleted + affected;
  delete from private.support_standstills s
  where s.id = any (array(
    select d.id from private.support_standstills d where d.ended_at < cutoff limit most for update skip locked
  ));
  get diagnostics affected = row_count;
  return deleted + affected;
end
$$;
comment on function private.purge_support_history is
  'Deletes alerts, requests, verifications and findings from before the cutoff, at most as many of each; returns how many. Called by private.purge_kind.';

create function private.purge_expired(at timestamptz default now(), most integer default 5000)
returns table (kind text, deleted integer)
language plpgsql security definer set search_path = '' as $$
#variable_conflict use_column
begin
  -- One run at a time; the next one goes on where it ended.
  if not pg_try_advisory_xact_lock(76, 0) then
    return;
  end if;
  for kind in select r.kind from private.retention_rules r order by r.kind loop
    begin
      deleted := private.purge_kind(kind, at, most);
    exception
      when others then
        -- What a platform does not allow of one kind keeps none of the others.
        raise warning 'Retention of % failed: %', kind, sqlstate;
        deleted := 0;
    end;
    if deleted > 0 then
      insert into private.retention_counts as c (day, kind, deleted)
      values ((at at time zone 'UTC')::date, kind, deleted)
      on conflict on constraint retention_counts_pkey do update set deleted = c.deleted + excluded.deleted;
      return next;
    end if;
  end loop;
end
$$;
comment on function private.purge_expired is
  'Deletes what has been kept long enough, a bounded number of each kind; returns what and how many, no row when nothing is due. Called by cron.';
select cron.schedule('purge-expired', '*/5 * * * *', 'select private.purge_expired()');

create function private.retention_terms_of()
returns table (kind text, keep interval, starts text)
language sql stable security definer set search_path = '' as $$
  select r.kind, r.keep, r.starts
  from private.retention_rules r
  where (select private.current_account()) is not null
  order by r.kind
$$;
comment on function private.retention_terms_of is 'Implementation of public.retention_terms, which calls it.';

create function public.retention_terms()
returns table (kind text, keep interval, starts text)
language sql stable set search_path = ''
begin atomic select t.kind, t.keep, t.starts from private.retention_terms_of() t; end;
comment on function public.retention_terms is 'How long each kind of data is kept, and from when on. Called by everybody who is signed in.';

create function private.change_retention(changed text, term interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not (select private.is_security_admin()) then
    return false;
  end if;
  update private.retention_rules r set keep = term where r.kind = changed and r.keep <> term;
  return exists (select from private.retention_rules r where r.kind = changed);
end
$$;
comment on function private.change_retention is 'Implementation of public.set_retention, which calls it.';

create function public.set_retention(kind text, keep interval) returns boolean
language sql set search_path = ''
begin atomic select private.change_retention(kind, keep); end;
comment on function public.set_retention is
  'Changes how long a kind of data is kept, to a term not below private.retention_rules.shortest; the change is in the audit log. False for an unknown kind and for others. Called by security administrators.';

select private.declare_audited('private.retention_rules', 'kind');
