alter table public.clinical_reviews enable row level security;

-- Counselors work on reviews through functions, and no client selects from the table: a policy hides rows, but not the planner's
-- estimates of them. A counselor sees who is in crisis at their university, even without the student's consent to
-- counselor_access.
grant select on public.clinical_reviews, public.open_clinical_reviews to service_role;
grant update (status, claimed_by, closed_by, outcome) on public.clinical_reviews to service_role;
grant execute on function
  public.review_queue(),
  public.claim_review(uuid),
  public.reopen_review(uuid),
  public.close_review(uuid, public.review_outcome, text),
  public.hand_over_review(uuid, uuid),
  public.list_counselors(),
  public.add_review_note(uuid, text),
  public.list_closed_reviews(integer, integer),
  public.read_review(uuid),
  public.set_claim_terms(text, checkin.risk_level, interval, interval),
  private.reviews_in_queue(),
  private.change_review(uuid, public.review_status, public.review_outcome, text),
  private.hand_over_review(uuid, uuid),
  private.counselors_beside_caller(),
  private.add_review_note(uuid, text),
  private.list_closed_reviews_as_counselor(integer, integer),
  private.read_review_as_counselor(uuid),
  private.set_claim_terms(text, checkin.risk_level, interval, interval),
  public.read_cover(timestamptz, timestamptz, text),
  public.add_shift(timestamptz, timestamptz, uuid, text),
  public.remove_shift(uuid),
  public.take_over(integer),
  public.list_crisis_contacts(text),
  public.set_crisis_contact(text, integer, text, text, text),
  public.remove_crisis_contact(text, integer),
  public.test_crisis_contact(text, integer),
  private.read_cover(timestamptz, timestamptz, text),
  private.add_shift(timestamptz, timestamptz, uuid, text),
  private.remove_shift(uuid),
  private.take_over(integer),
  private.list_crisis_contacts(text),
  private.set_crisis_contact(text, integer, text, text, text),
  private.remove_crisis_contact(text, integer),
  private.test_crisis_contact(text, integer)
to authenticated;

-- Of the view, which runs as its caller.
grant execute on function private.student_label(uuid) to service_role;

create policy "clients use functions, not the table of reviews" on public.clinical_reviews
for all to authenticated
using (false);
