-- One open check-in of each type, however often it is started, and as many submissions as a day allows.
select plan(25);

insert into public.user_roles (user_id, role) select id, 'student' from people where name in ('ada', 'ben') on conflict do nothing;
insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media'), ('check-in-images', 'check-in-images')
on conflict (id) do nothing;

create temporary table started (name text primary key, id uuid not null, expires_at timestamptz not null);
create function tests.start(person text, type public.assessment_type default 'daily')
returns checkin.check_ins
language sql
as $$ select s from private.start_check_in(tests.id_of(person), type, null) s $$;
create function tests.the(wanted text) returns uuid language sql as $$ select id from started where name = wanted $$;
create function tests.submit(check_in uuid, person text)
returns text
language sql
as $$
  select private.submit_check_in(
    check_in, tests.id_of(person), '{"transcript": "I slept well.", "crisis_level": "none"}', '[]', '[{"kind": "text", "ordinal": 0}]'
  )
$$;

insert into started select 'first', (s).id, (s).expires_at from tests.start('ada') s;
select is((tests.start('ada')).id, tests.the('first'), 'a check-in that is started twice is the same');
select isnt((tests.start('ben')).id, tests.the('first'), 'of each student');
select isnt((tests.start('ada', 'weekly')).id, tests.the('first'), 'and of each type');
select throws_ok(
  $$ insert into checkin.check_ins (user_id, type) values (tests.id_of('ada'), 'daily') $$, '23505', null,
  'whoever stores it, there is no second one'
);
select is_empty($$ select private.start_check_in(gen_random_uuid(), 'daily', null) $$, 'who is no student starts none');

-- Another day is left from the last start, also of what came to its end before the cron job did.
update checkin.check_ins set created_at = now() - interval '23 hours', expires_at = now() + interval '1 hour' where id = tests.the('first');
select is((tests.start('ada')).expires_at, now() + interval '24 hours', 'who goes on has another 24 hours');
update checkin.check_ins set expires_at = now() - interval '1 second' where id = tests.the('first');
select isnt((tests.start('ada')).id, tests.the('first'), 'one that is over is not gone on with');
select is((select status::text from checkin.check_ins where id = tests.the('first')), 'expired', 'and has expired');

-- What has arrived.
insert into started select 'open', (s).id, (s).expires_at from tests.start('ada') s;
select is(
  private.check_in_view(tests.the('open')) -> 'uploads', '{"audio": null, "images": []}', 'of an open one it is said that nothing has arrived'
);
insert into storage.objects (bucket_id, name, metadata)
select bucket, tests.id_of('ada') || '/' || tests.the('open') || '/' || name, jsonb_build_object('size', size, 'mimetype', type)
from (
  values
    ('check-in-images', 'image-03', 30, 'image/png'),
    ('check-in-images', 'image-01', 20, 'image/jpeg'),
    ('check-in-media', 'audio', 10, 'audio/mp4')
) as f (bucket, name, size, type);
insert into storage.objects (bucket_id, name, metadata)
values ('check-in-images', tests.id_of('ada') || '/' || gen_random_uuid() || '/image-02', '{"size": 1, "mimetype": "image/png"}');
select results_eq(
  $$
    select f ->> 'name', (f ->> 'bytes')::integer, f ->> 'content_type', f ? 'uploaded_at'
    from (select private.check_in_view(tests.the('open')) -> 'uploads' as u) seen,
      lateral (select u -> 'audio' as f union all select jsonb_array_elements(u -> 'images')) file
  $$,
  $$ values ('audio', 10, 'audio/mp4', true), ('image-01', 20, 'image/jpeg', true), ('image-03', 30, 'image/png', true) $$,
  'and then what has, in which place'
);
update private.student_limits set check_in_bytes = 50;
select is((tests.start('ada')).id, tests.the('open'), 'without room for another one the open one goes on');
select throws_ok(
  $$ select tests.start('ada', 'on_demand') $$, 'PT403', 'The media of your check-ins take up all your space. Ask the operator.',
  'and none is begun'
);
update private.student_limits set check_in_bytes = 10737418240;

-- The current one.
update checkin.check_ins set expires_at = expires_at - interval '1 minute' where id <> tests.the('open') and status = 'created';
select is(
  private.current_check_in(tests.id_of('ada'), null) ->> 'id', tests.the('open')::text, 'the current one is the one that was started last'
);
select isnt(private.current_check_in(tests.id_of('ada'), 'weekly'), null, 'of any type');
select is(private.current_check_in(tests.id_of('ada'), 'baseline'), null, 'or none');
select tests.give_consent(id, '{text}', '1') from people where name in ('ada', 'ben');
select is(tests.submit(tests.the('open'), 'ada'), 'accepted', 'it is submitted');
select is(
  private.current_check_in(tests.id_of('ada'), null) ->> 'status', 'processing', 'and is the current one while it is processed'
);
select is(private.check_in_view(tests.the('open')) -> 'uploads', null, 'what has arrived is said no more');
select isnt((tests.start('ada')).id, tests.the('open'), 'another one of its type can be started meanwhile');
update checkin.check_ins set status = 'failed', error_code = 'analysis_failed', completed_at = now() where id = tests.the('open');

-- Ten a day, of which nine are left.
create function tests.check_in_again()
returns text
language sql
as $$ select tests.submit((tests.start('ada', 'on_demand')).id, 'ada') $$;
select is(
  (select count(*) filter (where outcome = 'accepted') from (select tests.check_in_again() as outcome from generate_series(1, 9)) a), 9::bigint,
  'ten check-ins of a day are accepted'
);
select throws_matching(
  'select tests.check_in_again()', 'submitted as many check-ins as a day allows. Try again in \d+ s', 'an eleventh is not'
);
select is((tests.start('ada', 'on_demand')).status::text, 'created', 'but can be started, so that nothing that was recorded is lost');
select is(tests.submit(tests.the('open'), 'ada'), 'accepted', 'and one that failed can be submitted again');
select is(tests.submit((tests.start('ben')).id, 'ben'), 'accepted', 'each student has ten');
select is(
  (select count(*) from private.rate_limit_uses where scope = 'check-in-start'), 0::bigint, 'starts count for none of them'
);

select * from finish();
