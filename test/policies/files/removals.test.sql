-- The rules of removals, followed through a few objects.
select plan(16);

select vault.create_secret('http://127.0.0.1:9/functions/v1', 'functions_url');
select vault.create_secret('a-secret-of-the-test', 'pipeline_secret');

create function tests.dispatched()
returns bigint
language sql
as $$ select count(*) from net.http_request_queue where url = 'http://127.0.0.1:9/functions/v1/remove-objects' $$;

select private.queue_object_removal('check-in-media', 'a/' || n, 'test') from generate_series(1, 5) n;
select is(tests.dispatched(), 1::bigint, 'many removals are dispatched once');
select private.queue_object_removal('check-in-media', 'a/1', 'test');
select is((select count(*) from private.object_removals), 5::bigint, 'an object that is queued twice is queued once');

create temporary table claims as select * from private.claim_object_removals(3);
select is((select cardinality(names) from claims), 3, 'a worker claims as many as it asks for');
insert into claims select * from private.claim_object_removals(3);
select is((select count(distinct name) from claims, unnest(names) name), 5::bigint, 'of which nobody else gets one');
select is_empty('select * from private.claim_object_removals(3)', 'nor is any due meanwhile');
select results_eq(
  'select sum(f.removed)::integer, sum(f.failed)::integer from claims, private.finish_object_removals(claim) f', 'values (5, 0)',
  'what Storage does not have is removed'
);
select is_empty('select * from private.object_removals', 'and forgotten');

insert into storage.buckets (id, name) values ('check-in-media', 'check-in-media') on conflict do nothing;
insert into storage.objects (bucket_id, name) values ('check-in-media', 'b/1');
select private.queue_object_removal('check-in-media', 'b/1', 'test');
update claims set claim = (select claim from private.claim_object_removals(3));
select results_eq(
  'select f.* from (select distinct claim from claims) c, private.finish_object_removals(c.claim, ''storage_500'') f',
  'values (0, 1)',
  'what Storage still has is not'
);
select is(
  (select next_attempt_at from private.object_removals), now() + interval '5 seconds', 'it is tried again after a delay'
);
update private.object_removals set attempts = 4, next_attempt_at = now();
update claims set claim = (select claim from private.claim_object_removals(3));
select private.finish_object_removals(claim, 'storage_500') from (select distinct claim from claims) c;
select is(
  (select next_attempt_at from private.object_removals), now() + interval '21 minutes 20 seconds', 'which grows up to an hour'
);
select results_eq(
  'select objects, error_code from private.failing_object_removals', $$ values (1::bigint, 'storage_500') $$,
  'after five attempts an operator sees it'
);
select is((select count(*) from private.report_failing_removals()), 1::bigint, 'and the log says so');
select is_empty('select * from private.report_failing_removals()', 'once');

update private.object_removals set next_attempt_at = now();
update claims set claim = (select claim from private.claim_object_removals(3));
select private.queue_object_removal('check-in-media', 'b/1', 'test');
select results_eq(
  'select f.* from (select distinct claim from claims) c, private.finish_object_removals(c.claim) f', 'values (0, 0)',
  'an attempt that began before the object was queued again ends nothing'
);
select private.queue_object_removal('check-in-media', 'b/' || n, 'test') from generate_series(2, 3) n;
update private.object_removals set next_attempt_at = now() - interval '1 minute' where name = 'b/1';
select is((select names from private.claim_object_removals(3)), array['b/1'], 'what has failed is tried alone');
select is((select cardinality(names) from private.claim_object_removals(3)), 2, 'and delays no other');

select * from finish();
