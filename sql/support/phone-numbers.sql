create table private.phone_plans (
  country text not null,
  calling_code text not null,
  place smallint not null,
  abroad text,
  trunk text,
  trunk_becomes text,
  mobile text not null,
  landline text not null,
  constraint phone_plans_pkey primary key (country),
  constraint phone_plans_country_form check (country ~ '^[A-Z]{2}$'),
  constraint phone_plans_calling_code_form check (calling_code ~ '^[1-9][0-9]{0,2}$')
);
select private.describe('private.phone_plans',
  'How each country numbers its phones, from libphonenumber: with it the database reads a number as people type it, whichever way it comes.', $$
  country: Country, ISO 3166-1 alpha-2.
  calling_code: Calling code, without +.
  place: Place among the countries with this calling code, the largest first: a number that several could have is taken for the first one's.
  abroad: Pattern of what is dialled there before a calling code, such as 00.
  trunk: Pattern of what is dialled there before a number within the country, such as 0.
  trunk_becomes: What that becomes in international notation; null: nothing.
  mobile: Pattern of numbers that texts reach, in international notation without calling code.
  landline: Pattern of the numbers of landlines; in some countries, such as the US, the same as mobile.
$$);
select private.declare_data('private.phone_plans', '{country, calling_code, place, abroad, trunk, trunk_becomes, mobile, landline}',
  'How countries number their phones.');
select private.declare_unaudited('private.phone_plans', 'They change with a release, never by hand.');

-- Spaces, brackets, hyphens, dots and slashes are how people write numbers; marks of direction come with a number that is copied.
create function private.digits_of_number(typed text) returns text
language sql immutable set search_path = '' as $$
  select translate(
    regexp_replace(
      regexp_replace(normalize(left(typed, 60), NFKC), '^\s*tel:', ''),
      '[\s()./·\u00ad\u2010-\u2015\u2212\u200b-\u200f\u202a-\u202e\u2060-\u2069-]+', '', 'g'
    ),
    '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'
  )
$$;
comment on function private.digits_of_number is 'A number as somebody typed it, without what only makes it readable. Called by private.read_number.';

create function private.without_trunk(dialled text, plan private.phone_plans) returns text
language sql immutable set search_path = '' as $$
  select case
      when m.found is null then dialled
      when plan.trunk_becomes is not null and coalesce(m.found[cardinality(m.found)], '') <> '' and cardinality(m.found) > 1
        then regexp_replace(dialled, '^(?:' || plan.trunk || ')', replace(plan.trunk_becomes, '$', '\'))
      else substr(dialled, char_length(m.found[1]) + 1)
    end
  from (select regexp_match(dialled, '^(' || plan.trunk || ')') as found) as m
$$;
comment on function private.without_trunk is 'A number of a country without what is dialled before it within the country. Called by private.read_number.';

-- As libphonenumber reads it, with 00 before a calling code everywhere, and the calling code of "home" also without a +.
create function private.read_number(typed text, home text) returns table (number text, country text, kind text)
language sql stable set search_path = '' as $$
  with given as (
    select private.digits_of_number(typed) as digits
  ),
  -- Each way to read it, the most literal first: {the digits after a calling code, or within a country}.
  readings as (
    select 1 as place, substr(digits, 2) as digits, null as within from given where digits ~ '^[+][0-9]{4,17}$'
    union all
    select 2, digits, home from given where digits ~ '^[0-9]{4,20}$'
    union all
    select 3, substr(g.digits, char_length(m.found[1]) + 1), null
    from given g
    join private.phone_plans p on p.country = home
    cross join lateral (select regexp_match(g.digits, '^(' || p.abroad || ')') as found) m
    where g.digits ~ '^[0-9]{6,20}$' and m.found is not null
    union all
    select 4, substr(digits, 3), null from given where digits ~ '^00[0-9]{4,17}$'
    union all
    select 5, digits, null from given join private.phone_plans p on p.country = home and starts_with(digits, p.calling_code)
    where digits ~ '^[0-9]{4,17}$'
  ),
  dialled as (
    select r.place, p, case when r.within is null then substr(r.digits, char_length(p.calling_code) + 1) else r.digits end as dialled
    from readings r
    join private.phone_plans p
      on case when r.within is null then starts_with(r.digits, p.calling_code) else p.country = r.within end
  ),
  candidates as (
    select d.place, d.p, within.national, within.raw
    from dialled d
    cross join lateral (values (private.without_trunk(d.dialled, d.p), 0), (d.dialled, 1)) as within (national, raw)
  )
  select '+' || (p).calling_code || national, (p).country, k.kind
  from candidates
  cross join lateral (
    select case
        when national ~ ('^(?:' || (p).mobile || ')$') then 'mobile'
        when national ~ ('^(?:' || (p).landline || ')$') then 'landline'
      end as kind
  ) as k
  where k.kind is not null
  order by k.kind = 'landline', place, raw, (p).country <> coalesce(home, ''), (p).place
  limit 1
$$;
comment on function private.read_number is 'A phone number as somebody in the country "home" (ISO 3166-1 alpha-2, null if unknown) types it: E.164, its country, and mobile or landline; no row where it is neither. Called where a contact is named or asked.';

create function private.country_of_number(number text) returns text
language sql stable security definer set search_path = '' as $$
  select r.country from private.read_number(country_of_number.number, null) r where r.kind = 'mobile' and r.number = country_of_number.number
$$;
comment on function private.country_of_number is 'The country (ISO 3166-1 alpha-2) in which a text is the number, E.164, of a mobile phone; null when there is none. Called by the edge functions.';
