-- Staff cannot read students' data without leaving a trace: the functions that return it require an entry that is already
-- committed. If the same request wrote it, a request that fails after the read, with the data in its error text, would undo it.

create table private.logged_accesses (
  reader uuid not null,
  action public.audit_action not null,
  arguments_sha256 bytea not null,
  logged_at timestamptz not null default clock_timestamp(),
  constraint logged_accesses_pkey primary key (reader, action, arguments_sha256),
  constraint logged_accesses_reader_fkey foreign key (reader) references auth.users (id) on delete cascade,
  constraint logged_accesses_arguments_sha256_length check (octet_length(arguments_sha256) = 32)
);
select private.describe('private.logged_accesses', 'Reads that people logged within the last minute and may make; deleted when the same person logs another.', $$
  reader: Who reads.
  action: What is read.
  arguments_sha256: SHA-256 of what the read asks for, so that a logged search allows no other.
  logged_at: When it was logged.
$$);

select private.declare_term('logged_accesses', '1 day', 'That a read was logged and may happen: from the entry.');
select private.declare_data('private.logged_accesses', '{reader, action, arguments_sha256, logged_at}',
  'To let a read happen only after it was logged.', 'staff', 'activity', 't.reader = $1', term => 'logged_accesses');
select private.declare_purge('logged_accesses', 'private.logged_accesses', 'd.logged_at < $1');
select private.declare_unaudited('private.logged_accesses', 'Each row comes with an entry about what it allows.');

-- In PL/pgSQL, which caches its plan: SQL would plan it anew for each page of students, a tenth of the page's time.
create function private.access_arguments(
  university text default null, student uuid default null, search text default null, sort text default 'name',
  descending boolean default false, page_limit integer default 50, page_offset integer default 0
) returns jsonb
language plpgsql immutable set search_path = '' as $$
begin
  return jsonb_build_object(
    'university', university,
    'student', student,
    'search', nullif(btrim(search), ''),
    'sort', sort,
    'descending', descending,
    'limit', least(greatest(page_limit, 0), 200),
    'offset', greatest(page_offset, 0)
  );
end
$$;
comment on function private.access_arguments is 'What a read asks for, in one spelling. Called by private.log_access and by the functions that require an entry in the access log.';

create function private.log_access(
  action public.audit_action, university text, student uuid, search text, sort text, descending boolean, page_limit integer,
  page_offset integer, review uuid
) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  person uuid := (select private.current_account());
  arguments jsonb;
  read_of uuid;
begin
  case action
    when 'students_listed' then
      arguments := private.access_arguments(
        university, null, search, sort::private.student_sort::text, descending, page_limit, page_offset
      );
    when 'student_read' then
      student := coalesce(student, (select r.user_id from public.clinical_reviews r where r.id = review));
      arguments := private.access_arguments(null, student);
      university := private.university_of(student);
      read_of := student;
    when 'reviews_listed' then
      arguments := private.access_arguments();
    when 'account_read' then
      arguments := private.access_arguments(search => search);
      read_of := private.account_searched(search);
      university := private.university_of(read_of);
    else
      raise exception 'The action must be students_listed, student_read, reviews_listed or account_read.'
        using errcode = 'invalid_parameter_value';
  end case;
  if person is null or not (
    case action
      when 'students_listed' then exists (select from private.universities_counseled() as counseled where counseled = university)
      when 'account_read' then private.is_security_admin()
      -- Also of a student elsewhere: nothing comes of it, and the entry tells of the attempt.
      else exists (select from private.universities_counseled())
    end
  ) then
    return false;
  end if;
  -- Locks the account first, as the deletion of an account does.
  perform from auth.users where id = person for key share;
  if not found then
    return false;
  end if;
  delete from private.logged_accesses where reader = person and logged_at < clock_timestamp() - interval '1 minute';
  -- The queue is read again with each change of it: an entry for each would use up what a person may add to the log, and then nobody
  -- could take a review.
  if action = 'reviews_listed' and exists (
    select
    from private.logged_accesses l
    where l.reader = person and l.action = log_access.action
      and l.arguments_sha256 = sha256(convert_to(arguments::text, 'UTF8'))
      and l.logged_at > clock_timestamp() - interval '30 seconds'
      -- Whose review has opened since is told of a read of their own.
      and not exists (
        select
        from public.clinical_reviews r
        where r.status <> 'closed' and r.opened_at >= l.logged_at and r.university_id in (select private.universities_counseled())
      )
  ) then
    return true;
  end if;
  insert into private.logged_accesses (reader, action, arguments_sha256)
  values (person, action, sha256(convert_to(arguments::text, 'UTF8')))
  on conflict on constraint logged_accesses_pkey do update set logged_at = excluded.logged_at;
  perform private.audit(
    action, university,
    case action when 'student_read' then 'students' end,
    subject => read_of,
    details => case
      when action = 'reviews_listed' then jsonb_build_object(
        'universities', (select jsonb_agg(counseled order by counseled) from private.universities_counseled() as counseled)
      )
      when action <> 'students_listed' then '{}'
      else arguments - '{university,student,search}'::text[] || jsonb_build_object('search', arguments ->> 'search' is not null)
    end
  );
  return true;
end
$$;
comment on function private.log_access is 'Implementation of public.log_access, which calls it.';

create function public.log_access(
  action public.audit_action, university_id text default null, student_id uuid default null, search text default null,
  sort text default 'name', descending boolean default false, page_limit integer default 50, page_offset integer default 0,
  review_id uuid default null
) returns boolean
language sql set search_path = ''
begin atomic
  select private.log_access(action, university_id, student_id, search, sort, descending, page_limit, page_offset, review_id);
end;
comment on function public.log_access is 'Logs in the audit log what the caller is about to read, with the same arguments: students_listed of a university, student_read of a student or of the student of a review, reviews_listed, or account_read of an account that is searched for. The read is then allowed for a minute; the list of reviews gets no second entry within half a minute, unless another review has opened. Called by counselors, who list the students of their own universities, and by security administrators for account_read; false for others.';

create function private.require_access_log(
  read public.audit_action, arguments jsonb, account uuid default private.current_account()
) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (
    select
    from private.logged_accesses
    where reader = account
      and action = read
      and arguments_sha256 = sha256(convert_to(arguments::text, 'UTF8'))
      and logged_at > clock_timestamp() - interval '1 minute'
  ) then
    raise exception 'Log this access first.'
      using errcode = 'insufficient_privilege',
        hint = format('Call log_access with the action %s and the arguments of this call, then read within a minute.', read);
  end if;
end
$$;
comment on function private.require_access_log is 'Raises an error unless an account, by default the caller''s, logged this access within the last minute. Called by the functions that counselors call.';
