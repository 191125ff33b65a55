alter table public.clinical_reviews enable row level security;

grant select on public.clinical_reviews, public.open_clinical_reviews to authenticated, service_role;
grant update (status) on public.clinical_reviews to authenticated;
grant update (status, claimed_by, closed_by) on public.clinical_reviews to service_role;

-- A counselor sees who is in crisis at their university, even without the student's consent to counselor_access. Nobody handles
-- a review about themselves.
create policy "counselors see the reviews of their universities" on public.clinical_reviews
for select to authenticated
using (university_id in (select private.universities_counseled()) and user_id <> (select auth.uid()));

create policy "counselors claim and close the reviews of their universities" on public.clinical_reviews
for update to authenticated
using (university_id in (select private.universities_counseled()) and user_id <> (select auth.uid()))
with check (university_id in (select private.universities_counseled()) and user_id <> (select auth.uid()));
