-- Types of objects: whatever else an upload says of its type, and in letters of either case.
select plan(39);

create table types (type text, taken boolean);
insert into types
values
  ('audio/webm', true), ('audio/webm;codecs=opus', true), ('audio/webm; codecs=opus', true), ('audio/webm;codecs="opus"', true),
  ('audio/webm ; codecs=opus', true), ('AUDIO/WEBM;CODECS=OPUS', true), ('Audio/Mp4;codecs=mp4a.40.2', true),
  ('audio/mp4; codecs="mp4a.40.2"', true), ('audio/ogg; codecs=opus', true), ('video/webm;codecs=vp8,opus', true),
  ('audio/webm;', true), (' audio/wav ', true), ('audio/wav;codecs=1', true), ('audio/x-wav', true),
  ('audio/x-caf', false), ('audio/webmx', false), ('audio', false), ('audio/', false), ('', false), (';audio/webm', false),
  ('audio/webm codecs=opus', false), ('audio/webm, text/html', false), ('audio/webm;a=b, text/html', false),
  ('audio/webm;a="/"', false), ('text/html;audio/webm', false), (E'audio/webm;\na', false), (E'audio/webm\n', false),
  (E'\naudio/webm', false), ('audio/webm;ü', false);

select is(private.takes_type('check-in-media', t.type), t.taken, format('%s: %s', case when t.taken then 'taken' else 'refused' end, to_json(t.type)))
from types t;

select ok(private.takes_type('university-files', 'text/plain;charset=UTF-8'), 'a text with its encoding');
select ok(not private.takes_type('university-files', 'text/html; charset=utf-8'), 'no page');
select ok(not private.takes_type('university-files', 'text/plain;charset=utf-8, text/html'), 'nor one behind a text');
select ok(not private.takes_type('university-files', 'IMAGE/SVG+XML'), 'no drawing with scripts');
select ok(private.takes_type('exports', 'application/zip'), 'other buckets take what the service stores');

insert into storage.buckets (id, name) values ('university-files', 'university-files') on conflict (id) do nothing;
create function tests.put(type text)
returns text
language plpgsql
as $$
begin
  insert into storage.objects (bucket_id, name, metadata)
  values ('university-files', 'hillside/shared/' || gen_random_uuid(), jsonb_build_object('mimetype', type));
  return 'stored';
exception
  when insufficient_privilege then
    return sqlerrm;
end
$$;
select is(tests.put('text/csv; charset=utf-8'), 'stored', 'what is taken is stored');
select matches(tests.put('text/html'), '^mime type text/html is not supported: university-files takes image/jpeg, .*text/plain\.$', 'what is not says what is');
select throws_ok(
  $$ update storage.objects set metadata = '{"mimetype": "text/html"}' where name like 'hillside/shared/%' $$, '42501', null, 'nor becomes one'
);
select is(tests.put(null), 'stored', 'a row without a type is made before there is any');
select set_config('storage.operation', 'storage.object.sign_upload_url', true);
select is(tests.put('application/json'), 'stored', 'the request for a signed address has a type of its own');

select * from finish();
