-- What PostgREST runs before every request: no estimates, whoever asks.
-- covers: public.check_request, private.refuse_estimates
select plan(10);

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

select * from finish();
