-- The time zones and languages of universities, people and contacts: `universities.time_zone` and `profiles.time_zone`, with what
-- they decide, are explained in docs/students.md.

-- Postgres takes abbreviations (EST), rules (XYZ-5) and any case as well, and other readers of the column take none of these.
create function private.require_time_zones(zones text[]) returns void
language plpgsql stable set search_path = '' as $$
begin
  -- What most rows have is not looked up among the files of the time zone database.
  if exists (
    select from unnest(zones) as zone
    where zone <> 'UTC'
      and (
        zone !~ '/' or zone ~ '^(posix|right)/' or zone not in (select name from pg_catalog.pg_timezone_names)
      )
  ) then
    perform private.refuse(400, 'invalid_value', 'A time zone is an IANA name, such as Europe/Dublin.');
  end if;
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

-- By itself Postgres takes a time that a clock skips for one after the gap by as much, and one that it shows twice for the second.
create function private.moment_at(local timestamp, zone text) returns timestamptz
language sql stable set search_path = '' as $$
  select case
    when (m.at at time zone zone) > local then (
      select min(minute)
      from generate_series(date_trunc('minute', m.at - interval '3 hours'), m.at, '1 minute') as minute
      where (minute at time zone zone) >= local
    )
    else (
      select min(m.at - earlier)
      from unnest('{0, 30 minutes, 1 hour, 2 hours}'::interval[]) as earlier
      where (m.at - earlier) at time zone zone = local
    )
  end
  from (select local at time zone zone as at) as m
$$;
comment on function private.moment_at is 'When a clock of the time zone shows this time for the first time, or, where daylight saving skips it, the first moment after the gap. Called where a day begins, and where something happens at a time of the day.';
