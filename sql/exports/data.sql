-- The inventory says whose each column is; this says what of it an export leaves out, and why.
create function private.withheld_data() returns table (schema_name text, relation_name text, column_name text, reason text)
language sql immutable set search_path = '' as $$
  values
    ('public', 'buddy_contacts', 'verification_token', 'It would let somebody answer for the contact.'),
    ('public', 'buddy_verification_audit', 'ip_address', 'It is the contact''s own.'),
    ('public', 'buddy_verification_audit', 'user_agent', 'It is the contact''s own.'),
    ('private', 'buddy_verification_sends', 'mailbox_hash', 'It is the contact''s own.'),
    ('private', 'buddy_verification_sends', 'number_hash', 'It is the contact''s own.'),
    ('private', 'buddy_refusals', 'address_hash', 'It is the contact''s own.'),
    ('public', 'audit_logs', 'actor_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'subject_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'previous_hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'hash', 'It proves the audit log, and means nothing by itself.'),
    ('public', 'audit_logs', 'target_id', 'It may name somebody else.'),
    ('public', 'audit_logs', 'before', 'It may name somebody else.'),
    ('public', 'audit_logs', 'after', 'It may name somebody else.'),
    ('public', 'audit_logs', 'details', 'It may name somebody else.'),
    ('private', 'audit_identities', 'salt', 'It proves the audit log, and means nothing by itself.'),
    ('private', 'legal_holds', 'user_id', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'reason', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'confidential', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('private', 'legal_holds', 'set_at', 'The law may forbid to tell of a hold; one that may be told is in the app.'),
    ('public', 'security_incidents', 'affected_users', 'It names others.'),
    ('public', 'security_incidents', 'response', 'It names others.'),
    ('public', 'security_incidents', 'timeline', 'It names others.'),
    ('public', 'security_incidents', 'owner', 'It names others.'),
    ('private', 'exports', 'token_hash', 'It belongs to a link that lets anybody download the data.')
$$;
comment on function private.withheld_data is 'Columns of the inventory that an export leaves out although they are about the person. Called by private.exported_columns and the tests.';

-- The platform's tables are classified whole, as their columns differ between versions: of those with more than credentials and copies
-- of what is exported anyway, these columns are exported where they exist.
create function private.exported_platform_columns() returns table (schema_name text, relation_name text, columns text[])
language sql immutable set search_path = '' as $$
  values
    ('auth', 'users', '{id,email,phone,email_confirmed_at,phone_confirmed_at,created_at,updated_at,last_sign_in_at}'::text[]),
    ('auth', 'identities', '{user_id,provider,email,created_at,updated_at,last_sign_in_at}'),
    ('auth', 'sessions', '{id,user_id,created_at,updated_at,aal,not_after,user_agent,ip}'),
    ('auth', 'mfa_factors', '{id,user_id,friendly_name,factor_type,status,created_at}'),
    ('auth', 'oauth_consents', '{user_id,client_id,scopes,granted_at,revoked_at}'),
    ('auth', 'audit_log_entries', '{id,payload,created_at,ip_address}')
$$;
comment on function private.exported_platform_columns is 'Columns of the platform''s own tables that an export has. Called by private.exported_columns.';

create function private.exported_columns() returns table (
  schema_name text, relation_name text, column_name text, place smallint, type text, meaning text, store private.data_store,
  whose private.data_subject, purpose text, belongs_to text, retention text
)
language sql stable security definer set search_path = '' as $$
  select p.schema_name, p.relation_name, a.attname::text, a.attnum, pg_catalog.format_type(a.atttypid, a.atttypmod),
    pg_catalog.col_description(a.attrelid, a.attnum), p.store, p.whose, p.purpose, l.belongs_to, p.retention
  from private.personal_data p
  join pg_catalog.pg_namespace n on n.nspname = p.schema_name
  join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.relation_name
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  -- The audit log itself names nobody; who an entry is about lies beside it. Of what others did, the person gets reads and reviews: a
  -- legal hold may be confidential. Of a message that went to an office, its address is not the person's.
  cross join lateral (
    select case
      when p.schema_name = 'public' and p.relation_name = 'audit_logs' then
        't.id in (select i.entry from private.audit_identities i where i.account_id = $1 and i.party = ''actor'')'
        ' or t.action in (''student_read'', ''review_changed'')'
        ' and t.id in (select i.entry from private.audit_identities i where i.account_id = $1)'
      when p.schema_name = 'private' and p.relation_name = 'audit_identities' then p.belongs_to || ' and t.party = ''actor'''
      when p.schema_name = 'private' and p.relation_name = 'outbox' and a.attname = 'recipient' then
        p.belongs_to || ' and (t.contact_id is not null or t.recipient = (select u.email from auth.users u where u.id = $1))'
      -- Who has its code agrees in the place of whoever has the number.
      when p.schema_name = 'private' and p.relation_name = 'outbox' and a.attname = 'body' then
        p.belongs_to || ' and t.purpose <> ''buddy_first_text'''
      else p.belongs_to
    end as belongs_to
  ) l
  left join private.exported_platform_columns() e on e.schema_name = p.schema_name and e.relation_name = p.relation_name
  where p.store <> 'bucket'
    and l.belongs_to is not null
    and case when p.columns = '{*}' then a.attname = any (e.columns)
      else a.attname = any (p.columns) and p.content is distinct from 'credentials'
    end
    and not exists (
      select
      from private.withheld_data() w
      where (w.schema_name, w.relation_name, w.column_name) = (p.schema_name, p.relation_name, a.attname)
    )
$$;
comment on function private.exported_columns is 'Every column of which an export has the person''s own values, with what the inventory says of it. Called by export-data and private.exported_rows.';

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
  person uuid, exported_schema text, exported_relation text, since timestamptz, until timestamptz
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
    from private.exported_columns() c
    where c.schema_name = exported_schema and c.relation_name = exported_relation
    group by c.belongs_to, c.store
  ) g;
  if condition is null then
    return;
  end if;
  return query execute format(
    $query$
      select case when $4 then regexp_replace(r.content::text, '[0-9a-f]{64}', '…', 'g') else r.content::text end
      from (select %s as content, %s as moment from %s t where %s) r
      where ($2 is null or r.moment > $2) and (r.moment is null or r.moment <= $3)
      order by r.moment nulls first, r.content::text collate "C"
    $query$,
    values_of_row, moment, relation, condition
  )
  -- Messages carry links, which would let whoever has them act for the person or a contact.
  using person, since, until, masked;
end
$$;
comment on function private.exported_rows is 'A person''s own rows of a table as JSON, those that began after since and up to until; with since null also those without a time. Called by export-data.';
