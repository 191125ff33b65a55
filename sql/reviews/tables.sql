create type public.review_status as enum ('open', 'claimed', 'closed');
comment on type public.review_status is 'open → claimed → closed; claimed → open when it is released.';

create type public.review_source as enum ('check_in', 'session', 'transcript', 'support_alert');
comment on type public.review_source is 'Where the risk was found: in a check-in, an assessment session or a single transcript; support_alert: nobody of the student''s circle responded to a lasting pattern.';

create type public.review_outcome as enum (
  'no_current_risk', 'safety_plan', 'referred', 'already_in_care', 'emergency_care', 'not_reached', 'false_positive'
);
comment on type public.review_outcome is 'How a review ended: risk was assessed and there is none now; a safety plan was made; referred to treatment; in treatment already; emergency services or a hospital took over; the student could not be reached; there was no sign of a crisis.';

create table public.clinical_reviews (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  university_id text,
  source public.review_source not null,
  source_id uuid not null,
  risk_level checkin.risk_level not null default 'high',
  status public.review_status not null default 'open',
  opened_at timestamptz not null default now(),
  claimed_at timestamptz,
  claimed_by uuid,
  closed_at timestamptz,
  closed_by uuid,
  last_risk_at timestamptz not null default now(),
  last_notified_at timestamptz not null default now(),
  open_since timestamptz not null default now(),
  reminders smallint not null default 0,
  contacts_told smallint not null default 0,
  first_claimed_at timestamptz,
  first_response_at timestamptz,
  note_due_since timestamptz,
  claim_reminded_at timestamptz,
  outcome public.review_outcome,
  constraint clinical_reviews_pkey primary key (id),
  constraint clinical_reviews_user_id_fkey foreign key (user_id) references auth.users (id) on delete cascade,
  constraint clinical_reviews_university_id_fkey foreign key (university_id) references public.universities (id) on delete set null,
  constraint clinical_reviews_claimed_by_fkey foreign key (claimed_by) references auth.users (id) on delete set null,
  constraint clinical_reviews_closed_by_fkey foreign key (closed_by) references auth.users (id) on delete set null,
  constraint clinical_reviews_claimed_at_unless_open check ((status = 'open') = (claimed_at is null)),
  constraint clinical_reviews_closed_at_when_closed check ((status = 'closed') = (closed_at is not null)),
  constraint clinical_reviews_outcome_when_closed check (outcome is null or status = 'closed'),
  constraint clinical_reviews_note_due_while_claimed check (
    (note_due_since is null or status = 'claimed') and (claim_reminded_at is null or note_due_since is not null)
  )
);
select private.describe('public.clinical_reviews', 'High risk of a student, or crisis language that is less clear, for a counselor to handle: one review at a time. Opened in the transaction that stores the risk.', $$
  id: The review.
  user_id: The student.
  university_id: University whose counselors see it.
  source: Where the risk was found first.
  source_id: The check-in, the session, the transcript result or the alert where it was found first.
  risk_level: Highest risk level found.
  status: State of the review.
  opened_at: When it was opened.
  claimed_at: When a counselor claimed it; null while it is open.
  claimed_by: The counselor who claimed it.
  closed_at: When it was closed.
  closed_by: The counselor who closed it.
  last_risk_at: When risk showed last; later than opened_at when it showed again.
  last_notified_at: When the crisis contact was last told of it.
  open_since: Since when it has waited for a counselor: its opening, its release, its move to another university, or its rise to a higher risk.
  reminders: How many contacts were reminded of it since then.
  contacts_told: How many of the university's contacts, in their order, were told that it waits; they are told when somebody claims it.
  first_claimed_at: When a counselor claimed it first.
  first_response_at: When a counselor first wrote a note on it or, without one, closed it.
  note_due_since: Since when whoever claimed it owes a note or a closing: the claim, or a rise to a higher risk; null once there is one.
  claim_reminded_at: When whoever claimed it was reminded of that.
  outcome: How it ended; null where whoever closed it did not say.
$$);
create unique index clinical_reviews_unclosed_student_idx on public.clinical_reviews (user_id) where status <> 'closed';
create index clinical_reviews_open_since_idx on public.clinical_reviews (open_since) where status = 'open';
create index clinical_reviews_note_due_since_idx on public.clinical_reviews (note_due_since) where note_due_since is not null;
create index clinical_reviews_closed_at_idx on public.clinical_reviews (university_id, closed_at) where status = 'closed';
create index clinical_reviews_user_id_idx on public.clinical_reviews (user_id);
create index clinical_reviews_university_id_status_idx on public.clinical_reviews (university_id, status, opened_at);
create index clinical_reviews_claimed_by_idx on public.clinical_reviews (claimed_by);
create index clinical_reviews_closed_by_idx on public.clinical_reviews (closed_by);

select private.declare_term('clinical_reviews', '3 years', 'Reviews: from their closing.', shortest => '30 days');
select private.declare_data('public.clinical_reviews', '{claimed_by}', 'To know which counselor helps.', 'staff', 'activity',
  't.claimed_by = $1', erasure => 'anonymize', term => 'clinical_reviews');
select private.declare_data('public.clinical_reviews', '{closed_by}', 'To know which counselor helped.', 'staff', 'activity',
  't.closed_by = $1', erasure => 'anonymize', term => 'clinical_reviews');
select private.declare_data('public.clinical_reviews',
   '{id, user_id, university_id, source, source_id, risk_level, status, opened_at, claimed_at, closed_at, last_risk_at,
    last_notified_at, open_since, reminders, contacts_told, first_claimed_at, first_response_at, note_due_since, claim_reminded_at, outcome}',
   'High risk, for a counselor to act on.', 'student', 'health', 't.user_id = $1',
  term => 'clinical_reviews');
select private.declare_purge('clinical_reviews', 'public.clinical_reviews', 'd.status = ''closed'' and d.closed_at < $1');
select private.declare_audited('public.clinical_reviews', 'id', actions => '{review_opened, review_changed, review_changed}',
  shown => '{university_id, source, risk_level, status, outcome, opened_at, claimed_at, closed_at, open_since}',
  watched => '{status, claimed_by, outcome, risk_level, university_id}',
  kept => 'A review is never deleted: close it instead.');

create table private.clinical_review_sources (
  review_id uuid not null,
  source public.review_source not null,
  source_id uuid not null,
  seen_at timestamptz not null default now(),
  risk_level checkin.risk_level not null default 'high',
  arrived_at timestamptz not null default now(),
  constraint clinical_review_sources_pkey primary key (review_id, source, source_id),
  constraint clinical_review_sources_review_id_fkey foreign key (review_id) references public.clinical_reviews (id) on delete cascade
);
select private.describe('private.clinical_review_sources', 'Where the risk of a review was found, the first source included; the latest 100 of each review.', $$
  review_id: The review.
  source: What kind of source it is.
  source_id: The check-in, the session, the transcript result or the alert.
  seen_at: When risk was found there, to the hour if repeatedly.
  risk_level: Highest risk level found there.
  arrived_at: When what showed that level arrived: the submission of a check-in, the call that brought the words.
$$);

select private.declare_data('private.clinical_review_sources', '{review_id, source, source_id, seen_at, risk_level, arrived_at}',
  'Where the risk of a review was found.', 'student', 'health',
  't.review_id in (select r.id from public.clinical_reviews r where r.user_id = $1)', term => 'clinical_reviews');
select private.declare_audited('private.clinical_review_sources', 'review_id', 'by_hand');

create table private.clinical_review_notes (
  id bigint generated always as identity,
  review_id uuid not null,
  author uuid,
  note text not null,
  created_at timestamptz not null default now(),
  constraint clinical_review_notes_pkey primary key (id),
  constraint clinical_review_notes_review_id_fkey foreign key (review_id) references public.clinical_reviews (id) on delete cascade,
  constraint clinical_review_notes_author_fkey foreign key (author) references auth.users (id) on delete set null,
  constraint clinical_review_notes_note_length check (char_length(note) between 1 and 4000)
);
select private.describe('private.clinical_review_notes', 'What counselors write about a review, for each other; never changed, and deleted with the review.', $$
  id: The note.
  review_id: The review.
  author: The counselor who wrote it; null once their account is gone.
  note: What they wrote, up to 4,000 characters.
  created_at: When.
$$);
create index clinical_review_notes_review_id_idx on private.clinical_review_notes (review_id, id);
create index clinical_review_notes_author_idx on private.clinical_review_notes (author);

select private.declare_data('private.clinical_review_notes', '{id, review_id, note, created_at}',
  'What counselors write about a student in crisis, so that the next one knows.', 'student', 'health',
  't.review_id in (select r.id from public.clinical_reviews r where r.user_id = $1)', term => 'clinical_reviews');
select private.declare_data('private.clinical_review_notes', '{author}', 'To know which counselor wrote it.', 'staff', 'activity',
  't.author = $1', erasure => 'anonymize', term => 'clinical_reviews');
select private.declare_audited('private.clinical_review_notes', 'id', 'by_hand');

create table private.crisis_contacts (
  university_id text not null,
  email text not null,
  rank smallint not null default 1,
  phone text,
  name text,
  tested_at timestamptz,
  test_email_id uuid,
  test_text_id uuid,
  constraint crisis_contacts_pkey primary key (university_id, rank),
  constraint crisis_contacts_university_id_fkey foreign key (university_id) references public.universities (id) on delete cascade,
  constraint crisis_contacts_rank_range check (rank between 1 and 9),
  constraint crisis_contacts_email_form check (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'),
  constraint crisis_contacts_phone_form check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  constraint crisis_contacts_name_length check (char_length(name) between 1 and 100)
);
select private.describe('private.crisis_contacts', 'Whom to notify of clinical reviews at each university; without a row, its support_email is notified.', $$
  university_id: The university.
  email: Email address that is monitored around the clock.
  rank: Its place in the order in which they are told of a review that nobody claims, 1 to 9, 1 first.
  phone: Mobile number that is texted at high risk too, E.164, such as +12025550177; null for none.
  name: Who or what that is, 1 to 100 characters; null where nobody said.
  tested_at: When a test message was last sent there; null before the first, and after a change of address or number.
  test_email_id: The email of that test, private.outbox.id.
  test_text_id: The text of that test; null without a number.
$$);

select private.declare_data('private.crisis_contacts',
  '{university_id, email, rank, phone, name, tested_at, test_email_id, test_text_id}', 'To notify a university of high risk.',
  'staff', 'contact_details', erasure => 'keep',
  reason => 'Whom a university names on call, an office or a person who agreed to it, until its administrators name another; kept as long as the university.');
select private.declare_audited('private.crisis_contacts', 'university_id');
