create view private.exported_columns with (security_invoker = true) as
  select p.schema_name, p.relation_name, a.attname::text as column_name, a.attnum as place,
    pg_catalog.format_type(a.atttypid, a.atttypmod) as type, pg_catalog.col_description(a.attrelid, a.attnum) as meaning,
    p.store, p.whose, p.purpose, coalesce(p.exported_if, p.belongs_to) as belongs_to, p.retention
  from private.personal_data p
  join pg_catalog.pg_namespace n on n.nspname = p.schema_name
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.relation_name
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and a.attname = any (coalesce(p.exported, p.columns))
  where p.store <> 'bucket'
    and p.withheld is null
    and coalesce(p.exported_if, p.belongs_to) is not null
    and (p.exported is not null or p.content is distinct from 'credentials');
comment on view private.exported_columns is
  'Every column of which an export has the person''s own values, with what the inventory says of it. Read by export-data and private.exported_rows.';

-- When a row began, for the volume that it goes into: with its check-in or session where it is of one.
create function private.moment_of_row(relation regclass) returns text
language sql stable set search_path = '' as $$
  select coalesce('coalesce(' || string_agg(expression, ', ' order by rank) || ')', 'null::timestamptz')
  from (
    values
      (1, 'check_in_id', '(select c.created_at from checkin.check_ins c where c.id = t.check_in_id)'),
      (2, 'session_id', '(select s.created_at from public.assessment_sessions s where s.id = t.session_id)'),
      (3, 'created_at', 't.created_at'),
      (4, 'occurred_at', 't.occurred_at'),
      (5, 'opened_at', 't.opened_at'),
      (6, 'granted_at', 't.granted_at')
  ) as known (rank, column_name, expression)
  join pg_catalog.pg_attribute a on a.attrelid = relation and a.attname = known.column_name and not a.attisdropped
  where pg_catalog.format_type(a.atttypid, null) in ('uuid', 'timestamp with time zone')
    and (relation <> 'auth.sessions'::regclass or rank > 2)
$$;
comment on function private.moment_of_row is 'SQL expression for the time at which a row of the table t began, null when nothing tells. Called by private.exported_rows.';

create function private.exported_rows(
  person uuid,
  exported_schema text,
  exported_relation text,
  since timestamptz,
  until timestamptz
) returns setof text
language plpgsql stable security definer set search_path = '' as $$
declare
  relation regclass := format('%I.%I', exported_schema, exported_relation)::regclass;
  every_column text[];
  values_of_row text;
  condition text;
  moment text := private.moment_of_row(relation);
  masked boolean;
begin
  select array_agg(a.attname::text) into every_column
  from pg_catalog.pg_attribute a
  where a.attrelid = relation and a.attnum > 0 and not a.attisdropped;
  -- Of each row only the columns that are this person's: a review names its counselor too.
  select
    string_agg(
      format('case when %s then to_jsonb(t) - %L::text[] else ''{}'' end', g.belongs_to,
        array(select unnest(every_column) except select unnest(g.columns))),
      ' || '
    ),
    string_agg('(' || g.belongs_to || ')', ' or '),
    bool_or(g.store = 'queue')
  into values_of_row, condition, masked
  from (
    select c.belongs_to, c.store, array_agg(c.column_name) as columns
    from private.exported_columns c
    where c.schema_name = exported_schema and c.relation_name = exported_relation
    group by c.belongs_to, c.store
  ) g;
  if condition is null then
    return;
  end if;
  return query execute format(
    $query$
      select case when $4 then regexp_replace(r.content::text, '[0-9a-f]{64}', '…', 'g') else r.content::text end
      from (
        select %s as content, %s as moment from %s t where %s
      ) r
      where ($2 is null or r.moment > $2) and (r.moment is null or r.moment <= $3)
      order by r.moment nulls first, r.content::text collate "C"
    $query$,
    values_of_row, moment, relation, condition
  )
  -- Messages carry links, which would let whoever has them act for the person or a contact.
  using person, since, until, masked;
end
$$;
comment on function private.exported_rows is
  'A person''s own rows of a table as JSON, those that began after since and up to until; with since null also those without a time. Called by export-data.';
