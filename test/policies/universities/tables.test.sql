-- What a university may be, who changes it, and who belongs to it.
select plan(78);

insert into people values ('uma', tests.new_student('uma@hillside.example.edu')), ('cora', tests.new_student('cora@hillside.example.edu'));
insert into people values ('sam', tests.new_student('sam@elsewhere.example.com')), ('abe', tests.new_student('abe@hillside.example.edu'));
insert into public.user_roles (user_id, role, university_id)
values
  (tests.id_of('uma'), 'university_admin', 'hillside'),
  (tests.id_of('cora'), 'counselor', 'hillside'),
  (tests.id_of('abe'), 'university_admin', 'lakeview'),
  (tests.id_of('sam'), 'security_admin', null);

-- Values.
create function tests.violated_by(settings text)
returns text
language plpgsql
as $$
declare
  violated text;
begin
  execute 'update public.universities set ' || settings || ' where id = ''hillside''';
  return null;
exception
  when check_violation then
    get stacked diagnostics violated = constraint_name;
    return violated;
end
$$;
select is(tests.violated_by(good), null, 'accepted: ' || good)
from unnest(array[
  $$ primary_color = '#A1b2C3', secondary_color = '#000000' $$,
  $$ logo_url = 'https://hillside.example.edu/logo.svg?v=2' $$,
  $$ logo_url = null, support_email = null, crisis_phone = null $$,
  $$ support_email = 'help+students@hillside.example.edu' $$,
  $$ crisis_phone = '+1-202-555-0110' $$,
  $$ crisis_phone = '1 (202) 555.0110' $$,
  $$ crisis_phone = '112' $$,
  $$ country = 'GB' $$,
  $$ features_enabled = '{}' $$,
  $$ features_enabled = '{check_ins,sessions,support_circle,counselor_access}' $$,
  $$ assessment_frequency = 'twice_weekly' $$,
  $$ privacy_settings = '{"retention_days": 30}' $$,
  $$ resources = '[]' $$,
  $$ resources = '[{"name": "Counseling"}]' $$,
  $$ resources = '[{"name": "Counseling", "phone": null, "website": null}]' $$,
  $$ resources = '[{"name": "Counseling", "phone": "+1-202-555-0111", "website": "https://hillside.example.edu"}]' $$
]) good;
select is(tests.violated_by(bad), 'universities_' || violated, 'rejected: ' || left(bad, 60))
from (
  values
    ($$ name = '' $$, 'name_length'),
    ($$ name = repeat('a', 201) $$, 'name_length'),
    ($$ short_name = repeat('a', 51) $$, 'short_name_length'),
    ($$ id = 'Hill side' $$, 'id_form'),
    ($$ domain = 'Hillside.example.edu' $$, 'domain_form'),
    ($$ domain = 'localhost' $$, 'domain_form'),
    ($$ primary_color = 'red' $$, 'primary_color_form'),
    ($$ primary_color = '#12345' $$, 'primary_color_form'),
    ($$ secondary_color = '#1234567' $$, 'secondary_color_form'),
    ($$ secondary_color = E'#123456\n' $$, 'secondary_color_form'),
    ($$ logo_url = 'http://hillside.example.edu/logo.svg' $$, 'logo_url_form'),
    ($$ logo_url = 'javascript:alert(1)' $$, 'logo_url_form'),
    ($$ logo_url = 'https://x"onload=' $$, 'logo_url_form'),
    ($$ logo_url = 'https://' || repeat('a', 500) $$, 'logo_url_form'),
    ($$ support_email = 'nobody' $$, 'support_email_form'),
    ($$ support_email = ' ' $$, 'support_email_form'),
    ($$ support_email = 'a@b@c' $$, 'support_email_form'),
    ($$ support_email = E'a@example.edu\nBcc: b@example.edu' $$, 'support_email_form'),
    ($$ crisis_phone = 'call us' $$, 'crisis_phone_form'),
    ($$ crisis_phone = '1' $$, 'crisis_phone_form'),
    ($$ crisis_phone = '+1202555011012025550110120255501' $$, 'crisis_phone_form'),
    ($$ country = 'UK!' $$, 'country_form'),
    ($$ country = 'gb' $$, 'country_form'),
    ($$ features_enabled = '{check_ins,mind_reading}' $$, 'features_enabled_known'),
    ($$ assessment_frequency = 'hourly' $$, 'assessment_frequency_known'),
    ($$ privacy_settings = '[]' $$, 'privacy_settings_object'),
    ($$ privacy_settings = jsonb_build_object('a', (select string_agg(md5(i::text), '') from generate_series(1, 999) i)) $$, 'privacy_settings_size'),
    ($$ resources = '{}' $$, 'resources_array'),
    ($$ resources = '["Counseling"]' $$, 'resources_form'),
    ($$ resources = '[{"phone": "112"}]' $$, 'resources_form'),
    ($$ resources = '[{"name": 7}]' $$, 'resources_form'),
    ($$ resources = '[{"name": ""}]' $$, 'resources_form'),
    ($$ resources = '[{"name": "Counseling", "phone": "soon"}]' $$, 'resources_form'),
    ($$ resources = '[{"name": "Counseling", "website": "javascript:alert(1)"}]' $$, 'resources_form'),
    ($$ resources = '[{"name": "Counseling", "script": "x"}]' $$, 'resources_form'),
    ($$ resources = '[{"name": "Counseling"}, {"name": "Other", "phone": {}}]' $$, 'resources_form')
) as rules (bad, violated);

-- Who changes it.
create function tests.change(university text)
returns bigint
language plpgsql
as $$
declare
  changed bigint;
begin
  update public.universities set short_name = 'Changed' where id = university;
  get diagnostics changed = row_count;
  return changed;
end
$$;
select tests.act_as(tests.id_of('uma'));
select is(tests.change('hillside'), 1::bigint, 'an administrator changes their university');
select tests.act_as(tests.id_of('abe'));
select results_eq(
  'select id from public.universities order by id', $$ values ('hillside'), ('lakeview') $$,
  'somebody who studies at one university and works at another sees both'
);
select is(tests.change('hillside'), 0::bigint, 'but changes only the one where the role is');
select tests.act_as(tests.id_of('eve'));
select is_empty('select id from public.universities', 'somebody who belongs to none sees none');
select tests.act_as_owner();
insert into public.user_roles (user_id, role, university_id) values (tests.id_of('sam'), 'university_admin', 'hillside');
delete from public.user_roles where user_id = tests.id_of('uma') and role = 'university_admin';
select tests.act_as(tests.id_of('uma'));
select is(tests.change('hillside'), 0::bigint, 'a role that was revoked changes nothing from then on');
select tests.act_as_owner();

-- Roles at a place.
select ok(private.has_role(tests.id_of('cora'), 'counselor', 'hillside'), 'a role holds at its university');
select ok(not private.has_role(tests.id_of('cora'), 'counselor', 'lakeview'), 'not at another');
select ok(not private.has_role(tests.id_of('cora'), 'counselor', null), 'nor nowhere');
select ok(not private.has_role(tests.id_of('cora'), 'university_admin', 'hillside'), 'and is no other role');
select ok(private.has_role(tests.id_of('sam'), 'security_admin', 'hillside'), 'a security administrator is one everywhere');
select ok(private.has_role(tests.id_of('sam'), 'security_admin', null), 'also where no university is named');
select throws_ok(
  $$ insert into public.user_roles (user_id, role) values (tests.id_of('eve'), 'counselor') $$, '23514', null,
  'staff belong to a university'
);
select throws_ok(
  $$ insert into public.user_roles (user_id, role, university_id) values (tests.id_of('eve'), 'security_admin', 'hillside') $$,
  '23514', null, 'a security administrator to none'
);

-- The university that an account names.
create function tests.new_account(email text, named text)
returns text
language sql
as $$
  with account as (
    insert into auth.users (id, email, aud, role, raw_user_meta_data)
    values (gen_random_uuid(), email, 'authenticated', 'authenticated', jsonb_build_object('university_id', named))
    returning id
  )
  select id::text from account
$$;
create function tests.university_of_new(email text, named text)
returns text
language plpgsql
as $$
declare
  account uuid := tests.new_account(email, named);
begin
  return (select university_id from public.profiles where user_id = account);
end
$$;
select is(
  tests.university_of_new('new-1@elsewhere.example.com', 'hillside'), null, 'a university that accepts only its own domain is not joined by naming it'
);
update public.universities set accepts_other_domains = true where id = 'hillside';
select is(tests.university_of_new('new-2@elsewhere.example.com', 'hillside'), 'hillside', 'one that accepts others is');
select is(
  tests.university_of_new('new-3@lakeview.example.edu', 'hillside'), 'lakeview', 'but an email domain that belongs to a university has the last word'
);
select is(tests.university_of_new('new-4@elsewhere.example.com', 'atlantis'), null, 'a university that does not exist is not joined');
select is(tests.university_of_new('new-5@notlakeview.example.edu', null), null, 'nor one whose domain only ends alike');
select results_eq(
  $$
    select r.role::text, r.university_id
    from public.user_roles r
    join auth.users u on u.id = r.user_id
    where u.email = 'new-2@elsewhere.example.com'
  $$,
  $$ values ('student', 'hillside') $$,
  'the student role is at that university'
);

select is(private.emergency_phone(country), phone, 'the number to call in ' || coalesce(country, 'a country that is not known'))
from (values ('US', '911'), ('GB', '999'), ('AU', '000'), ('DE', '112'), (null, '112')) expected (country, phone);

select is(
  (
    select array_agg(r ->> 'phone') from jsonb_array_elements(private.university_crisis_resources('hillside')) r
    where r ->> 'name' = 'Emergency services'
  ),
  array['999'], 'its country decides the number that is shown'
);
update public.universities set country = null where id = 'hillside';
select is(
  (
    select array_agg(r ->> 'phone') from jsonb_array_elements(private.university_crisis_resources('hillside')) r
    where r ->> 'name' = 'Emergency services'
  ),
  array['112'], 'without a country it is 112'
);

select * from finish();
