alter table public.students enable row level security;

grant select on public.students to authenticated, service_role;
grant update (faculty, year_of_study, residence) on public.students to authenticated, service_role;

-- Counselors read students through functions that require an entry in the access log.
create policy "students see their own enrolment" on public.students
for select to authenticated
using (user_id = (select private.current_account()));

create policy "students change their own enrolment" on public.students
for update to authenticated
using (user_id = (select private.current_account()))
with check (user_id = (select private.current_account()));
