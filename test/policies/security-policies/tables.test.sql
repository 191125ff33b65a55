-- Who stores policies, how many can be enabled, and what stands in their way.
select plan(22);

insert into people values ('sam', tests.new_student('sam@hillside.example.edu'));
insert into public.user_roles (user_id, role) select tests.id_of('sam'), 'security_admin';

set constraints all immediate;
select is(
  (select count(*) from private.audit_log where target_id = 'pol_staff_second_factor' and before @> '{"enabled": true}'), 1::bigint,
  'the policy that staff give a second factor ships enabled: the stories switched it off'
);
set constraints all deferred;

create function tests.policy(name text, conditions jsonb, actions text default '[{"action": "log_events"}]', enabled boolean default true)
returns text
language sql
as $$
  insert into public.security_policies (name, category, type, conditions, actions, priority, enabled)
  values (name, 'monitoring', 'detective', conditions, actions::jsonb, 10, enabled)
  returning id
$$;

create function tests.blocks(conditions text, action text default 'block_access')
returns text
language sql
as $$
  select format($f$ select tests.policy('Blocks', %L, '[{"action": "%s"}]') $f$, conditions, action)
$$;

select tests.act_as(tests.id_of('ada'));
select is_empty('select id from public.security_policies', 'students see no policies');
select throws_ok(
  $$ select tests.policy('Mine', '{"field": "hour", "op": "eq", "value": 1}') $$, '42501', null, 'and store none'
);
select throws_ok($$ select public.evaluate_policies('{}') $$, '42501', 'Only security administrators do this.', 'nor evaluate any');
select throws_ok($$ select public.policy_statistics() $$, '42501', 'Only security administrators do this.', 'nor see how often they applied');

select tests.act_as(tests.id_of('sam'));
select lives_ok($$ select tests.policy('Hours', '{"field": "hour", "op": "lt", "value": 24}') $$, 'a security administrator does');
select throws_ok($$ delete from public.security_policies $$, '42501', null, 'but deletes none');
select throws_ok(
  $$ update public.security_policies set trigger_count = 0 $$, '42501', null, 'and changes no counts'
);

-- Locking oneself out.
select set_config('request.headers', '{"cf-connecting-ip": "203.0.113.9", "user-agent": "a browser"}', true);
select throws_ok(
  tests.blocks('{"field": "role", "op": "eq", "value": "security_admin"}'), 'PT409', null, 'nobody stores a policy that blocks them'
);
select throws_ok(tests.blocks('{"field": "address", "op": "in", "value": ["203.0.113.0/24"]}'), 'PT409', null, 'by their address');
select throws_ok(
  tests.blocks('{"field": "path", "op": "starts_with", "value": "/api/security"}'), 'PT409', null, 'by the path that they would change it at'
);
select throws_ok(
  tests.blocks('{"field": "aal", "op": "eq", "value": "aal1"}', 'require_mfa'), 'PT409', null, 'or that wants a second factor which they have not given'
);
select lives_ok(tests.blocks('{"field": "role", "op": "eq", "value": "counselor"}'), 'of others they do');
select lives_ok(
  $$ select tests.policy('Off', '{"field": "role", "op": "eq", "value": "security_admin"}', '[{"action": "block_access"}]', false) $$,
  'and of themselves one that is off'
);
select throws_ok(
  $$ update public.security_policies set enabled = true where name = 'Off' $$, 'PT409', null, 'which they cannot switch on'
);

select tests.act_as_owner();
select set_config('request.jwt.claim.sub', '', true);
select throws_ok(
  format($$ select tests.policy('Bad', '{"field": "hour", "op": "eq", "value": 1}', %L) $$, actions), 'PT400', null, what || ' is no list of actions'
)
from (
  values
    ('[]', 'an empty list'),
    ('[{"action": "block_access", "until": "tomorrow"}]', 'one with an unknown member'),
    ('[{"action": "apply_rate_limits", "requests": 0, "period": 60}]', 'one that allows nothing'),
    ('[{"action": "log_events"}, {"action": "log_events"}]', 'one that says a thing twice'),
    ('[{"action": "drop_tables"}]', 'one with an unknown action')
) as bad (actions, what);

insert into public.security_policies (name, category, type, conditions, actions, priority)
select 'Many', 'monitoring', 'detective', '{"field": "hour", "op": "eq", "value": 1}', '[{"action": "log_events"}]', 10
from generate_series(1, 200 - (select count(*)::integer from private.enabled_policies));
select throws_ok(
  $$ select tests.policy('One more', '{"field": "hour", "op": "eq", "value": 1}') $$, 'PT409', null, '200 policies are enabled at most'
);
select lives_ok(
  $$ select tests.policy('One more', '{"field": "hour", "op": "eq", "value": 1}', enabled => false) $$, 'others may be stored'
);

select * from finish();
