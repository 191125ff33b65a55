alter table public.clinical_reviews enable row level security;

-- Counselors work on reviews through functions, and no client selects from the table: a policy hides rows, but not the planner's
-- estimates of them. A counselor sees who is in crisis at their university, even without the student's consent to
-- counselor_access.
grant select on public.clinical_reviews, public.open_clinical_reviews to service_role;
grant update (status, claimed_by, closed_by) on public.clinical_reviews to service_role;
grant execute on function
  public.review_queue(),
  public.claim_review(uuid),
  public.reopen_review(uuid),
  public.close_review(uuid),
  private.reviews_in_queue(),
  private.change_review(uuid, public.review_status)
to authenticated;

create policy "clients use functions, not the table of reviews" on public.clinical_reviews
for all to authenticated
using (false);
