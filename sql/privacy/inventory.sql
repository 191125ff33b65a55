create table private.retention_rules (
  kind text not null,
  keep interval not null,
  starts text not null,
  shortest interval not null default '1 hour',
  constraint retention_rules_pkey primary key (kind),
  constraint retention_rules_kind_form check (kind ~ '^[a-z_]{1,40}$'),
  constraint retention_rules_keep_range check (shortest > interval '0' and keep >= shortest and keep <= interval '30 years')
);
select private.describe('private.retention_rules', 'How long each kind of data is kept. Rows are declared beside the tables; terms are changed with public.set_retention, which is audited.', $$
  kind: What is kept, in lower-case letters and underscores.
  keep: For how long: at least shortest, and 30 years at most.
  starts: From when on the term counts, and what is deleted at its end.
  shortest: The shortest term that may be set: what people were promised, or what other parts of the service rely on.
$$);

create table private.retention_steps (
  kind text not null,
  relation text not null,
  step smallint not null,
  due text not null,
  oldest text,
  locked boolean not null,
  constraint retention_steps_pkey primary key (kind, relation),
  constraint retention_steps_kind_fkey foreign key (kind) references private.retention_rules (kind) on delete cascade
);
select private.describe('private.retention_steps', 'Which rows of which table each term ends. Rows are declared beside the tables. A kind of which more has to be done than deleting rows has a function private.purge_<kind>, which goes first.', $$
  kind: The term.
  relation: The table.
  step: Place among the steps of the term.
  due: SQL condition that finds the rows that are due, with d for the table, $1 for the moment up to which everything goes, $2 for the time of the run and $3 for the most rows of a run.
  oldest: Column by which the oldest go first; null where an index finds them in no order.
  locked: Whether rows that somebody else has locked wait for the next run; the platform lets nobody lock rows of its own tables.
$$);

create type private.data_store as enum ('relation', 'bucket', 'queue');
comment on type private.data_store is 'Where data lies: in a table, in a bucket of Storage, or in a table of work that is to be done.';

create type private.data_subject as enum ('account', 'student', 'staff', 'support_contact', 'caller', 'nobody');
comment on type private.data_subject is
  'Whose data it is: of anybody with an account, a student, staff of a university, a support contact, a caller without an account; nobody: no personal data.';

create type private.data_content as enum (
  'identity', 'contact_details', 'credentials', 'choices', 'voice_and_image', 'words', 'health', 'activity'
);
comment on type private.data_content is
  'What kind of data it is: who somebody is, how to reach them, how they sign in, what they chose, recordings and pictures, what they wrote or said, features and scores and risk, what they did and when.';

create type private.erasure_rule as enum ('delete', 'anonymize', 'keep');
comment on type private.erasure_rule is
  'What erasing a person does: delete the rows or objects, set the columns to null, or keep them for a reason that is stated.';

create table private.personal_data (
  store private.data_store not null,
  schema_name text not null,
  relation_name text not null,
  columns text[] not null,
  whose private.data_subject not null,
  content private.data_content,
  purpose text not null,
  belongs_to text,
  erasure private.erasure_rule,
  reason text,
  retention text,
  exported text[],
  exported_if text,
  withheld text,
  constraint personal_data_pkey primary key (schema_name, relation_name, columns),
  constraint personal_data_retention_fkey foreign key (retention) references private.retention_rules (kind),
  constraint personal_data_columns_some check (cardinality(columns) > 0),
  constraint personal_data_classified check (
    case when whose = 'nobody' then content is null and belongs_to is null and erasure is null
      else content is not null and erasure is not null
    end
  ),
  constraint personal_data_reason_when_kept check ((erasure is not distinct from 'keep') = (reason is not null)),
  constraint personal_data_person_unless_kept check (erasure is null or erasure = 'keep' or belongs_to is not null),
  constraint personal_data_exported_or_withheld check (withheld is null or num_nonnulls(exported, exported_if) = 0)
);
select private.describe('private.personal_data', 'Inventory of personal data: every column of every table, every bucket and every queue, those without personal data included. Rows are declared beside each table; docs/privacy.md is made from it.', $$
  store: Where the data lies.
  schema_name: Schema of the table; storage for a bucket.
  relation_name: The table, or the bucket.
  columns: The columns that the row is about; {*}: all of them, of a bucket and of a table whose columns the platform decides.
  whose: Whose data it is.
  content: What kind of data it is; null when it is nobody's.
  purpose: What it is kept for.
  belongs_to: SQL condition that finds the rows of a person, with t for the table (storage.objects for a bucket) and $1 for the account's id; null when no account leads to them.
  erasure: What erasing the person does to it; null when it is nobody's.
  reason: Why erasure keeps it, and for how long.
  retention: The rule after which it is deleted anyway; null when it is kept as long as the account.
  exported: Of a table whose columns the platform decides: those that an export has, where they exist. Null there: none; elsewhere: all but credentials.
  exported_if: Which rows an export has, when these are not those of belongs_to.
  withheld: Why an export leaves the columns out although they are about the person; null when it has them.
$$);
create index personal_data_retention_idx on private.personal_data (retention);

create function private.declare_term(kind text, keep interval, starts text, shortest interval default '1 hour') returns void
language sql set search_path = '' as $$
  insert into private.retention_rules (kind, keep, starts, shortest) values (kind, keep, starts, shortest)
$$;
comment on function private.declare_term is 'Declares a term of retention. Called by the files of sql/, beside the first table that it is for.';

create function private.declare_purge(kind text, relation text, due text, oldest text default null, locked boolean default true)
returns void
language sql set search_path = '' as $$
  insert into private.retention_steps (kind, relation, step, due, oldest, locked)
  select declare_purge.kind, declare_purge.relation, 1 + count(*), declare_purge.due, declare_purge.oldest, declare_purge.locked
  from private.retention_steps s
  where s.kind = declare_purge.kind
$$;
comment on function private.declare_purge is
  'Declares which rows of a table a term ends, after what was declared for the term before. Called by the files of sql/, beside the table.';

create function private.declare_data(
  relation text,
  columns text[],
  purpose text,
  whose private.data_subject default 'nobody',
  content private.data_content default null,
  belongs_to text default null,
  erasure private.erasure_rule default 'delete',
  reason text default null,
  term text default null,
  store private.data_store default 'relation',
  exported text[] default null,
  exported_if text default null,
  withheld text default null
) returns void
language sql set search_path = '' as $$
  insert into private.personal_data (
    store, schema_name, relation_name, columns, whose, content, purpose, belongs_to, erasure, reason, retention, exported,
    exported_if, withheld
  )
  values (
    store,
    case store when 'bucket' then 'storage' else split_part(relation, '.', 1) end,
    case store when 'bucket' then relation else split_part(relation, '.', 2) end,
    columns, whose, content, purpose, belongs_to,
    case when whose <> 'nobody' then erasure end,
    reason, term, exported, exported_if, withheld
  )
$$;
comment on function private.declare_data is
  'Declares what columns of a table, or a bucket, hold of people: nothing unless it says whose; and what of it an export has. Called by the files of sql/, beside the table.';

-- Columns of the platform's tables differ between its versions, so its tables are classified whole, and one that this version lacks is
-- no gap.
create function private.personal_data_gaps()
returns table (name text, problem text)
language sql stable set search_path = '' as $$
  with platform (schema_name) as (
    values ('auth'), ('storage'), ('realtime'), ('net'), ('cron'), ('vault'), ('supabase_migrations'), ('supabase_functions')
  ),
  stored as (
    select n.nspname::text as schema_name, c.relname::text as relation_name,
      array_agg(a.attname::text order by a.attnum) as columns
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p', 'm', 'f')
      and not c.relispartition
      and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
      and not exists (
        select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'
          and n.nspname not in (select p.schema_name from platform p)
      )
    group by 1, 2
  ),
  classified as (
    select p.schema_name, p.relation_name, array_agg(column_name) as columns, count(*) > count(distinct column_name) as twice
    from private.personal_data p, unnest(p.columns) as column_name
    where p.store <> 'bucket'
    group by 1, 2
  )
  select s.schema_name || '.' || s.relation_name, 'this table is not classified'
  from stored s
  left join classified c using (schema_name, relation_name)
  where c.columns is null
  union all
  select s.schema_name || '.' || s.relation_name || '.' || column_name, 'this column is not classified'
  from stored s
  join classified c using (schema_name, relation_name)
  cross join unnest(s.columns) as column_name
  where column_name <> all (c.columns)
    and not (c.columns = '{*}' and s.schema_name in (select p.schema_name from platform p))
  union all
  select c.schema_name || '.' || c.relation_name || '.' || column_name, 'is classified and does not exist'
  from classified c
  left join stored s using (schema_name, relation_name)
  cross join unnest(c.columns) as column_name
  where column_name <> '*' and column_name <> all (coalesce(s.columns, '{}'))
    or s.columns is null and c.schema_name not in (select p.schema_name from platform p)
  union all
  select c.schema_name || '.' || c.relation_name, 'a column is classified twice'
  from classified c
  where c.twice
  union all
  select b.id, 'this bucket is not classified'
  from storage.buckets b
  where not exists (select from private.personal_data p where p.store = 'bucket' and p.relation_name = b.id)
$$;
comment on function private.personal_data_gaps is
  'What the inventory of personal data lacks, names twice, or names though it does not exist; no row when it is true. Called by the tests, and by operators on their project.';

select private.declare_data('private.retention_rules', '{kind, keep, starts, shortest}', 'Settings: how long data is kept.');
select private.declare_data('private.retention_steps', '{kind, relation, step, due, oldest, locked}',
  'How what is past its term is found.');
select private.declare_data('private.personal_data',
  '{store, schema_name, relation_name, columns, whose, content, purpose, belongs_to, erasure, reason, retention, exported,
    exported_if, withheld}',
  'This inventory.');
