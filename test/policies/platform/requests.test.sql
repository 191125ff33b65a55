-- What PostgREST runs before every request: no estimates, whoever asks.
select plan(23);

create function tests.with_header(name text, value text)
returns text
language plpgsql
as $$
begin
  perform set_config('request.headers', jsonb_build_object(name, value)::text, true);
  perform public.check_request();
  return 'served';
exception
  when sqlstate 'PT400' then
    return 'refused';
end
$$;

select tests.act_as_nobody();
select is(tests.with_header('prefer', p), 'refused', 'nobody gets ' || p)
from unnest(array['count=planned', 'count=estimated', 'return=minimal, count=planned', 'count = "Estimated"']) p;
select is(tests.with_header('accept', 'application/vnd.pgrst.plan+json; for="application/json"'), 'refused', 'nor a plan');
select is(tests.with_header('prefer', p), 'served', 'but ' || p)
from unnest(array['count=exact', 'return=minimal, missing=default']) p;

select tests.act_as(tests.id_of('ada'));
select is(tests.with_header('prefer', 'count=planned'), 'refused', 'a student gets no estimate either');
select is(tests.with_header('x-request-id', 'a'), 'served', 'a request without these headers is served');
select set_config('request.headers', '', true);
select lives_ok('select public.check_request()', 'as is one without any');

-- PostgREST takes the first count of all headers, but of headers that come twice request.headers has the last alone: the planner
-- must have nothing to tell even where the request is served.
select tests.act_as_owner();
create function tests.estimate(relation text, filter text)
returns integer
language plpgsql
as $$
declare
  plan json;
begin
  execute format('explain (format json) select 1 from %s where %s', relation, filter) into plan;
  return plan -> 0 -> 'Plan' ->> 'Plan Rows';
end
$$;
insert into checkin.check_ins (user_id, type, status)
select id, 'daily', 'expired' from people, generate_series(1, case name when 'ben' then 400 else 20 end) where name in ('ada', 'ben', 'eve');
insert into public.assessment_sessions (user_id, assessment_type)
select id, 'daily' from people, generate_series(1, case name when 'ben' then 400 else 20 end) where name in ('ada', 'ben', 'eve');
analyze checkin.check_ins, public.assessment_sessions, public.profiles;
create function tests.estimates(relation text, comparison text)
returns bigint
language sql
as $$
  select count(distinct tests.estimate(relation, format('user_id %s %L', comparison, id)))
  from (select id from people union all select '00000000-0000-0000-0000-000000000000') as ids
$$;
select tests.act_as(tests.id_of('ada'));
select is(tests.estimates(t, c), 1::bigint, t || ': the estimate is the same whichever account is ' || c)
from unnest(array['checkin.check_ins', 'public.assessment_sessions', 'public.profiles']) t, unnest(array['=', '<>', '>', '<']) c;
select tests.act_as_owner();

select is_empty(
  $$
    select p.schemaname || '.' || p.tablename
    from pg_policies p
    join pg_attribute a on a.attrelid = (p.schemaname || '.' || p.tablename)::regclass and a.attname = 'user_id'
    where p.schemaname in ('public', 'checkin') and p.cmd in ('SELECT', 'ALL') and p.qual ~ 'user_id = '
      and a.attstattarget is distinct from 0
      -- Where an account has one row, the planner knows as much of every account.
      and not exists (
        select from pg_index i
        where i.indrelid = a.attrelid and i.indisunique and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum
      )
  $$,
  'no statistics are kept of whose rows a table has'
);

select * from finish();
