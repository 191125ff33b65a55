-- How often one person may make which requests.
select plan(37);

insert into private.rate_limit_rules (scope, requests) values ('a-test', 3);

select results_eq(
  $$ select allowed, max_requests, remaining, period_s from private.consume_user_rate_limit(tests.id_of('ada'), 'a-test') $$,
  'values (true, 3, 2, 60)',
  'a first request passes, and says what is left'
);
select private.consume_user_rate_limit(tests.id_of('ada'), 'a-test'), private.consume_user_rate_limit(tests.id_of('ada'), 'a-test');
select results_eq(
  $$ select allowed, remaining, reset_s between 59 and 60 from private.consume_user_rate_limit(tests.id_of('ada'), 'a-test') $$,
  'values (false, 0, true)',
  'one over the limit does not'
);
select is(
  (select cardinality(used_at) from private.rate_limit_uses where subject = tests.id_of('ada') and scope = 'a-test'), 3,
  'and counts for nothing'
);
select ok((select allowed from private.consume_user_rate_limit(tests.id_of('ben'), 'a-test')), 'another person has a limit of their own');
select ok((select allowed from private.consume_user_rate_limit(tests.id_of('ada'), 'analyze-text')), 'as has each scope');

update private.rate_limit_uses
set used_at = array[used_at[1] - interval '61 seconds', used_at[2], used_at[3]]
where subject = tests.id_of('ada') and scope = 'a-test';
select results_eq(
  $$ select allowed, remaining from private.consume_user_rate_limit(tests.id_of('ada'), 'a-test') $$,
  'values (true, 0)',
  'a request that has left the window frees its place'
);
select ok((select not allowed from private.consume_user_rate_limit(tests.id_of('ada'), 'a-test')), 'one place, not all');
update private.rate_limit_rules set requests = 1 where scope = 'a-test';
select results_eq(
  $$ select allowed, remaining from private.consume_user_rate_limit(tests.id_of('ada'), 'a-test') $$,
  'values (false, 0)',
  'a limit that is lowered leaves nothing, not less'
);
select is_empty(
  $$ select private.consume_user_rate_limit(gen_random_uuid(), 'a-test') $$, 'an account that was deleted gets no row'
);
select results_eq(
  $$
    select allowed, remaining from private.consume_rate_limit('00000000-0000-4000-8000-00000000000a', 'a-test')
    union all
    select allowed, remaining from private.consume_rate_limit('00000000-0000-4000-8000-00000000000a', 'a-test')
  $$,
  'values (true, 0), (false, 0)',
  'when nobody is signed in, the caller''s digest is limited'
);
insert into private.rate_limit_rules (scope, requests, daily_requests) values ('a-daily-test', 2, 3);
-- Where it is between noon and one.
update public.profiles
set time_zone = (
  select format('Etc/GMT%s%s', case when hour < 12 then '-' else '+' end, abs(hour - 12))
  from extract(hour from now() at time zone 'UTC') as hour
)
where user_id = tests.id_of('ada');
update public.profiles set zone_day_began_at = null where user_id = tests.id_of('ada');
select private.consume_user_rate_limit(tests.id_of('ada'), 'a-daily-test'), private.consume_user_rate_limit(tests.id_of('ada'), 'a-daily-test');
select results_eq(
  $$ select allowed, max_requests, remaining, period_s from private.consume_user_rate_limit(tests.id_of('ada'), 'a-daily-test') $$,
  'values (false, 2, 0, 60)',
  'a rule with a daily limit has its shorter one as well'
);
update private.rate_limit_uses
set used_at = array[used_at[1] - interval '2 hours', used_at[2] - interval '1 hour']
where scope = 'a-daily-test';
select results_eq(
  $$ select allowed, max_requests, remaining, period_s from private.consume_user_rate_limit(tests.id_of('ada'), 'a-daily-test') $$,
  'values (true, 3, 0, 86400)',
  'what is used of a day counts after the minute'
);
select results_eq(
  $$ select allowed, max_requests, remaining, reset_s between 39500 and 43200 from private.consume_user_rate_limit(tests.id_of('ada'), 'a-daily-test') $$,
  'values (false, 3, 0, true)',
  'one over it does not pass until the day is over where the person is'
);
update private.rate_limit_uses
set used_at = array[used_at[1] - interval '11 hours', used_at[2], used_at[3]]
where scope = 'a-daily-test';
select ok((select allowed from private.consume_user_rate_limit(tests.id_of('ada'), 'a-daily-test')), 'what was before midnight is of another day');
select private.consume_rate_limit(id, 'a-daily-test') from (select '00000000-0000-4000-8000-00000000000b'::uuid as id) as nobody, generate_series(1, 2);
update private.rate_limit_uses
set used_at = array[now() - interval '23 hours', now() - interval '22 hours', now() - interval '21 hours']
where subject = '00000000-0000-4000-8000-00000000000b';
select ok(
  (select not allowed from private.consume_rate_limit('00000000-0000-4000-8000-00000000000b', 'a-daily-test')),
  'when nobody is signed in, any 24 hours are a day'
);

-- What is refused in REST or at a sign-in is rolled back.
create function tests.limited(of_scope text)
returns double precision
language sql
as $$ select value from private.metrics where name = 'wellbeing_rate_limited_total' and labels ->> 'scope' = of_scope $$;
create temporary table limited_before as
select tests.limited('data-api') as data_api, tests.limited('audit') as audit, tests.limited('policies') as policies;
update private.rate_limit_rules set requests = 1 where scope in ('data-api', 'audit');

select tests.act_as(tests.id_of('ada'));
select public.check_request();
select throws_ok('select public.check_request()', 'PT429', null, 'a request of REST over the limit is refused');
select tests.act_as_owner();
select is(tests.limited('data-api') - (select data_api from limited_before), 1::double precision, 'and counts');

select tests.act_as(tests.id_of('ada'));
select set_config('role', 'none', true);
select private.audit('students_listed');
select throws_ok($$ select private.audit('students_listed') $$, 'PT429', null, 'so does one that would log too much');
select tests.act_as_owner();
select is(tests.limited('audit') - (select audit from limited_before), 1::double precision, 'in its own scope');

update private.rate_limit_rules set requests = 100 where scope = 'data-api';
insert into public.security_policies (name, category, type, conditions, actions, priority)
values (
  'Few requests', 'monitoring', 'detective', '{"field": "service", "op": "eq", "value": "rest"}',
  '[{"action": "apply_rate_limits", "requests": 1, "period": 60}]', 10
);
select tests.act_as(tests.id_of('ada'));
select public.check_request();
select throws_ok('select public.check_request()', 'PT429', null, 'and one over the limit of a security policy');
select tests.act_as_owner();
select is(tests.limited('policies') - (select policies from limited_before), 1::double precision, 'with those of all policies');

-- Reads: no transaction of a story can be one that only reads.
update public.security_policies set enabled = false where name = 'Few requests';
delete from private.rate_limit_uses;
update private.rate_limit_rules set requests = 3 where scope = 'data-api';
create function tests.read(who text) returns text
language sql as $$ select coalesce(private.limit_direct_request(tests.id_of(who), writes => false) ->> 'code', 'served') $$;
create function tests.uses_of(of_scope text) returns integer
language sql as $$
  select coalesce((select cardinality(used_at) from private.rate_limit_uses where subject = tests.id_of('ada') and scope = of_scope), 0)
$$;
select is(array[tests.read('ada'), tests.read('ada')], '{served,served}', 'reads are served within the limit');
select is(tests.uses_of('data-api'), 0, 'and stored nowhere');
select tests.act_as(tests.id_of('ada'));
select public.check_request();
select tests.act_as_owner();
select is(tests.uses_of('data-api'), 3, 'until a request of the account can write');
select set_config('private.reads_00000000000040008000000000000001', array[clock_timestamp()]::text, false);
select private.limit_direct_request('00000000-0000-4000-8000-000000000001', writes => true);
select is_empty(
  $$ select from private.rate_limit_uses where subject = '00000000-0000-4000-8000-000000000001' $$, 'or never, when it was deleted meanwhile'
);
select is(tests.read('ada'), 'rate_limited', 'what was stored counts for reads');
select tests.act_as(tests.id_of('ada'));
select throws_ok('select public.check_request()', 'PT429', null, 'as reads do for what follows');
select tests.act_as_owner();
select is(
  array[tests.read('ben'), tests.read('ben'), tests.read('ben'), tests.read('ben')], '{served,served,served,rate_limited}',
  'and by themselves'
);
select set_config('private.reads_' || replace(tests.id_of('ben')::text, '-', ''), '{2026-01-01 00:00Z}', false);
select is(tests.read('ben'), 'served', 'a read that has left the window frees its place');
select set_config('request.method', 'GET', true);
select throws_ok(
  $$ select private.reject_request('{"code": "rate_limited", "reset_s": 17}') $$, 'PGRST',
  '{"code" : "PT429", "message" : "Too many requests. Try again in 17 s.", "details" : "17", "hint" : "rate_limited"}',
  'the error of a request is PostgREST''s own, which can carry a header'
);
select set_config('request.method', '', true);

-- Statements of several rows.
update private.rate_limit_rules set requests = 2 where scope = 'bulk';
select tests.act_as(tests.id_of('ada'));
insert into public.assessment_sessions (assessment_type) values ('daily');
update public.assessment_sessions set status = 'completed';
select tests.act_as_owner();
select is(tests.uses_of('bulk'), 0, 'a row at a time is no bulk');
select tests.act_as(tests.id_of('ada'));
insert into public.assessment_sessions (assessment_type) values ('daily'), ('daily');
update public.assessment_sessions set status = 'completed';
select throws_ok('delete from public.assessment_sessions', 'PT429', null, 'several are, added, changed or deleted');
select tests.act_as_owner();
select is(tests.uses_of('bulk'), 2, 'each statement once');
delete from public.assessment_sessions;
select is(tests.uses_of('bulk'), 2, 'the service''s own count nothing');
-- A person has one row in each of these.
select is_empty(
  $$
    select c.oid::regclass, o.operation
    from pg_class c
    cross join (values ('INSERT', 4), ('UPDATE', 16), ('DELETE', 8)) as o (operation, bit)
    where c.relnamespace in ('public'::regnamespace, 'checkin'::regnamespace) and c.relkind in ('r', 'p')
      and case o.operation when 'DELETE' then has_table_privilege('authenticated', c.oid, 'DELETE')
        else has_any_column_privilege('authenticated', c.oid, o.operation) end
      and c.relname not in ('profiles', 'students', 'support_preferences')
      and not exists (
        select from pg_trigger t
        where t.tgrelid = c.oid and t.tgfoid = 'private.count_bulk'::regproc and t.tgtype & o.bit > 0
      )
  $$,
  'every table of which people may write several rows is counted'
);

delete from auth.users where id = tests.id_of('ben');
update private.rate_limit_uses set used_at = array[now() - interval '2 days'];
select private.purge_kind('rate_limit_uses', now(), 1000);
select is_empty('select 1 from private.rate_limit_uses', 'rows without a request since yesterday are purged, of deleted accounts too');
select throws_ok(
  $$ select private.consume_user_rate_limit(tests.id_of('ada'), 'nothing') $$, 'P0002', null, 'a scope without a rule raises an error'
);

select * from finish();
