-- A review that nobody claims is told to the university's contacts, one after the other, at the minute that the rules say.
select plan(35);

insert into people
values ('bea', tests.new_student('bea@hillside.example.edu')), ('cora', tests.new_student('cora@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('cora'), 'counselor', 'hillside');
insert into private.crisis_contacts (university_id, email, rank)
values
  ('hillside', 'dean@hillside.example.edu', 3),
  ('hillside', 'on-call@hillside.example.edu', 1),
  ('lakeview', 'on-call@lakeview.example.edu', 1);
update public.universities set support_email = 'office@hillside.example.edu' where id = 'hillside';
update public.universities set support_email = 'On-Call@lakeview.example.edu' where id = 'lakeview';
update public.profiles set first_name = 'Ottoline' where user_id = tests.id_of('ada');

-- Who was reminded since the last time that this was asked, in order.
create temporary table told (id uuid primary key);
create function tests.reminded(passed interval)
returns text[]
language plpgsql
as $$
declare
  recipients text[];
begin
  perform private.remind_of_reviews(now() + passed);
  select array_agg(split_part(o.recipient, '@', 1) order by o.recipient) into recipients
  from private.outbox o
  where o.purpose = 'clinical_review_reminder' and o.id not in (select id from told);
  insert into told select o.id from private.outbox o where o.purpose = 'clinical_review_reminder' on conflict do nothing;
  return recipients;
end
$$;
create function tests.high_risk(person text)
returns void
language sql
as $$ select private.open_clinical_review(tests.id_of(person), 'session', gen_random_uuid()) $$;
create function tests.set_status(person text, status public.review_status)
returns void
language sql
as $$
  select tests.act_for(tests.id_of('cora'));
  update public.clinical_reviews r
  set status = set_status.status, claimed_by = case set_status.status when 'claimed' then tests.id_of('cora') else r.claimed_by end
  where r.user_id = tests.id_of(person) and r.status <> 'closed';
  select tests.act_for(null)
$$;

select results_eq(
  $$ select place, email from private.review_contacts('hillside') order by place $$,
  $$ values (1, 'on-call@hillside.example.edu'), (2, 'dean@hillside.example.edu'), (3, 'office@hillside.example.edu') $$,
  'the contacts of a university are its crisis contacts by rank, then its support address'
);
select results_eq(
  $$ select place, email from private.review_contacts('lakeview') $$,
  $$ values (1, 'on-call@lakeview.example.edu') $$,
  'each once'
);

select tests.high_risk('ada');
select is((select recipient from private.outbox where purpose = 'clinical_review'), 'on-call@hillside.example.edu', 'the first is told at once');
select is(tests.reminded('0'), null, 'and is not reminded at once');
select is(tests.reminded('29 minutes 59.999 seconds'), null, 'nor a moment before half an hour has passed');
select is(tests.reminded('30 minutes'), '{on-call}', 'but then');
select is(tests.reminded('30 minutes'), null, 'once');
select is(tests.reminded('59 minutes 59.999 seconds'), null, 'the next one is told not before another half hour');
select is(tests.reminded('1 hour'), '{dean}', 'but then');
select is(
  (
    select body like '%' || r.id || '%' and body like '%Others were told before%' and o.user_id = r.user_id
    from private.outbox o, public.clinical_reviews r
    where o.purpose = 'clinical_review_reminder' and o.recipient like 'dean@%'
  ),
  true,
  'with the review, and that others were told before'
);
select is(
  (select body like '%told before%' from private.outbox where purpose = 'clinical_review_reminder' and recipient like 'on-call@%'),
  false,
  'which the first is not told'
);
select is_empty(
  $$ select id from private.outbox where purpose = 'clinical_review_reminder' and body || subject ilike '%ottoline%' $$,
  'the student is not named'
);
select is(tests.reminded('1 hour 30 minutes'), '{office}', 'the support address is the last');
select is(tests.reminded('30 days'), null, 'after whom nobody is told any more');
select is(
  (select count(*) from private.outbox where purpose = 'clinical_review_reminder'), 3::bigint, 'so that there is one mail for each contact'
);

select tests.high_risk('bea');
select tests.set_status('bea', 'claimed');
select is(tests.reminded('1 day'), null, 'nobody is reminded of a review that somebody claimed');
select tests.set_status('bea', 'open');
select is(tests.reminded('30 minutes'), '{on-call}', 'when it is released it waits anew');
select tests.set_status('bea', 'claimed');
select tests.set_status('bea', 'open');
select is(tests.reminded('30 minutes'), '{on-call}', 'from the first contact on');
select tests.set_status('bea', 'claimed');
select tests.set_status('bea', 'closed');
select is(tests.reminded('1 day'), null, 'nobody is reminded of a closed one');

select tests.high_risk('ben');
select is(tests.reminded('1 day'), '{on-call}', 'after an outage the next contact is told with the next run');
select is(tests.reminded('1 day'), null, 'and only those whom the university names');
update public.profiles set university_id = 'hillside' where user_id = tests.id_of('ben');
update public.clinical_reviews set university_id = 'hillside' where user_id = tests.id_of('ben');
select is(
  (select reminders from public.clinical_reviews where user_id = tests.id_of('ben')), 0::smallint,
  'a review that comes to another university waits anew there'
);
select is(tests.reminded('1 hour'), '{on-call}', 'and its contacts are told');
select is(tests.reminded('1 hour'), '{dean}', 'one with each run');

-- Outside of the rules' level.
set local session_replication_role = replica;
delete from public.clinical_reviews;
set local session_replication_role = origin;
select private.open_clinical_review(tests.id_of('ada'), 'support_alert', gen_random_uuid(), 'moderate');
select is(tests.reminded('7 hours 59 minutes'), null, 'a review of moderate risk waits longer');
select is(tests.reminded('8 hours'), '{on-call}', 'eight hours');
update private.review_reminder_rules set escalate_after = '5 minutes' where risk_level = 'moderate';
select is(tests.reminded('8 hours 5 minutes'), '{dean}', 'or as long as the operator says');

-- A review of moderate risk that rises has waited for hours by then.
set local session_replication_role = replica;
delete from public.clinical_reviews;
set local session_replication_role = origin;
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid(), 'moderate');
update public.clinical_reviews set open_since = now() - interval '20 hours', reminders = 2 where user_id = tests.id_of('ada');
select tests.high_risk('ada');
select is(tests.reminded('0'), null, 'a review that rises to high risk is not an old one of high risk');
select is(tests.reminded('29 minutes 59 seconds'), null, 'but waits anew');
select is(tests.reminded('30 minutes'), '{on-call}', 'from the first contact on');
select private.open_clinical_review(tests.id_of('ada'), 'session', gen_random_uuid(), 'moderate');
select is(tests.reminded('59 minutes 59 seconds'), null, 'lower risk that joins it changes nothing');
select is(tests.reminded('1 hour'), '{dean}', 'of when the next contact is told');

set local session_replication_role = replica;
delete from public.clinical_reviews;
set local session_replication_role = origin;
update public.universities set support_email = null;
delete from private.crisis_contacts;
select tests.high_risk('ada');
select tests.high_risk('eve');
select is(tests.reminded('30 days'), null, 'where nobody is named nobody is reminded');
select is(
  (select count(*) from private.outbox where purpose = 'clinical_review_reminder' and status = 'dead'), 0::bigint,
  'and no dead letter is added to that of the opening'
);
select is(
  (select count(*) from private.outbox where purpose = 'clinical_review' and error_code = 'no_recipient'), 2::bigint,
  'of which each review has one'
);

select * from finish();
