alter table public.clinical_reviews enable row level security;

grant select on public.clinical_reviews, public.open_clinical_reviews to authenticated, service_role;
grant update (status) on public.clinical_reviews to authenticated;
grant update (status, claimed_by, closed_by) on public.clinical_reviews to service_role;

grant execute on function private.universities_counseled() to authenticated;

-- A counselor sees who is in crisis at the own university, also without the consent to a lasting view. Nobody deals with
-- the own review.
create policy "counselors see the reviews of their universities" on public.clinical_reviews
for select to authenticated
using (university_id in (select private.universities_counseled()) and user_id <> (select auth.uid()));

create policy "counselors claim and close the reviews of their universities" on public.clinical_reviews
for update to authenticated
using (university_id in (select private.universities_counseled()) and user_id <> (select auth.uid()))
with check (university_id in (select private.universities_counseled()) and user_id <> (select auth.uid()));
