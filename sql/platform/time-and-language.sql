-- The time zones and languages of universities, people and contacts: `universities.time_zone` and `profiles.time_zone`, with what
-- they decide, are explained in docs/students.md.

-- Postgres takes abbreviations (EST), rules (XYZ-5) and any case as well, and other readers of the column take none of these. As a
-- setting it shows a name as the time zone database writes it, and a rule in capital letters; pg_timezone_names reads 600 files.
create function private.require_time_zones(zones text[]) returns void
language plpgsql set search_path = '' set timezone = 'UTC' as $$
declare
  zone text;
begin
  foreach zone in array array_remove(coalesce(zones, '{}'), null) loop
    if zone <> 'UTC'
      and (
        zone !~ '^(?=.*[a-z])(?!posix/|right/)[A-Za-z]+/[A-Za-z0-9_+/-]+$'
        or set_config('timezone', zone, true) <> zone
      )
    then
      raise invalid_parameter_value;
    end if;
  end loop;
exception
  when invalid_parameter_value then
    perform private.refuse(400, 'invalid_value', 'A time zone is an IANA name, such as Europe/Dublin.');
end
$$;
comment on function private.require_time_zones is 'Error 400 invalid_value unless each is the name of an IANA time zone as it is written there, area and place, or UTC. Null passes. Called by the triggers of tables with time zones.';

-- The canonical form (RFC 5646, 4.5), as Intl.getCanonicalLocales and navigator.language write it, so that equal tags are equal texts.
create function private.require_languages(tags text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  if exists (
    select from unnest(tags) as tag
    where char_length(tag) > 100
      or tag !~ '(?x) ^ [a-z]{2,3} (-[A-Z][a-z]{3})? (-([A-Z]{2}|[0-9]{3}))?
        (-([0-9a-z]{5,8}|[0-9][0-9a-z]{3}))* (-[0-9a-wy-z](-[0-9a-z]{2,8})+)* (-x(-[0-9a-z]{1,8})+)? $'
  ) then
    perform private.refuse(
      400, 'invalid_value', 'A language is a BCP 47 tag in its canonical form, such as en, pt-BR or zh-Hant.'
    );
  end if;
end
$$;
comment on function private.require_languages is 'Error 400 invalid_value unless each is a language tag (BCP 47) in its canonical form. Null passes. Called by the triggers of tables with languages.';

create function private.place_of_language(language text, wanted text[]) returns integer
language sql immutable set search_path = '' as $$
  select coalesce(
    (
      select min(w.place)::integer
      from unnest(wanted) with ordinality as w (tag, place)
      where lower(w.tag) = lower(language) or lower(w.tag) like lower(language) || '-%'
    ),
    case language when 'en' then 1000 else 1001 end
  )
$$;
comment on function private.place_of_language is 'How well a language fits those that are wanted (BCP 47), the best first: the place of the first that it serves, "de" also for who wants "de-AT"; then English, then any. Called where texts of several languages are chosen from.';

-- By itself Postgres takes a time that a clock skips for one after the gap by as much, and one that it shows twice for the second.
create function private.moment_at(local timestamp, zone text) returns timestamptz
language plpgsql stable set search_path = '' as $$
declare
  moment constant timestamptz := local at time zone zone;
begin
  if moment at time zone zone > local then
    return (
      select min(minute)
      from generate_series(date_trunc('minute', moment - interval '3 hours'), moment, '1 minute') as minute
      where minute at time zone zone >= local
    );
  end if;
  return case local
    when (moment - interval '1 hour') at time zone zone then moment - interval '1 hour'
    when (moment - interval '30 minutes') at time zone zone then moment - interval '30 minutes'
    when (moment - interval '2 hours') at time zone zone then moment - interval '2 hours'
    else moment
  end;
end
$$;
comment on function private.moment_at is 'When a clock of the time zone shows this time for the first time, or, where daylight saving skips it, the first moment after the gap. Called where a day begins, and where something happens at a time of the day.';
