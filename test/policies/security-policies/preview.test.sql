-- What a policy would have done with what was kept of the past days.
select plan(25);

insert into people
values ('cora', tests.new_student('cora@hillside.example.edu')), ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values (tests.id_of('cora'), 'counselor', 'hillside'), (tests.id_of('sam'), 'security_admin', null);

create function tests.seen(kind text, person text, address inet, at timestamptz, times integer default 1, source text default 'functions') returns void
language sql as $$
  insert into private.security_events (kind, source, minute, occurred_at, last_at, address, account, occurrences)
  values (kind, source, date_trunc('minute', at), at, at, address, tests.id_of(person), times)
$$;
create temporary table noon as select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '12 hours' as at;
select tests.seen('sign_in_succeeded', 'ada', '203.0.113.7', n.at, source => 'database'),
  tests.seen('sign_in_succeeded', 'cora', '203.0.113.8', n.at, source => 'database'),
  tests.seen('sign_in_succeeded', 'sam', '203.0.113.9', n.at - interval '9 hours', source => 'database'),
  tests.seen('access_refused', 'ada', '203.0.113.7', n.at, 4),
  tests.seen('students_read', 'cora', '203.0.113.8', n.at + interval '1 minute', 2),
  tests.seen('sign_in_failed', 'ada', '198.51.100.1', n.at, 5),
  tests.seen('sign_in_failed', 'ada', '198.51.100.1', n.at + interval '2 minutes', 6),
  tests.seen('sign_in_failed', 'ada', '198.51.100.2', n.at, 50, 'auth'),
  tests.seen('token_refused', 'nobody', '198.51.100.1', n.at - interval '8 days'),
  tests.seen('chain_broken', 'nobody', null, n.at, source => 'database')
from noon n;
insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
select gen_random_uuid(), tests.id_of('sam'), 'totp', 'verified', now() - interval '6 days', now();

create function tests.would(conditions jsonb, actions jsonb default '[{"action": "block_access"}]', points text default '{request,sign_in}') returns jsonb
language sql as $$ select public.preview_policy(conditions, actions, points::public.enforcement_point[]) $$;
create function tests.in_short(preview jsonb) returns text
language sql as $$ select concat_ws(' ', preview ->> 'events', preview ->> 'held', preview ->> 'stopped') $$;

select tests.act_as(tests.id_of('cora'));
select throws_ok(
  $$ select tests.would('{"field": "hour", "op": "lt", "value": 24}') $$, '42501', 'Only security administrators do this.', 'a counselor tries no policy'
);
select throws_ok('select public.policy_grammar()', '42501', 'Only security administrators do this.', 'nor is asked to write one');
select tests.act_as(tests.id_of('sam'));
select throws_ok($$ select tests.would('{"field": "mood"}') $$, 'PT400', null, 'what is no condition is refused with its place');
select throws_ok($$ select tests.would('{"field": "hour", "op": "lt", "value": 24}', '[]') $$, 'PT400', null, 'as is what does nothing');
select throws_ok(
  $$ select public.preview_policy('{"field": "hour", "op": "lt", "value": 24}', '[{"action": "block_access"}]', period => '1 year') $$, 'PT400', null,
  'and a time that was not kept'
);

select is(
  tests.in_short(tests.would('{"field": "hour", "op": "lt", "value": 24}')), '20 20 20',
  'the sign-ins and requests of a week, without what Auth refused and what nobody asked for'
);
select is(
  tests.in_short(tests.would('{"field": "hour", "op": "lt", "value": 24}', points => '{sign_in}')), '3 3 3', 'of one point only its own'
);
select is(tests.in_short(tests.would('{"field": "hour", "op": "lt", "value": 5}')), '20 1 1', 'the hour is that of each event');
select is(
  tests.would('{"field": "role", "op": "eq", "value": "counselor"}') -> 'accounts' -> 0,
  (
    select jsonb_build_object(
      'user_id', tests.id_of('cora'), 'held', 3, 'stopped', 3, 'roles', '["student", "counselor"]'::jsonb, 'universities', '["hillside"]'::jsonb,
      'last_at', w.last_at
    )
    from (select tests.would('{"field": "role", "op": "eq", "value": "counselor"}') -> 'accounts' -> 0 -> 'last_at' as last_at) w
  ),
  'it tells whom: the account and its roles, and no address of theirs'
);
select is(
  tests.in_short(tests.would('{"field": "address", "op": "in", "value": ["203.0.113.8/31"]}')), '20 4 4', 'and from where'
);
select is(
  tests.would('{"field": "address", "op": "in", "value": ["198.51.100.0/24"]}') -> 'addresses' -> 0 ->> 'address', '198.51.100.1',
  'by its address'
);
select is(
  tests.in_short(tests.would('{"field": "signed_in", "op": "eq", "value": false}')), '20 11 11', 'whoever failed to sign in is nobody'
);
select is(
  tests.in_short(tests.would('{"field": "role", "op": "in", "value": ["counselor", "security_admin"]}', '[{"action": "require_mfa"}]')), '20 4 3',
  'a second factor stops who has none'
);
select is(
  tests.would('{"field": "role", "op": "in", "value": ["counselor", "security_admin"]}', '[{"action": "require_mfa"}]') ->> 'accounts_stopped', '1',
  'one of two people here'
);
select is(
  tests.in_short(tests.would('{"count": 10, "of": "sign_in_failed", "by": "address", "within": 300}')), '20 6 6',
  'what is counted is counted as of each event'
);
select is(
  tests.in_short(tests.would('{"count": 10, "of": "sign_in_failed", "by": "address", "within": 60}')), '20 0 0', 'within its time'
);
select is(
  tests.in_short(tests.would('{"count": 3, "of": "access_refused", "by": "account", "within": 60}')), '20 5 5', 'or by the account'
);
select is(
  tests.in_short(tests.would('{"field": "signed_in", "op": "eq", "value": false}', '[{"action": "apply_rate_limits", "requests": 10, "period": 300}]')),
  '20 11 6', 'a limit stops what is beyond it'
);
select is(
  tests.in_short(tests.would('{"field": "signed_in", "op": "eq", "value": false}', '[{"action": "log_events"}]')), '20 11 0', 'and a note stops nobody'
);
select is(
  tests.would('{"all": [{"field": "path", "op": "starts_with", "value": "/api"}, {"not": {"field": "method", "op": "eq", "value": "GET"}}]}')
    -> 'not_known',
  '["method", "path"]', 'what was not kept is named'
);
select is(tests.would('{"field": "hour", "op": "lt", "value": 24}') -> 'is_complete', 'true', 'all of the week was looked at');
select is(
  (select string_agg(concat(d ->> 'events', '/', d ->> 'stopped'), ' ') from jsonb_array_elements(tests.would('{"field": "hour", "op": "lt", "value": 5}') -> 'days') d),
  '20/1', 'day by day'
);
select is_empty($$ select from public.security_policies where trigger_count > 0 $$, 'nothing is counted');
select set_eq(
  $$ select f ->> 'field' from jsonb_array_elements(public.policy_grammar() -> 'fields') f where f -> 'operators' ? 'starts_with' $$,
  $$ values ('function'), ('path'), ('user_agent'), ('sign_in_method') $$,
  'a form is told what can be compared, and how'
);
select tests.act_as_owner();
select is_empty(
  $$ select from private.policy_fields() f cross join lateral unnest(private.policy_operators(f.kind, f.choices is not null)) o
    where private.compile_comparison(
      jsonb_build_object('field', f.field, 'op', o, 'value', case
        when f.kind = 'flag' or o = 'exists' then 'true'::jsonb
        when o in ('in', 'not_in') then jsonb_build_array(case f.kind when 'number' then '1'::jsonb when 'address' then '"192.0.2.0/24"' else to_jsonb(coalesce(f.choices[1], 'x')) end)
        else case f.kind when 'number' then '1'::jsonb else to_jsonb(coalesce(f.choices[1], 'x')) end
      end), 'here') is null $$,
  'and all of it compiles'
);

select * from finish();
