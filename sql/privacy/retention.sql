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
select private.describe('private.retention_counts', 'How much retention deleted on each day.', $$
  day: The day (UTC).
  kind: The kind of data.
  deleted: Rows that were deleted, or files that were queued for removal.
$$);
create index retention_counts_kind_idx on private.retention_counts (kind);

select private.declare_data('private.retention_counts', '{day, kind, deleted}', 'How much retention deleted on each day.');
select private.declare_unaudited('private.retention_counts', 'Counters of what retention deleted.');

create table private.bucket_comparisons (
  bucket text not null,
  began_at timestamptz not null,
  compared_through text not null default '',
  objects bigint not null default 0,
  removed bigint not null default 0,
  ended_at timestamptz,
  constraint bucket_comparisons_pkey primary key (bucket)
);
select private.describe('private.bucket_comparisons', 'The last comparison of each bucket with the tables, and how far it is.', $$
  bucket: The bucket.
  began_at: When it began.
  compared_through: Name of the last object that was compared.
  objects: Objects that were compared.
  removed: Objects that belong to no row and were queued for removal.
  ended_at: When the last object was compared; null while it goes on.
$$);

select private.declare_data('private.bucket_comparisons', '{compared_through}',
  'How far the comparison of a bucket is: the name of a file, until the next one.', 'student', 'activity',
  'starts_with(t.compared_through, $1::text || ''/'') or t.compared_through like ''%/students/'' || $1::text || ''/%''',
  erasure => 'keep', reason => 'Replaced with the next files that are compared, within a day.');
select private.declare_data('private.bucket_comparisons', '{bucket, began_at, objects, removed, ended_at}',
  'The last comparison of each bucket with the tables.');
select private.declare_unaudited('private.bucket_comparisons', 'How far a comparison of files has come.');

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
  'Compares the next objects of a bucket with the tables, once through a day; those older than unfinished_uploads that belong to no row are queued for removal. Returns how many. Called by private.purge_unfinished_uploads.';

create function private.purge_unfinished_uploads(cutoff timestamptz, at timestamptz, most integer) returns integer
language sql set search_path = '' as $$
  -- Looking is cheap: most of what is compared stays.
  select private.compare_bucket('check-in-media', at, 10 * most)
    + private.compare_bucket('check-in-images', at, 10 * most)
    + private.compare_bucket('university-files', at, 10 * most)
$$;
comment on function private.purge_unfinished_uploads is
  'Queues files that belong to no row for removal; returns how many. Called by private.purge_kind.';

-- Rows that are deleted with others: analyses, scores and inputs with their check-in, plans with their alert.
create function private.purge_kind(purged text, at timestamptz, most integer) returns integer
language plpgsql security definer set search_path = '' as $$
declare
  cutoff timestamptz := at - (select keep from private.retention_rules where kind = purged);
  step private.retention_steps;
  deleted integer := 0;
  further integer;
begin
  if to_regprocedure(format('private.%I(timestamptz, timestamptz, integer)', 'purge_' || purged)) is not null then
    execute format('select private.%I($1, $2, $3)', 'purge_' || purged) into deleted using cutoff, at, most;
  end if;
  for step in select * from private.retention_steps s where s.kind = purged order by s.step loop
    execute format(
      'delete from %1$s where ctid = any (array(select d.ctid from %1$s d where %2$s %3$s limit $3 %4$s))',
      step.relation::regclass, step.due, 'order by d.' || quote_ident(step.oldest),
      case when step.locked then 'for update skip locked' end
    ) using cutoff, at, most;
    get diagnostics further = row_count;
    deleted := deleted + further;
  end loop;
  return deleted;
end
$$;
comment on function private.purge_kind is
  'Deletes what has been kept for as long as its rule says, the oldest first and most rows of each table at once; returns how many. Called by private.purge_expired.';

-- What a term does not end itself goes with what it does: by foreign keys, or by triggers in their place. Exports end by themselves: a
-- function of theirs reads the term.
create function private.retention_gaps()
returns table (name text, problem text)
language sql stable set search_path = '' as $$
  with recursive functions as (
    select p.oid, p.proname, p.prosrc, named[1]::text as relation
    from pg_catalog.pg_proc p, regexp_matches(p.prosrc, '\m(?:delete from|update) ([a-z]+\.[a-z_]+)', 'g') as named
    where p.pronamespace = 'private'::regnamespace
  ),
  emptied (kind, relation) as (
    select s.kind, s.relation from private.retention_steps s
    union
    select r.kind, f.relation
    from private.retention_rules r
    join functions f on f.proname = 'purge_' || r.kind or strpos(f.prosrc, format('kind = %L', r.kind)) > 0
    union
    select e.kind, gone.relation
    from emptied e
    cross join lateral (
      select k.conrelid::regclass::text as relation
      from pg_catalog.pg_constraint k
      where k.contype = 'f' and k.confdeltype = 'c' and k.confrelid = to_regclass(e.relation)
      union all
      select f.relation from pg_catalog.pg_trigger t join functions f on f.oid = t.tgfoid where t.tgrelid = to_regclass(e.relation)
    ) as gone
  )
  select r.kind, 'this term ends nothing'
  from private.retention_rules r
  where not exists (select from emptied e where e.kind = r.kind)
    and to_regprocedure(format('private.%I(timestamptz, timestamptz, integer)', 'purge_' || r.kind)) is null
  union all
  select distinct p.schema_name || '.' || p.relation_name, 'the term ' || p.retention || ' ends none of its rows'
  from private.personal_data p
  where p.store <> 'bucket' and p.whose <> 'nobody' and p.retention is not null
    and not exists (select from emptied e where (e.kind, e.relation) = (p.retention, p.schema_name || '.' || p.relation_name))
$$;
comment on function private.retention_gaps is
  'Terms that end nothing, and tables of people of which their term ends nothing; no row when there is none. Called by the tests, and by operators on their project.';

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
returns table (kind text, keep interval, starts text, shortest interval)
language sql stable security definer set search_path = '' as $$
  select r.kind, r.keep, r.starts, r.shortest
  from private.retention_rules r
  where (select private.current_account()) is not null
  order by r.kind
$$;
comment on function private.retention_terms_of is 'Implementation of public.retention_terms, which calls it.';

create function public.retention_terms()
returns table (kind text, keep interval, starts text, shortest interval)
language sql stable set search_path = ''
begin atomic select t.kind, t.keep, t.starts, t.shortest from private.retention_terms_of() t; end;
comment on function public.retention_terms is 'How long each kind of data is kept, from when on, and how short the term may be made. Called by everybody who is signed in.';

create function private.change_retention(changed text, term interval) returns boolean
language plpgsql security definer set search_path = '' as $$
begin
  if not (select private.is_security_admin()) then
    perform private.require_name();
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

-- Here, because it stands after the last table that is declared as audited.
select private.declare_audited('private.retention_rules', 'kind');
select private.declare_audited('private.retention_steps', 'kind');
select private.declare_audited('private.personal_data', 'relation_name');
select private.declare_audited('private.audited_tables', 'relation');
select private.declare_audited('private.unaudited_tables', 'relation');
select private.declare_unaudited('private.changes_to_audit', 'They become entries when their transaction ends.');
select private.declare_audited('private.audit_triggers', 'relation');
