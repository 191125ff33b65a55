-- Staff cannot read students' data without leaving a trace: the functions that return it require an entry that is already
-- committed. If the same request wrote it, a request that fails after the read, with the data in its error text, would undo it.
create function private.log_access(action public.audit_action, university text, student uuid)
returns boolean
language plpgsql
security definer
set search_path = ''
as $$
begin
  if action not in ('students_listed', 'student_read', 'reviews_listed') then
    raise exception 'The action must be students_listed, student_read or reviews_listed.' using errcode = 'invalid_parameter_value';
  end if;
  if not exists (select from private.universities_counseled()) then
    return false;
  end if;
  perform private.audit(
    action,
    case when action = 'student_read' then private.university_of(student) else university end,
    case when student is not null then 'students' end,
    student::text
  );
  return true;
end
$$;
comment on function private.log_access is 'Implementation of public.log_access, which calls it.';

create function public.log_access(action public.audit_action, university_id text default null, student_id uuid default null)
returns boolean
language sql
set search_path = ''
begin atomic
  select private.log_access(action, university_id, student_id);
end;
comment on function public.log_access is
  'Logs in the audit log that the caller is about to read: students_listed of a university, student_read of a student, or reviews_listed. The read is then allowed for a minute. Called by counselors; false for others.';

create function private.require_access_log(read public.audit_action, university text default null, student uuid default null)
returns void
language plpgsql
stable
security definer
set search_path = ''
as $$
declare
  reader uuid := auth.uid();
  -- Computed once, so that the index can be used.
  since timestamptz := clock_timestamp() - interval '1 minute';
begin
  if not exists (
    select
    from public.audit_logs e
    where e.actor_id = reader
      and e.occurred_at > since
      and e.action = read
      and (university is null or e.university_id = university)
      and (student is null or e.target_id = student::text)
  ) then
    raise exception 'Log this access first.'
      using errcode = 'insufficient_privilege', hint = format('Call log_access with the action %s, then read within a minute.', read);
  end if;
end
$$;
comment on function private.require_access_log is
  'Raises an error unless the caller logged this access within the last minute. Called by the functions that counselors call.';
