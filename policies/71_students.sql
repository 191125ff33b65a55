alter table public.students enable row level security;

grant select on public.students to authenticated, service_role;
grant update (faculty, year_of_study, residence) on public.students to authenticated, service_role;

grant execute on function
  public.list_students(text, text, text, boolean, integer, integer),
  public.read_student(uuid, integer),
  public.list_open_reviews(),
  public.export_my_data(),
  private.audit_read(public.audit_action, text, text, jsonb),
  private.end_read(jsonb),
  private.student_page(text, text, private.student_sort, boolean, integer, integer),
  private.students_found(text, text),
  private.students_listed(text),
  private.student_record(uuid, integer),
  private.export_data()
to authenticated;

-- Only the functions above note their read, and so only they show a counselor anything.
create policy "students see their own enrolment, counselors those who agreed" on public.students
for select to authenticated
using (
  user_id = (select auth.uid())
  or (
    (select private.reading_is_audited())
    and university_id in (select private.universities_counseled())
    and (counselor_access or user_id in (select private.students_in_review()))
  )
);

create policy "students say where they study and live" on public.students
for update to authenticated
using (user_id = (select auth.uid()))
with check (user_id = (select auth.uid()));
