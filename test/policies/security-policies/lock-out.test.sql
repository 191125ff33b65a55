-- Which policies nobody may enable, in the grid of Studio, over REST or by any other statement, because no security administrator could undo it.
select plan(44);

insert into people values ('sam', tests.new_student('sam@hillside.example.edu')), ('sue', tests.new_student('sue@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('sam'), 'security_admin', null), (tests.id_of('sue'), 'security_admin', null),
  (tests.id_of('sam'), 'counselor', 'hillside');
update auth.users set created_at = now() where id in (tests.id_of('sam'), tests.id_of('sue'));
delete from public.user_roles where user_id in (tests.id_of('sam'), tests.id_of('sue')) and role = 'student';
insert into private.known_networks (network, kind) values ('198.51.100.0/24', 'campus');

-- As the grid of Studio stores a row.
create function tests.typed(
  conditions text, actions text default '[{"action": "block_access"}]', points text default '{request,sign_in}', dry_run boolean default false
)
returns text
language sql
as $$
  select format(
    'insert into public.security_policies (name, category, type, conditions, actions, priority, enforcement_points, dry_run)
     values (''Typed'', ''access_control'', ''preventive'', %L, %L, 1, %L, %L)',
    conditions, actions, points, dry_run
  )
$$;
create function tests.locks_out(conditions text, actions text, why text)
returns text
language sql
as $$ select throws_ok(tests.typed(conditions, actions), 'PT409',
  'This policy would stop every security administrator, and nobody could disable it again. Leave theirs out of its conditions.', why) $$;

select tests.locks_out(conditions, '[{"action": "block_access"}]', conditions)
from unnest(array[
  '{"field": "signed_in", "op": "eq", "value": true}',
  '{"not": {"field": "signed_in", "op": "eq", "value": false}}',
  '{"field": "role", "op": "in", "value": ["security_admin"]}',
  '{"field": "address", "op": "in", "value": ["0.0.0.0/0", "::/0"]}',
  '{"any": [{"field": "address", "op": "in", "value": ["0.0.0.0/1", "8000::/1"]}, {"field": "address", "op": "in", "value": ["128.0.0.0/1", "::/1"]}]}',
  '{"field": "hour", "op": "gte", "value": 0}',
  '{"any": [{"field": "hour", "op": "lt", "value": 9}, {"field": "hour", "op": "gte", "value": 9}]}',
  '{"any": [{"field": "user_agent", "op": "contains", "value": "Firefox"}, {"not": {"field": "user_agent", "op": "contains", "value": "Firefox"}}]}',
  '{"field": "network", "op": "in", "value": ["campus", "other"]}',
  '{"field": "aal", "op": "in", "value": ["aal1", "aal2"]}',
  '{"field": "sign_in_method", "op": "in", "value": ["password", "otp", "token_refresh"]}',
  '{"all": [{"field": "service", "op": "eq", "value": "auth"}, {"field": "aal", "op": "eq", "value": "aal1"}]}',
  '{"field": "account_age", "op": "lt", "value": 1000000}',
  '{"not": {"count": 1, "of": "sign_in_failed", "by": "account", "within": 60}}'
]) as conditions;
select tests.locks_out('{"field": "signed_in", "op": "eq", "value": true}', actions, actions)
from unnest(array[
  '[{"action": "disable_users"}]',
  '[{"action": "log_events"}, {"action": "block_access"}]',
  '[{"action": "apply_rate_limits", "requests": 1, "period": 86400}]'
]) as actions;
select throws_ok(
  tests.typed('{"field": "signed_in", "op": "eq", "value": true}', points => '{sign_in}'), 'PT409', null, 'nor at sign-ins alone'
);
select throws_ok(
  tests.typed('{"field": "signed_in", "op": "eq", "value": true}', points => '{request}'), 'PT409', null, 'nor at requests alone'
);

select lives_ok(tests.typed(conditions), 'may be enabled: ' || conditions)
from unnest(array[
  '{"field": "role", "op": "eq", "value": "student"}',
  '{"field": "university", "op": "eq", "value": "hillside"}',
  '{"not": {"field": "address", "op": "in", "value": ["192.0.2.0/24"]}}',
  '{"field": "user_agent", "op": "contains", "value": "curl"}',
  '{"any": [{"field": "hour", "op": "lt", "value": 8}, {"field": "hour", "op": "gte", "value": 18}]}',
  '{"field": "path", "op": "starts_with", "value": "/api/exports"}'
]) as conditions;
select lives_ok(
  tests.typed('{"field": "signed_in", "op": "eq", "value": true}', '[{"action": "require_mfa"}, {"action": "log_events"}]'),
  'a second factor can be given'
);
select lives_ok(
  tests.typed('{"field": "signed_in", "op": "eq", "value": true}', '[{"action": "apply_rate_limits", "requests": 100, "period": 60}]'),
  'and a limit that leaves room may hold for all'
);
select lives_ok(tests.typed('{"field": "signed_in", "op": "eq", "value": true}', dry_run => true), 'a dry run blocks nobody');
select throws_ok(
  $$ update public.security_policies set dry_run = false where dry_run $$, 'PT409', null, 'but does not become the real thing'
);

-- Together with what is enabled.
select throws_ok(
  tests.typed('{"field": "address", "op": "in", "value": ["192.0.2.0/24"]}'), 'PT409', null, 'two policies that leave no address between them'
);
select throws_ok(
  tests.typed('{"field": "hour", "op": "in", "value": [8, 9, 10, 11, 12, 13, 14, 15, 16, 17]}'), 'PT409', null, 'nor any hour'
);
select throws_ok(tests.typed('{"field": "aal", "op": "eq", "value": "aal2"}'), 'PT409', null, 'nor a way to give a second factor');
update public.security_policies set enabled = false where name = 'Typed';

-- Whom the university's policy spared.
select lives_ok(tests.typed('{"field": "university", "op": "eq", "value": "hillside"}'), 'one administrator is enough');
update public.security_policies set enabled = false where name = 'Typed';
insert into private.disabled_accounts (account, reason) values (tests.id_of('sue'), 'Away');
select throws_ok(
  tests.typed('{"field": "university", "op": "eq", "value": "hillside"}'), 'PT409', null, 'who is not the one that is blocked, nor disabled'
);

-- Whatever is changed of a policy that is there.
insert into public.security_policies (id, name, category, type, conditions, actions, priority, enabled)
values
  ('pol_all', 'All', 'monitoring', 'detective', '{"field": "signed_in", "op": "eq", "value": true}', '[{"action": "log_events"}]', 1, true),
  ('pol_off', 'Off', 'access_control', 'preventive', '{"field": "signed_in", "op": "eq", "value": true}', '[{"action": "block_access"}]', 1, false),
  ('pol_few', 'Few', 'access_control', 'preventive', '{"field": "user_agent", "op": "eq", "value": "x"}', '[{"action": "block_access"}]', 1, true);
select throws_ok($$ update public.security_policies set enabled = true where id = 'pol_off' $$, 'PT409', null, 'one that is off is not switched on');
select throws_ok(
  $$ update public.security_policies set actions = '[{"action": "block_access"}]' where id = 'pol_all' $$, 'PT409', null, 'another action is not set'
);
select throws_ok(
  $$ update public.security_policies set conditions = '{"field": "signed_in", "op": "eq", "value": true}' where id = 'pol_few' $$, 'PT409', null,
  'nor other conditions'
);
select lives_ok($$ update public.security_policies set priority = 2 where id = 'pol_few' $$, 'what locks nobody out is changed');

-- Past the table.
select throws_ok(
  $$ insert into private.enabled_policies (policy_id, priority, enforcement_points, dry_run, actions, condition)
    values ('pol_off', 1, '{request}', false, '[{"action": "block_access"}]', '$.signed_in == true') $$,
  '42501', 'Rows of enabled_policies follow from public.security_policies: change them there.', 'what is compiled is not written directly'
);
select throws_ok($$ update private.enabled_policies set condition = 'true' $$, '42501', null, 'nor changed');
select throws_ok($$ delete from private.enabled_policies $$, '42501', null, 'nor deleted, which would switch policies off unseen');
select throws_ok($$ delete from private.policy_counts; insert into private.policy_counts values ('k', 'pol_few', 'sign_in_failed', true, 60, 1) $$,
  '42501', null, 'nor what it counts');

-- Over REST the rule is the same.
select tests.act_as(tests.id_of('sam'));
select throws_ok(
  $$ update public.security_policies set enabled = true where id = 'pol_off' $$, 'PT409',
  'This policy would block you too. Leave your own requests out of its conditions.', 'the caller is told of themselves first'
);
select throws_ok(
  $$ insert into public.security_policies (name, category, type, conditions, actions, priority, enforcement_points)
    values ('REST', 'access_control', 'preventive', '{"field": "signed_in", "op": "eq", "value": true}', '[{"action": "block_access"}]', 1, '{sign_in}') $$,
  'PT409', null, 'and stopped where their next sign-in would be'
);

select * from finish();
