-- No policies: nothing here is reachable by API roles.

create function private.changed_columns(this_row jsonb, other_row jsonb)
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select coalesce(jsonb_object_agg(key, value), '{}')
  from jsonb_each(this_row)
  where value is distinct from other_row -> key and key <> 'updated_at'
$$;
comment on function private.changed_columns is 'The columns of a row that differ from another row. Called by the audit triggers.';

-- Audit triggers are deferred: the lock on the chain is then the last one that a transaction takes, and cannot deadlock.
create function private.audit_university()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- An update that changes nothing writes no entry.
  if tg_op = 'UPDATE' and private.changed_columns(to_jsonb(new), to_jsonb(old)) = '{}' then
    return null;
  end if;
  perform private.audit(
    (case tg_op
      when 'INSERT' then 'university_added'
      when 'UPDATE' then 'university_changed'
      else 'university_removed'
    end)::public.audit_action,
    coalesce(new.id, old.id),
    'universities',
    coalesce(new.id, old.id),
    case tg_op when 'UPDATE' then private.changed_columns(to_jsonb(old), to_jsonb(new)) when 'DELETE' then to_jsonb(old) end,
    case tg_op when 'UPDATE' then private.changed_columns(to_jsonb(new), to_jsonb(old)) when 'INSERT' then to_jsonb(new) end
  );
  return null;
end
$$;
comment on function private.audit_university is 'Trigger: logs changes of universities, before and after.';

create function private.audit_role()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op <> 'INSERT' then
    perform private.audit(
      'role_revoked', old.university_id, 'user_roles', subject => old.user_id,
      before => jsonb_build_object('role', old.role, 'university_id', old.university_id)
    );
  end if;
  if tg_op <> 'DELETE' then
    perform private.audit(
      'role_granted', new.university_id, 'user_roles', subject => new.user_id,
      after => jsonb_build_object('role', new.role, 'university_id', new.university_id)
    );
  end if;
  return null;
end
$$;
comment on function private.audit_role is 'Trigger: logs roles of staff that are granted, changed or revoked.';

create function private.without_values(changes jsonb, hidden text[])
returns jsonb
language sql
immutable
set search_path = ''
as $$
  select changes || coalesce((select jsonb_object_agg(name, '…') from unnest(hidden) as name where changes ? name), '{}')
$$;
comment on function private.without_values is
  'Changes without the values of columns that hold an address: nothing can be taken out of the audit log. Called by private.audit_settings.';

create function private.audit_settings()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.audit(
    'settings_changed',
    coalesce(to_jsonb(new), to_jsonb(old)) ->> 'university_id',
    tg_table_name,
    coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0],
    case when tg_op <> 'INSERT' then
      private.without_values(private.changed_columns(to_jsonb(old), coalesce(to_jsonb(new), '{}')), tg_argv[1:])
    end,
    case when tg_op <> 'DELETE' then
      private.without_values(private.changed_columns(to_jsonb(new), coalesce(to_jsonb(old), '{}')), tg_argv[1:])
    end
  );
  return null;
end
$$;
comment on function private.audit_settings is
  'Trigger: logs changes of an operator''s settings; its arguments are the key column, and those of which only the change is logged.';

create function private.audit_review()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  -- Who claimed or closed it is who did this; an entry holds no account.
  perform private.audit(
    'review_changed', new.university_id, 'clinical_reviews', new.id::text,
    private.changed_columns(to_jsonb(old), to_jsonb(new)) - array['claimed_by', 'closed_by'],
    private.changed_columns(to_jsonb(new), to_jsonb(old)) - array['claimed_by', 'closed_by'],
    subject => new.user_id
  );
  return null;
end
$$;
comment on function private.audit_review is 'Trigger: logs clinical reviews that are claimed, released or closed.';

create function private.audit_sign_in()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  perform private.audit(
    'signed_in',
    private.university_of(new.user_id),
    actor => new.user_id,
    ip => new.ip,
    user_agent => new.user_agent,
    request_id => null
  );
  return null;
end
$$;
comment on function private.audit_sign_in is 'Trigger on auth.sessions: logs sign-ins, with the address that Auth stores.';

create constraint trigger audit_university
after insert or update or delete on public.universities
deferrable initially deferred
for each row execute function private.audit_university();

-- Every account gets the student role, so granting it is not logged.
create constraint trigger audit_role_granted
after insert on public.user_roles
deferrable initially deferred
for each row when (new.role <> 'student')
execute function private.audit_role();

create constraint trigger audit_role_changed
after update on public.user_roles
deferrable initially deferred
for each row when (new.role <> 'student' or old.role <> 'student')
execute function private.audit_role();

create constraint trigger audit_role_revoked
after delete on public.user_roles
deferrable initially deferred
for each row when (old.role <> 'student')
execute function private.audit_role();

create constraint trigger audit_settings
after insert or update or delete on private.rate_limit_rules
deferrable initially deferred
for each row execute function private.audit_settings('scope');

create constraint trigger audit_settings
after insert or update or delete on private.pipeline_settings
deferrable initially deferred
for each row execute function private.audit_settings('only_row');

create constraint trigger audit_settings
after insert or update or delete on private.messaging_settings
deferrable initially deferred
for each row execute function private.audit_settings('only_row');

create constraint trigger audit_settings
after insert or update or delete on private.support_settings
deferrable initially deferred
for each row execute function private.audit_settings('only_row', 'operator_email');

create constraint trigger audit_settings
after insert or update or delete on private.text_destinations
deferrable initially deferred
for each row execute function private.audit_settings('prefix');

create constraint trigger audit_settings
after insert or update or delete on private.student_limits
deferrable initially deferred
for each row execute function private.audit_settings('only_row');

create constraint trigger audit_settings
after insert or update or delete on private.crisis_contacts
deferrable initially deferred
for each row execute function private.audit_settings('university_id', 'email');

create constraint trigger audit_settings
after insert or update or delete on private.review_reminder_rules
deferrable initially deferred
for each row execute function private.audit_settings('risk_level');

create constraint trigger audit_settings
after insert or update or delete on private.score_calibrations
deferrable initially deferred
for each row execute function private.audit_settings('components');

create constraint trigger audit_review
after update on public.clinical_reviews
deferrable initially deferred
for each row when (new.status <> old.status)
execute function private.audit_review();

create constraint trigger audit_sign_in
after insert on auth.sessions
deferrable initially deferred
for each row execute function private.audit_sign_in();
