alter table public.students enable row level security;

grant select on public.students to authenticated, service_role;
grant update (faculty, year_of_study, residence) on public.students to authenticated, service_role;

grant execute on function
  public.list_students(text, text, text, boolean, integer, integer),
  public.read_student(uuid, integer),
  public.list_open_reviews(),
  public.export_my_data(),
  public.log_access(public.audit_action, text, uuid),
  private.log_access(public.audit_action, text, uuid),
  private.student_page(text, text, private.student_sort, boolean, integer, integer),
  private.students_found(text, text),
  private.students_listed(text),
  private.read_student_as_counselor(uuid, integer),
  private.list_reviews_as_counselor(),
  private.export_data()
to authenticated;

-- Counselors read students through the functions above, which want the read noted.
create policy "students see their own enrolment" on public.students
for select to authenticated
using (user_id = (select auth.uid()));

create policy "students say where they study and live" on public.students
for update to authenticated
using (user_id = (select auth.uid()))
with check (user_id = (select auth.uid()));
