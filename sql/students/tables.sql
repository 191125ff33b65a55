create type public.history_source as enum ('check_in', 'session');
comment on type public.history_source is 'What a score or a risk was found in: a check-in or an assessment session.';

create table public.students (
  user_id uuid not null,
  university_id text,
  faculty text,
  year_of_study text,
  residence text,
  from_register text[] not null default '{}',
  counselor_access boolean not null default false,
  check_ins integer not null default 0,
  last_check_in_at timestamptz,
  last_score numeric(5, 2),
  last_uncertainty numeric(4, 3),
  last_direction_of_change checkin.direction_of_change,
  risk_level checkin.risk_level not null default 'none',
  latest_risk_level checkin.risk_level not null default 'none',
  latest_risk_source public.history_source,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint students_pkey primary key (user_id),
  constraint students_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint students_university_id_fkey foreign key (university_id) references public.universities (id) on delete set null,
  constraint students_faculty_length check (char_length(faculty) between 1 and 100),
  constraint students_year_of_study_length check (char_length(year_of_study) between 1 and 20),
  constraint students_residence_length check (char_length(residence) between 1 and 100),
  constraint students_from_register_known check (from_register <@ array['faculty', 'year_of_study', 'residence'])
);
select private.describe('public.students', 'One row per account with the student role: faculty, year and residence, and the result of the last check-in.', $$
  user_id: The student.
  university_id: University of the profile.
  faculty: Faculty: what the university's register says, or else what the student typed.
  year_of_study: Year of study, such as 1 or postgraduate: the same.
  residence: Residence, such as on_campus: the same.
  from_register: Which of faculty, year_of_study and residence the register says; the student typed the others.
  counselor_access: Whether the consent counselor_access is in force.
  check_ins: Number of completed check-ins.
  last_check_in_at: When the last check-in became complete or failed.
  last_score: Score of the last completed check-in, 0 to 100.
  last_uncertainty: Its uncertainty, 0 to 1.
  last_direction_of_change: Its direction of change.
  risk_level: Risk level of the last check-in that ended.
  latest_risk_level: Risk level of the last check-in that ended, or of a session that showed risk or was scored later.
  latest_risk_source: Of which of the two; null before the first.
  created_at: When the row was created.
  updated_at: When the row was last changed.
$$);
create index students_university_id_idx on public.students (university_id);
create index students_counseled_risk_idx on public.students (university_id, latest_risk_level, user_id) where counselor_access;
create index students_counseled_last_check_in_idx on public.students (university_id, last_check_in_at nulls first, user_id) where counselor_access;
create index students_counseled_score_idx on public.students (university_id, last_score nulls first, user_id) where counselor_access;

select private.declare_data('public.students',
   '{user_id, university_id, faculty, year_of_study, residence, from_register, counselor_access, check_ins, last_check_in_at, last_score,
    last_uncertainty, last_direction_of_change, risk_level, latest_risk_level,
    latest_risk_source, created_at, updated_at}',
  'Faculty, year, residence and the result of the last check-in, for counselors with the student''s consent.', 'student', 'health',
  't.user_id = $1');
select private.declare_audited('public.students', 'user_id', 'by_hand');

create table private.listed_students (
  university_id text not null,
  students integer not null,
  constraint listed_students_pkey primary key (university_id),
  constraint listed_students_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade
);
select private.describe('private.listed_students', 'How many students of each university its counselors can list, so that listing does not have to count.', $$
  university_id: The university.
  students: Number of students with the consent counselor_access in force.
$$);

select private.declare_data('private.listed_students', '{university_id, students}',
  'How many students each university''s counselors can list.');
select private.declare_unaudited('private.listed_students', 'Counters of the students whom lists have.');

create function private.count_listed_student() returns trigger
language plpgsql security definer set search_path = '' as $$
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
comment on function private.count_listed_student is 'Trigger: keeps private.listed_students up to date.';

create function private.enrol_student() returns trigger
language plpgsql security definer set search_path = '' as $$
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
comment on function private.enrol_student is 'Trigger: keeps a row in students for each account with the student role, and for no other.';

-- In the transaction that changes the profile, so that nothing of the student is at two universities.
create function private.move_student() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- Agreed to with the counselors of another university in view.
  update public.consents
  set withdrawn_at = greatest(now(), granted_at)
  where user_id = new.user_id and kind = 'counselor_access' and withdrawn_at is null;
  update public.students set university_id = new.university_id where user_id = new.user_id;

  -- Inserted before the old one is deleted: without a role the row of public.students would go.
  insert into public.user_roles (user_id, role, university_id)
  select new.user_id, 'student', new.university_id
  where exists (select from public.user_roles r where r.user_id = new.user_id and r.role = 'student')
  on conflict on constraint user_roles_once do nothing;
  delete from public.user_roles r
  where r.user_id = new.user_id and r.role = 'student' and r.university_id is distinct from new.university_id;

  -- Who leaves for no university is still in danger: without a university nobody would see the review.
  update public.clinical_reviews
  set university_id = new.university_id, status = 'open', last_notified_at = now()
  where user_id = new.user_id and status <> 'closed' and new.university_id is not null;
  return null;
end
$$;
comment on function private.move_student is 'Trigger: moves the student''s row of public.students, role and open review to the new university of the profile, whose crisis contact is told, and withdraws the consent counselor_access. Roles of staff stay, and the review of a student who leaves for no university.';

create function private.sync_counselor_access() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.students
  set counselor_access = private.has_consent(new.user_id, 'counselor_access')
  where user_id = new.user_id;
  return null;
end
$$;
comment on function private.sync_counselor_access is 'Trigger: copies to students whether the consent counselor_access is in force.';

create function private.sync_feature() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.students s
  set counselor_access = not s.counselor_access
  where s.university_id = new.id and s.counselor_access <> private.has_consent(s.user_id, 'counselor_access');
  return null;
end
$$;
comment on function private.sync_feature is 'Trigger: where a university switches counselor_access off or on, its counselors stop or begin to see the students who agreed to it.';

create trigger sync_feature after update on public.universities
for each row when (('counselor_access' = any (old.features_enabled)) <> ('counselor_access' = any (new.features_enabled)))
execute function private.sync_feature();

create function private.follow_last_check_in() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.latest_risk_level := new.risk_level;
  new.latest_risk_source := 'check_in';
  return new;
end
$$;
comment on function private.follow_last_check_in is 'Trigger: the latest risk is that of a check-in, once one has ended.';

create trigger follow_last_check_in before update of last_check_in_at, risk_level on public.students
for each row when ((new.last_check_in_at, new.risk_level) is distinct from (old.last_check_in_at, old.risk_level))
execute function private.follow_last_check_in();

create trigger count_listed_student after insert or delete or update of university_id, counselor_access on public.students
for each row execute function private.count_listed_student();

create trigger touch_updated_at before update on public.students for each row execute function private.touch_updated_at();

create trigger enrol_student after insert on public.user_roles
for each row when (new.role = 'student') execute function private.enrol_student();

create trigger unenrol_student after delete on public.user_roles
for each row when (old.role = 'student') execute function private.enrol_student();

create trigger move_student after update of university_id on public.profiles
for each row when (new.university_id is distinct from old.university_id) execute function private.move_student();

create trigger sync_counselor_access after insert or update on public.consents
for each row when (new.kind = 'counselor_access') execute function private.sync_counselor_access();
