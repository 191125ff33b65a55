-- How soon reviews reach somebody: for the operator as a metric, for a university as medians of ten students or more.
select plan(11);

insert into people values ('uma', tests.new_student('uma@hillside.example.edu')), ('lou', tests.new_student('lou@lakeview.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('uma'), 'university_admin', 'hillside'), (tests.id_of('lou'), 'university_admin', 'lakeview');
insert into people select 'student ' || n, tests.new_student('student' || n || '@hillside.example.edu') from generate_series(1, 10) as n;
select private.roll_up_days();

-- Yesterday, of nine students: claimed after n, answered after 2n minutes.
insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at, first_claimed_at, first_response_at)
select
  tests.id_of('student ' || n), 'hillside', 'session', gen_random_uuid(), now() - interval '1 day',
  now() - interval '1 day' + n * interval '1 minute', now() - interval '1 day' + 2 * n * interval '1 minute'
from generate_series(1, 9) as n;
select tests.act_as(tests.id_of('uma'));
select is(public.analytics_reviews('hillside'), null, 'of fewer than ten students nothing is said');
select tests.act_as_owner();
select tests.act_for(tests.id_of('uma'));
update public.clinical_reviews set status = 'claimed', claimed_by = tests.id_of('uma') where user_id = tests.id_of('student 1');
update public.clinical_reviews set status = 'closed' where user_id = tests.id_of('student 1');
select tests.act_for(null);
insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at)
values (tests.id_of('student 1'), 'hillside', 'session', gen_random_uuid(), now() - interval '1 day');
select tests.act_as(tests.id_of('uma'));
select is(public.analytics_reviews('hillside'), null, 'also where these have ten reviews');
select tests.act_as_owner();
insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at)
values (tests.id_of('student 10'), 'hillside', 'session', gen_random_uuid(), now() - interval '1 day');
select tests.act_as(tests.id_of('uma'));
select results_eq(
  $$ select f ->> 'minutes_to_claim', f ->> 'minutes_to_response', (f ->> 'to')::date from public.analytics_reviews('hillside', '7d') f $$,
  $$ values ('6', '12', (now() at time zone 'UTC')::date - 1) $$,
  'of ten the medians, in which a review that nobody has claimed is the slowest'
);
select is(public.analytics_reviews('hillside', '8d'), null, 'of the ranges that there are');
select tests.act_as(tests.id_of('lou'));
select is(public.analytics_reviews('hillside'), null, 'for no administrator elsewhere');
select tests.act_as_owner();
update public.clinical_reviews set first_response_at = null where user_id <> tests.id_of('student 2');
select tests.act_as(tests.id_of('uma'));
select is(public.analytics_reviews('hillside') -> 'minutes_to_response', 'null', 'there is no median where half have none');
select tests.act_as_owner();

create function tests.series(wanted text, label text)
returns numeric
language sql
as $$ select sum(value)::numeric from private.metrics where name = 'wellbeing_review_' || wanted and labels @> label::jsonb $$;
set local session_replication_role = replica;
delete from public.clinical_reviews;
set local session_replication_role = origin;
delete from private.metric_counts;
insert into public.clinical_reviews (user_id, university_id, source, source_id, opened_at)
values (tests.id_of('ada'), 'hillside', 'session', gen_random_uuid(), now() - interval '1 hour');
select is(tests.series('oldest_unanswered_age_seconds', '{"risk_level": "high"}'), 3600::numeric, 'a review waits for an answer from its opening');
select tests.act_for(tests.id_of('uma'));
update public.clinical_reviews set status = 'claimed', claimed_by = tests.id_of('uma');
select tests.act_for(null);
select is(tests.series('oldest_unanswered_age_seconds', '{"risk_level": "high"}'), 3600::numeric, 'also while it is claimed');
select tests.act_for(tests.id_of('uma'));
update public.clinical_reviews set status = 'closed';
select tests.act_for(null);
select is(tests.series('oldest_unanswered_age_seconds', '{"risk_level": "high"}'), 0::numeric, 'to its closing');
select results_eq(
  $$
    select k.kind, tests.series('time_to_human_seconds_count', k.labels), tests.series('time_to_human_seconds_sum', k.labels)
    from (values ('claim', '{"kind": "claim", "risk_level": "high"}'), ('response', '{"kind": "response", "risk_level": "high"}')) as k (kind, labels)
  $$,
  $$ values ('claim', 1::numeric, 3600::numeric), ('response', 1::numeric, 3600::numeric) $$,
  'the first claim and the first answer are counted with the time that they took'
);
select tests.act_for(tests.id_of('uma'));
update public.clinical_reviews set status = 'open';
update public.clinical_reviews set status = 'claimed', claimed_by = tests.id_of('uma');
select tests.act_for(null);
select is(tests.series('time_to_human_seconds_count', '{"kind": "claim"}'), 1::numeric, 'once');

select * from finish();
