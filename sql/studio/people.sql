create function private.staff_name(account uuid) returns text
language sql stable set search_path = '' as $$
  select coalesce(nullif(btrim(concat_ws(' ', p.first_name, p.last_name)), ''), u.email, u.id::text)
  from auth.users u
  left join public.profiles p on p.user_id = u.id
  where u.id = account
$$;
comment on function private.staff_name is 'What to call a member of staff: the name, else the email address, else the id; null for an account that is gone. Called by the views of the schema staff.';

create view staff.open_reviews
with (security_invoker = true)
as
select
  r.id,
  r.university_id,
  r.risk_level,
  r.status,
  r.source,
  date_trunc('second', now() - r.opened_at) as age,
  r.opened_at,
  r.open_since,
  r.reminders,
  r.claimed_at,
  private.staff_name(r.claimed_by) as claimed_by,
  r.last_risk_at
from public.clinical_reviews r
where r.status <> 'closed'
order by r.risk_level desc, r.opened_at, r.id;
select private.describe('staff.open_reviews', 'Reviews that are not closed, the highest risk and the oldest first, without the student and without what was found.', $$
  id: The review.
  university_id: University whose counselors see it; empty where nobody but the operator sees it.
  risk_level: Highest risk level found.
  status: open: nobody has claimed it; claimed: somebody has.
  source: Where the risk was found first.
  age: How long ago it was opened.
  opened_at: When it was opened.
  open_since: Since when it has waited to be claimed, for one that is open: its opening, its release, its move or its rise to a higher risk.
  reminders: How many contacts were reminded of it since then.
  claimed_at: When it was claimed.
  claimed_by: Name of the counselor who claimed it.
  last_risk_at: When risk showed last.
$$);

create view staff.universities
with (security_invoker = true)
as
select
  u.id,
  u.name,
  coalesce(p.people, 0) as people,
  coalesce(m.students, 0) as students,
  coalesce(m.counselors, 0) as counselors,
  coalesce(m.administrators, 0) as administrators,
  coalesce(r.open_reviews, 0) as open_reviews,
  r.oldest_review_at,
  coalesce(c.crisis_contacts, 0) as crisis_contacts,
  array_remove(
    array[
      case when coalesce(c.crisis_contacts, 0) = 0 then 'crisis contact (private.crisis_contacts)' end,
      case when coalesce(m.counselors, 0) = 0 then 'counselor' end,
      case when coalesce(m.administrators, 0) = 0 then 'administrator' end,
      case when u.support_email is null then 'support_email' end,
      case when u.crisis_phone is null then 'crisis_phone' end,
      case when u.country is null then 'country' end,
      case when u.time_zone = 'UTC' then 'time_zone' end
    ],
    null
  ) as missing
from public.universities u
left join (select university_id, count(*) as people from public.profiles group by university_id) p on p.university_id = u.id
left join (
  select
    university_id,
    count(*) filter (where role = 'student') as students,
    count(*) filter (where role = 'counselor') as counselors,
    count(*) filter (where role = 'university_admin') as administrators
  from public.user_roles
  group by university_id
) m on m.university_id = u.id
left join (
  select university_id, count(*) as open_reviews, min(opened_at) as oldest_review_at
  from public.clinical_reviews
  where status <> 'closed'
  group by university_id
) r on r.university_id = u.id
left join (select university_id, count(*) as crisis_contacts from private.crisis_contacts group by university_id) c
  on c.university_id = u.id
order by u.name, u.id;
select private.describe('staff.universities', 'The universities: how many people they have, what waits there, and what is not set up.', $$
  id: The university.
  name: Full name.
  people: Accounts whose profile names it.
  students: Accounts with the role student there.
  counselors: Accounts with the role counselor there.
  administrators: Accounts with the role university_admin there.
  open_reviews: Clinical reviews there that are not closed.
  oldest_review_at: When the oldest of them was opened.
  crisis_contacts: How many contacts are told of its reviews.
  missing: What it lacks: without a crisis contact, support_email is told of reviews, and without that nobody; without a country the emergency number is 112; without a time zone its days are those of UTC; without an administrator only security administrators invite staff.
$$);

create view staff.training
with (security_invoker = true)
as
select
  m.id,
  m.title,
  m.published,
  m.mandatory,
  count(d.user_id) as assigned,
  count(*) filter (where d.due_at > now() and d.certificate_expires_at > now()) as completed,
  count(*) filter (where d.due_at <= now()) as overdue
from public.training_modules m
left join private.training_due d on d.module_id = m.id
group by m.id
order by overdue desc, m.title;
select private.describe('staff.training', 'The modules, and how far the people are to whom each is assigned.', $$
  id: The module.
  title: Title.
  published: Whether staff see and take it.
  mandatory: Whether all staff have to take it.
  assigned: People who have to take it.
  completed: Those of them whose certificate counts now.
  overdue: Those of them whose date is over.
$$);

create view staff.training_due
with (security_invoker = true)
as
select
  private.staff_name(d.user_id) as name,
  m.title,
  d.due_at,
  d.due_at <= now() as overdue,
  d.started_at,
  d.certificate_expires_at,
  d.user_id,
  d.module_id
from private.training_due d
join public.training_modules m on m.id = d.module_id
where d.due_at <= now() + interval '30 days' or (d.certificate_expires_at > now()) is not true
order by d.due_at, m.title, d.user_id;
select private.describe('staff.training_due', 'Who still has to take which module, or take it again within 30 days, the longest overdue first.', $$
  name: Name of the member of staff.
  title: Title of the module.
  due_at: Until when.
  overdue: Whether that is over.
  started_at: When the current version was begun; empty before.
  certificate_expires_at: Until when the last certificate counts; empty without one.
  user_id: The account.
  module_id: The module.
$$);
