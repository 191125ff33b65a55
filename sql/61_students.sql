create table public.students (
  user_id uuid not null,
  university_id text,
  faculty text,
  year_of_study text,
  residence text,
  counselor_access boolean not null default false,
  check_ins integer not null default 0,
  last_check_in_at timestamptz,
  last_score numeric(5, 2),
  last_uncertainty numeric(4, 3),
  last_direction_of_change checkin.direction_of_change,
  risk_level checkin.risk_level not null default 'none',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint students_pkey primary key (user_id),
  constraint students_user_id_fkey foreign key (user_id) references public.profiles (user_id) on delete cascade,
  constraint students_university_id_fkey foreign key (university_id) references public.universities (id) on delete set null,
  constraint students_faculty_length check (char_length(faculty) between 1 and 100),
  constraint students_year_of_study_length check (char_length(year_of_study) between 1 and 20),
  constraint students_residence_length check (char_length(residence) between 1 and 100)
);
comment on table public.students is 'One row per account with the student role: enrolment, and where the last check-in left them.';
comment on column public.students.user_id is 'The student.';
comment on column public.students.university_id is 'University of the profile.';
comment on column public.students.faculty is 'Faculty, as the student or the university names it.';
comment on column public.students.year_of_study is 'Year of study, such as 1 or postgraduate.';
comment on column public.students.residence is 'Where the student lives, such as on_campus.';
comment on column public.students.counselor_access is 'Whether the consent counselor_access is in force.';
comment on column public.students.check_ins is 'Check-ins that were completed.';
comment on column public.students.last_check_in_at is 'When the last check-in ended, complete or failed.';
comment on column public.students.last_score is 'Score of the last check-in that was completed, 0 to 100.';
comment on column public.students.last_uncertainty is 'Its uncertainty, 0 to 1.';
comment on column public.students.last_direction_of_change is 'Its direction of change.';
comment on column public.students.risk_level is 'Risk level of the last check-in that ended.';
comment on column public.students.created_at is 'When the row was made.';
comment on column public.students.updated_at is 'When the row was last changed.';
create index students_university_id_idx on public.students (university_id);
create index students_counseled_risk_idx on public.students (university_id, risk_level, user_id) where counselor_access;
create index students_counseled_last_check_in_idx on public.students (university_id, last_check_in_at nulls first, user_id) where counselor_access;
create index students_counseled_score_idx on public.students (university_id, last_score nulls first, user_id) where counselor_access;

create table private.listed_students (
  university_id text not null,
  students integer not null,
  constraint listed_students_pkey primary key (university_id),
  constraint listed_students_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade
);
comment on table private.listed_students is 'How many students of each university its counselors see, so that a list need not count.';
comment on column private.listed_students.university_id is 'The university.';
comment on column private.listed_students.students is 'Students with the consent counselor_access in force.';

create function private.count_listed_student()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  insert into private.listed_students as l (university_id, students)
  select university_id, sum(change)
  from (
    select old.university_id, -1 as change where tg_op <> 'INSERT' and old.counselor_access
    union all
    select new.university_id, 1 where tg_op <> 'DELETE' and new.counselor_access
  ) as changes
  where university_id in (select id from public.universities)
  group by university_id
  having sum(change) <> 0
  order by university_id
  on conflict (university_id) do update set students = l.students + excluded.students;
  return null;
end
$$;
comment on function private.count_listed_student is 'Trigger: keeps private.listed_students true.';

create trigger count_listed_student
after insert or delete or update of university_id, counselor_access on public.students
for each row execute function private.count_listed_student();

create trigger touch_updated_at
before update on public.students
for each row execute function private.touch_updated_at();

create function private.enrol_student()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  if tg_op = 'DELETE' then
    delete from public.students s
    where s.user_id = old.user_id
      and not exists (select from public.user_roles r where r.user_id = old.user_id and r.role = 'student');
  else
    insert into public.students (user_id, university_id, counselor_access)
    select user_id, university_id, private.has_consent(user_id, 'counselor_access')
    from public.profiles
    where user_id = new.user_id
    on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function private.enrol_student is 'Trigger: who has the student role has a row of students, and nobody else.';

create trigger enrol_student
after insert on public.user_roles
for each row when (new.role = 'student')
execute function private.enrol_student();

create trigger unenrol_student
after delete on public.user_roles
for each row when (old.role = 'student')
execute function private.enrol_student();

create function private.move_student()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.students set university_id = new.university_id where user_id = new.user_id;
  return null;
end
$$;
comment on function private.move_student is 'Trigger: students follow the university of their profile.';

create trigger move_student
after update of university_id on public.profiles
for each row when (new.university_id is distinct from old.university_id)
execute function private.move_student();

create function private.sync_counselor_access()
returns trigger
language plpgsql
security definer
set search_path = ''
as $$
begin
  update public.students
  set counselor_access = private.has_consent(new.user_id, 'counselor_access')
  where user_id = new.user_id;
  return null;
end
$$;
comment on function private.sync_counselor_access is 'Trigger: counselors see a student as long as the consent is in force.';

create trigger sync_counselor_access
after insert or update on public.consents
for each row when (new.kind = 'counselor_access')
execute function private.sync_counselor_access();

create type private.student_sort as enum ('name', 'last_check_in', 'score', 'risk');
comment on type private.student_sort is 'What a list of students can be sorted by.';

create type private.listed_student as (
  user_id uuid,
  first_name text,
  last_name text,
  university_id text,
  faculty text,
  year_of_study text,
  residence text,
  check_ins integer,
  last_check_in_at timestamptz,
  last_score numeric,
  last_uncertainty numeric,
  last_direction_of_change checkin.direction_of_change,
  risk_level checkin.risk_level
);
comment on type private.listed_student is 'A student as counselors see them.';

-- The query alone, for private.student_page to guard.
create function private.student_rows(
  university text,
  search text,
  sort private.student_sort,
  descending boolean,
  page_limit integer,
  page_offset integer
)
returns setof private.listed_student
language plpgsql
stable
set search_path = ''
as $$
declare
  pattern text := '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%';
  direction text := case when descending then 'desc' else 'asc' end;
  empty text := case when descending then 'nulls last' else 'nulls first' end;
begin
  return query execute format(
    $query$
      select
        s.user_id, p.first_name, p.last_name, s.university_id, s.faculty, s.year_of_study, s.residence, s.check_ins,
        s.last_check_in_at, s.last_score, s.last_uncertainty, s.last_direction_of_change, s.risk_level
      from public.students s
      join public.profiles p on p.user_id = s.user_id
      where s.university_id = $1 and p.university_id = $1 and s.counselor_access
        %s
      order by %s
      limit $3
      offset $4
    $query$,
    case when pattern is not null then 'and (p.first_name || '' '' || p.last_name) ilike $2' end,
    case sort
      when 'name' then format('p.last_name %1$s, p.first_name %1$s, p.user_id %1$s', direction)
      when 'last_check_in' then format('s.last_check_in_at %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'score' then format('s.last_score %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'risk' then format('s.risk_level %1$s, s.user_id %1$s', direction)
    end
  )
  using university, pattern, page_limit, page_offset;
end
$$;
comment on function private.student_rows is 'A page of the students of a university who agreed to counselor_access. Called by private.student_page.';

-- Asks once who may see the page instead of once a row: what the policies of both tables would let a counselor see, in two
-- thirds of the time.
create function private.student_page(
  university text,
  search text,
  sort private.student_sort,
  descending boolean,
  page_limit integer,
  page_offset integer
)
returns setof private.listed_student
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if private.has_role((select auth.uid()), 'counselor', university) then
    perform private.require_access_log('students_listed', university);
    return query select * from private.student_rows(university, search, sort, descending, page_limit, page_offset);
  end if;
end
$$;
comment on function private.student_page is 'A page of the students that the caller may see at a university as its counselor. Called by public.list_students.';

create function private.students_found(university text, search text)
returns bigint
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not private.has_role((select auth.uid()), 'counselor', university) then
    return 0;
  end if;
  perform private.require_access_log('students_listed', university);
  return (
    select count(*)
    from public.students s
    join public.profiles p on p.user_id = s.user_id
    where s.university_id = university and s.counselor_access
      and (p.first_name || ' ' || p.last_name) ilike '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%'
  );
end
$$;
comment on function private.students_found is 'How many students the caller may see have a name like this. Called by public.list_students.';

create function private.students_listed(university text)
returns bigint
language sql
stable
security definer
set search_path = ''
as $$
  select coalesce(
    (
      select students
      from private.listed_students
      where university_id = university and university in (select private.universities_counseled())
    ),
    0
  )
$$;
comment on function private.students_listed is 'How many students the caller sees at a university as its counselor. Called by public.list_students.';

create function public.list_students(
  university_id text,
  search text default null,
  sort text default 'name',
  descending boolean default false,
  page_limit integer default 50,
  page_offset integer default 0
)
returns jsonb
language sql
stable
set search_path = ''
begin atomic
  select jsonb_build_object(
    'students', coalesce(
      (
        select jsonb_agg(to_jsonb(s) - 'place' order by s.place)
        from private.student_page(
          university_id,
          nullif(btrim(search), ''),
          sort::private.student_sort,
          descending,
          least(greatest(page_limit, 0), 200),
          greatest(page_offset, 0)
        ) with ordinality as s (
          user_id, first_name, last_name, university_id, faculty, year_of_study, residence, check_ins,
          last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level, place
        )
      ),
      '[]'
    ),
    'total', case
      when nullif(btrim(search), '') is null then private.students_listed(university_id)
      else private.students_found(university_id, btrim(search))
    end
  );
end;
comment on function public.list_students is
  'Students of a university who agreed to counselor_access: {students, total}, at most 200 a page, sorted by name, last_check_in, score or risk. Called by its counselors within a minute of log_access(''students_listed''). Empty for others.';

-- What a counselor may know of a student: with the consent, scores and risk; without, and only while a review of theirs is
-- not closed, who it is.
create function private.student_record(student uuid, scores integer)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
      'user_id', s.user_id,
      'first_name', p.first_name,
      'last_name', p.last_name,
      'university_id', s.university_id,
      'counselor_access', s.counselor_access
    )
    || case when not s.counselor_access then '{}'::jsonb else jsonb_build_object(
      'faculty', s.faculty,
      'year_of_study', s.year_of_study,
      'residence', s.residence,
      'check_ins', s.check_ins,
      'last_check_in_at', s.last_check_in_at,
      'last_score', s.last_score,
      'last_uncertainty', s.last_uncertainty,
      'last_direction_of_change', s.last_direction_of_change,
      'risk_level', s.risk_level,
      'scores', coalesce(
        (
          select jsonb_agg(to_jsonb(f) order by f.created_at desc)
          from (
            select check_in_id, created_at, score, uncertainty, direction_of_change, significance, risk_level
            from checkin.fusion_results
            where user_id = student
            order by created_at desc
            limit scores
          ) f
        ),
        '[]'
      )
    ) end
  from public.students s
  join public.profiles p on p.user_id = s.user_id
  where s.user_id = student
    and s.university_id in (select private.universities_counseled())
    and (s.counselor_access or s.user_id in (select private.students_in_review()))
$$;
comment on function private.student_record is 'What the caller may know of a student as a counselor; null when nothing. Called by private.read_student_as_counselor.';

create function private.read_student_as_counselor(student uuid, scores integer)
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not exists (select from private.universities_counseled()) then
    return null;
  end if;
  perform private.require_access_log('student_read', student => student);
  return private.student_record(student, scores);
end
$$;
comment on function private.read_student_as_counselor is 'What public.read_student answers.';

create function public.read_student(student_id uuid, scores integer default 50)
returns jsonb
language sql
stable
set search_path = ''
begin atomic
  select private.read_student_as_counselor(student_id, least(greatest(scores, 0), 200));
end;
comment on function public.read_student is
  'A student with the last scores and risk levels, never words or media; null when the caller may not see them. Called by counselors within a minute of log_access(''student_read'').';

create function private.list_reviews_as_counselor()
returns jsonb
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  if not exists (select from private.universities_counseled()) then
    return '[]';
  end if;
  perform private.require_access_log('reviews_listed');
  return (
    select coalesce(jsonb_agg(to_jsonb(r) order by r.opened_at), '[]')
    from public.open_clinical_reviews r
    where r.university_id in (select private.universities_counseled()) and r.user_id <> (select auth.uid())
  );
end
$$;
comment on function private.list_reviews_as_counselor is 'What public.list_open_reviews answers.';

create function public.list_open_reviews()
returns jsonb
language sql
stable
set search_path = ''
begin atomic
  select private.list_reviews_as_counselor();
end;
comment on function public.list_open_reviews is
  'Open and claimed reviews with the students'' names, oldest first: an array. Called by counselors within a minute of log_access(''reviews_listed'').';

create function private.everything_of(student uuid)
returns jsonb
language sql
stable
security definer
set search_path = ''
as $$
  select jsonb_build_object(
    'exported_at', now(),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.id), '[]') from public.user_roles r where r.user_id = student),
    'consents', (
      select coalesce(jsonb_agg(to_jsonb(c) order by c.granted_at, c.id), '[]') from public.consents c where c.user_id = student
    ),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by c.created_at, c.id
        ),
        '[]'
      )
      from checkin.check_ins c
      left join checkin.audio_analysis a on a.check_in_id = c.id
      left join checkin.visual_analysis v on v.check_in_id = c.id
      left join checkin.text_analysis t on t.check_in_id = c.id
      left join checkin.fusion_results f on f.check_in_id = c.id
      where c.user_id = student
    ),
    'transcripts', (
      select coalesce(jsonb_agg(to_jsonb(t) - 'user_id' order by t.created_at), '[]')
      from private.transcript_results t
      where t.user_id = student
    ),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = s.id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = s.id)
          )
          order by s.created_at, s.id
        ),
        '[]'
      )
      from public.assessment_sessions s
      where s.user_id = student
    )
  )
$$;
comment on function private.everything_of is 'What the service knows of a student, as JSON: all but files and clinical reviews. Called by private.export_data.';

create function private.export_data()
returns jsonb
language plpgsql
security definer
set search_path = ''
as $$
declare
  person uuid := (select auth.uid());
  everything jsonb;
begin
  if person is null then
    return null;
  end if;
  everything := private.everything_of(person);
  if not exists (
    select from public.audit_logs
    where actor_id = person and action = 'data_exported' and occurred_at > now() - interval '1 minute'
  ) then
    perform private.audit('data_exported', private.university_of(person), 'profiles', person::text);
  end if;
  return everything;
end
$$;
comment on function private.export_data is 'What public.export_my_data answers.';

create function public.export_my_data()
returns jsonb
language sql
set search_path = ''
begin atomic
  select private.export_data();
end;
comment on function public.export_my_data is
  'What the service knows of the caller: all but files, which are in their folders of the buckets, and clinical reviews. Called by students; exports are in the audit log, once a minute at most.';
