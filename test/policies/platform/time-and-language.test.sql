-- Everybody has a time zone and a language: their own, or their university's.
select plan(34);

insert into people values ('uma', tests.new_student('uma@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('uma'), 'university_admin', 'hillside');

select results_eq(
  $$ select private.time_zone_of(tests.id_of('ada')), private.language_of(tests.id_of('ada')) $$, $$ values ('UTC', 'en') $$,
  'a university has UTC and English until it says otherwise'
);

select tests.act_as(tests.id_of('uma'));
update public.universities set time_zone = 'America/Los_Angeles', languages = '{es, en}' where id in ('hillside', 'lakeview');
select tests.act_as_owner();
select results_eq(
  $$ select time_zone, languages from public.universities where id in ('hillside', 'lakeview') order by id $$,
  $$ values ('America/Los_Angeles', '{es, en}'::text[]), ('UTC', '{en}') $$,
  'its administrators say it, of theirs'
);
select results_eq(
  $$ select private.time_zone_of(tests.id_of('ada')), private.language_of(tests.id_of('ada')) $$,
  $$ values ('America/Los_Angeles', 'es') $$, 'which holds for its students'
);

select tests.act_as(tests.id_of('ada'));
update public.profiles set time_zone = 'Asia/Kathmandu', language = 'pt-BR';
select tests.act_as_owner();
select results_eq(
  $$ select user_id = tests.id_of('ada'), language from public.profiles where time_zone = 'Asia/Kathmandu' $$, $$ values (true, 'pt-BR') $$,
  'a person says theirs'
);
select results_eq(
  $$ select private.time_zone_of(tests.id_of('ada')), private.language_of(tests.id_of('ada')) $$,
  $$ values ('Asia/Kathmandu', 'pt-BR') $$, 'which has precedence'
);
select results_eq(
  $$ select private.time_zone_of(p), private.language_of(p) from (values (tests.id_of('eve')), (gen_random_uuid())) as people (p) $$,
  $$ values ('UTC', 'en'), ('UTC', 'en') $$, 'without a university, or an account, it is UTC and English'
);

-- 23:30 on the first in Los Angeles is 07:30 on the second in London, and 13:15 in Kathmandu.
select results_eq(
  $$
    select private.university_date('hillside', at), private.university_date('lakeview', at), private.university_date(null, at),
      private.local_date(tests.id_of('ada'), at), private.local_date(tests.id_of('uma'), at)
    from (values (timestamptz '2026-12-02 07:30+00')) as moment (at)
  $$,
  $$ values (date '2026-12-01', date '2026-12-02', date '2026-12-02', date '2026-12-02', date '2026-12-01') $$,
  'a moment has the date of the place'
);

-- What is a time zone.
select lives_ok(
  format('update public.profiles set time_zone = %L where user_id = %L', zone, tests.id_of('ada')), format('%s is a zone', zone)
)
from unnest('{UTC, America/Argentina/Buenos_Aires, Pacific/Kiritimati, Etc/GMT+5, Asia/Calcutta}'::text[]) as zone;
select throws_ok(
  format('update public.profiles set time_zone = %L where user_id = %L', zone, tests.id_of('ada')),
  'PT400', 'A time zone is an IANA name, such as Europe/Dublin.', format('"%s" is none', zone)
)
from unnest(
  array['', 'utc', 'EST', 'CET', 'EST5EDT', 'XYZ-5', '<+05>-5', '+05:30', 'europe/dublin', 'Europe/Dublin ', 'Mars/Olympus', 'posix/Europe/Dublin']
) as zone;
select throws_ok(
  $$ update public.universities set time_zone = 'PST' where id = 'hillside' $$, 'PT400', null, 'a university neither has an abbreviation'
);

-- What is a language.
select lives_ok(
  $$
    update public.universities
    set languages = '{en, en-GB, zh-Hant-TW, es-419, ca-valencia, de-1996, yue, en-US-u-fw-mon, ar-x-custom}'
    where id = 'hillside'
  $$, 'language tags, with all that they may say'
);
select throws_ok(
  format('update public.universities set languages = %L where id = %L', languages, 'hillside'), 'PT400', null, format('%s are none', languages)
)
from unnest(array['{EN}', '{en_GB}', '{english}', '{en-gb}', '{""}', '{}', '{en, en}']) as languages;
select throws_ok(
  $$ update public.profiles set language = 'English' $$, 'PT400',
  'A language is a BCP 47 tag in its canonical form, such as en, pt-BR or zh-Hant.', 'nor does a person have another'
);

select finish();
