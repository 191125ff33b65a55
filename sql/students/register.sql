-- What a university's register says of its students. It counts in public.students in place of what a student typed.

create table private.enrolment_registers (
  university_id text not null,
  imported_at timestamptz not null default now(),
  constraint enrolment_registers_pkey primary key (university_id),
  constraint enrolment_registers_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade
);
select private.describe('private.enrolment_registers', 'Universities whose register of students was imported.', $$
  university_id: The university.
  imported_at: When its last file was, also one that changed nothing.
$$);
select private.declare_data('private.enrolment_registers', '{university_id, imported_at}', 'When each university''s register was imported.');
select private.declare_audited('private.enrolment_registers', 'university_id', 'by_hand');

create table private.enrolments (
  university_id text not null,
  email text not null,
  student_number text not null,
  faculty text,
  year_of_study text,
  residence text,
  constraint enrolments_pkey primary key (university_id, email),
  constraint enrolments_university_id_fkey foreign key (university_id) references private.enrolment_registers (university_id) on delete cascade,
  -- Checked after the statement, so that two students may swap numbers.
  constraint enrolments_student_number_once unique (university_id, student_number) deferrable initially immediate,
  constraint enrolments_email_form check (email = private.mailbox_of(email) and private.is_mail_address(email)),
  constraint enrolments_student_number_form check (student_number ~ '^[[:alnum:]][[:alnum:] ./_-]{0,39}$'),
  constraint enrolments_faculty_length check (char_length(faculty) between 1 and 100),
  constraint enrolments_year_of_study_length check (char_length(year_of_study) between 1 and 20),
  constraint enrolments_residence_length check (char_length(residence) between 1 and 100)
);
select private.describe('private.enrolments', 'The university''s register of its students, as public.import_enrolments stored it; whether or not they have an account.', $$
  university_id: The university.
  email: The student's mailbox: the address in lower case, without what follows a + in its local part.
  student_number: Their number at the university.
  faculty: Faculty; null where the register says none.
  year_of_study: Year of study; null where the register says none.
  residence: Residence; null where the register says none.
$$);
create index enrolments_email_idx on private.enrolments (email);

select private.declare_term('enrolments', '400 days', 'Registers of students: from the last file of the university that was imported.',
  shortest => '30 days');
select private.declare_data('private.enrolments', '{university_id, email, student_number, faculty, year_of_study, residence}',
  'To know of students what their university says of them, rather than what they type.', 'student', 'identity',
  't.email = (select m.mailbox from private.mailboxes m where m.user_id = $1)', term => 'enrolments');
select private.declare_purge('enrolments', 'private.enrolments',
  'd.university_id in (select r.university_id from private.enrolment_registers r where r.imported_at < $1)');
select private.declare_audited('private.enrolments', 'university_id', 'by_hand');

create function private.student_number(account uuid) returns text
language sql stable security definer set search_path = '' as $$
  select e.student_number
  from public.profiles p
  join private.mailboxes m on m.user_id = p.user_id
  join private.enrolments e on e.university_id = p.university_id and e.email = m.mailbox
  where p.user_id = account
$$;
comment on function private.student_number is 'The number that the register of their university has for a student; null where it has none. Called where staff have to tell two people of the same name apart.';

-- What the register no longer says goes with it: the student may type it then. By indexes, here and below, as a plan that is made
-- while the register is empty, or for one row, would later read whole tables for each row of a file.
create function private.apply_register() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
declare
  said private.enrolments;
begin
  if tg_op = 'UPDATE' and (
    'faculty' = any (old.from_register) and new.faculty is distinct from old.faculty
    or 'year_of_study' = any (old.from_register) and new.year_of_study is distinct from old.year_of_study
    or 'residence' = any (old.from_register) and new.residence is distinct from old.residence
  ) then
    raise exception 'The university''s register says this of the student: correct it there, and import it again.'
      using errcode = 'insufficient_privilege', hint = 'from_register lists the columns that the register says.';
  end if;
  select e.* into said
  from private.mailboxes m
  join private.enrolments e on e.email = m.mailbox and e.university_id = new.university_id
  where m.user_id = new.user_id;
  if tg_op = 'UPDATE' then
    if 'faculty' = any (old.from_register) then
      new.faculty := null;
    end if;
    if 'year_of_study' = any (old.from_register) then
      new.year_of_study := null;
    end if;
    if 'residence' = any (old.from_register) then
      new.residence := null;
    end if;
  end if;
  new.faculty := coalesce(said.faculty, new.faculty);
  new.year_of_study := coalesce(said.year_of_study, new.year_of_study);
  new.residence := coalesce(said.residence, new.residence);
  new.from_register := array_remove(array[
    case when said.faculty is not null then 'faculty' end,
    case when said.year_of_study is not null then 'year_of_study' end,
    case when said.residence is not null then 'residence' end
  ], null);
  return new;
end
$$;
comment on function private.apply_register is 'Trigger: what the register of the student''s university says counts, and nobody else changes it.';

create trigger apply_register
before insert or update of university_id, faculty, year_of_study, residence, from_register on public.students
for each row execute function private.apply_register();

create function private.apply_changed_register() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off as $$
begin
  update public.students s
  set from_register = s.from_register
  from changed_rows c
  join private.mailboxes m on m.mailbox = c.email
  where s.user_id = m.user_id and s.university_id = c.university_id;
  if tg_op = 'UPDATE' then
    update public.students s
    set from_register = s.from_register
    from former_rows f
    join private.mailboxes m on m.mailbox = f.email
    where s.user_id = m.user_id and s.university_id = f.university_id
      and not exists (select from private.enrolments e where e.university_id = f.university_id and e.email = f.email);
  end if;
  return null;
end
$$;
comment on function private.apply_changed_register is 'Trigger: what changes in a register changes with its students.';

create trigger apply_added_enrolments after insert on private.enrolments referencing new table as changed_rows
for each statement execute function private.apply_changed_register();

create trigger apply_changed_enrolments after update on private.enrolments referencing old table as former_rows new table as changed_rows
for each statement execute function private.apply_changed_register();

create trigger apply_removed_enrolments after delete on private.enrolments referencing old table as changed_rows
for each statement execute function private.apply_changed_register();

create function private.apply_register_to_mailbox() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.students set from_register = from_register where user_id = coalesce(new.user_id, old.user_id);
  return null;
end
$$;
comment on function private.apply_register_to_mailbox is 'Trigger on private.mailboxes: a student whose address is confirmed, or changes, is looked up in the register.';

create trigger apply_register_to_mailbox after insert or update or delete on private.mailboxes
for each row execute function private.apply_register_to_mailbox();
