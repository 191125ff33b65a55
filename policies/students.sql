grant execute on function private.has_room_for_file(text) to authenticated;

alter table public.students enable row level security;

grant select on public.students to authenticated, service_role;
grant update (faculty, year_of_study, residence) on public.students to authenticated, service_role;

-- Counselors read students through functions that require an entry in the access log.
create policy "students see their own row" on public.students
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students change their own row" on public.students
for update to authenticated
using (user_id = (select private.current_account()))
with check (user_id = (select private.current_account()));

grant execute on function
  public.list_students(text, text, text, boolean, integer, integer),
  public.read_student(uuid, integer),
  public.list_open_reviews(integer, integer),
  private.student_page(text, text, private.student_sort, boolean, integer, integer),
  private.students_found(text, text),
  private.students_listed(text),
  private.read_student_as_counselor(uuid, integer),
  private.list_reviews_as_counselor(integer, integer),
  public.nudge_student(uuid, text),
  public.list_nudges(uuid),
  private.nudge_student(uuid, text),
  private.list_nudges(uuid),
  public.import_enrolments(text, text, boolean),
  private.import_enrolments(text, text, boolean)
to authenticated;
