create type private.enrolment_row as (
  number integer, email text, student_number text, faculty text, year_of_study text, residence text, code text, problem text
);
comment on type private.enrolment_row is 'A row of a file of enrolments, and what is wrong with it; null when nothing is.';

-- Set by set, as a loop over five million characters takes minutes: a line break, or a separator, stands inside quotes where the
-- number of quotes before it is odd.
create function private.csv_records(csv text) returns table (number integer, content text)
language sql immutable set search_path = '' as $$
  with lines as (
    select n, line, char_length(line) - char_length(replace(line, '"', '')) as quotes
    from string_to_table(replace(replace(csv, E'\r\n', E'\n'), E'\r', E'\n'), E'\n') with ordinality as l (line, n)
  ),
  placed as (
    select n, line, coalesce(sum(quotes) over (order by n rows between unbounded preceding and 1 preceding), 0) % 2 as inside
    from lines
  ),
  numbered as (
    select n, line, sum(1 - inside) over (order by n rows unbounded preceding) as number from placed
  )
  select r.number::integer, string_agg(r.line, ' ' order by r.n) from numbered r group by r.number
$$;
comment on function private.csv_records is 'The records of a CSV file (RFC 4180, any line breaks, which are spaces within a cell) with the numbers that a spreadsheet gives them. Called by private.csv_cells and private.enrolment_rows.';

create function private.csv_cells(csv text, separator text) returns table (number integer, place integer, content text)
language sql immutable set search_path = '' as $$
  with records as (
    select r.number, case when char_length(r.content) <= 4000 then r.content else '"' end as content
    from private.csv_records(csv) r
    where btrim(r.content, ' ' || separator) <> ''
  ),
  pieces as (
    select r.number, p.n, p.piece, char_length(p.piece) - char_length(replace(p.piece, '"', '')) as quotes
    from records r
    cross join string_to_table(r.content, separator) with ordinality as p (piece, n)
  ),
  placed as (
    select
      p.*, coalesce(sum(p.quotes) over (partition by p.number order by p.n rows between unbounded preceding and 1 preceding), 0) % 2 as inside
    from pieces p
  ),
  placed_cells as (
    select p.*, sum(1 - p.inside) over (partition by p.number order by p.n rows unbounded preceding) as place from placed p
  ),
  cells as (
    select c.number, c.place, btrim(regexp_replace(string_agg(c.piece, separator order by c.n), ' {2,}', ' ', 'g'), ' ') as content
    from placed_cells c
    group by c.number, c.place
  )
  select
    c.number, c.place::integer,
    case
      when strpos(c.content, '"') = 0 then c.content
      when c.content ~ '^"([^"]|"")*"$' then btrim(replace(substr(c.content, 2, char_length(c.content) - 2), '""', '"'), ' ')
    end
  from cells c
$$;
comment on function private.csv_cells is 'The cells of a CSV file, without its empty rows. The content is null where a quote is not closed or stands in the middle, and of a row longer than 4,000 characters. Called by private.enrolment_rows.';

create function private.enrolment_rows(csv text) returns setof private.enrolment_row
language plpgsql stable set search_path = '' as $$
declare
  names constant text[] := '{email, student_number, faculty, year, residence}';
  -- Spreadsheets also leave spaces that do not break, and invisible characters.
  cleaned constant text := normalize(translate(csv, E'\t\u00a0\u200b\ufeff', '  '), NFC);
  header text;
  separator text;
  columns text[];
  missing text;
begin
  if strpos(csv, U&'\FFFD') > 0 then
    raise exception 'The file is not read as UTF-8.'
      using errcode = 'invalid_parameter_value', detail = 'not_utf8', hint = 'Save it as "CSV UTF-8", or decode it as windows-1252.';
  end if;
  select r.content into header from private.csv_records(left(cleaned, 4000)) r where r.number = 1;
  separator := case when char_length(replace(header, ';', '')) < char_length(replace(header, ',', '')) then ';' else ',' end;
  if char_length(cleaned) - char_length(replace(cleaned, separator, '')) > 400000 then
    raise exception 'The file has more than 400,000 cells.' using errcode = 'PT413', detail = 'too_many_cells';
  end if;
  columns := array(
    select regexp_replace(lower(c.content), '[ -]', '_', 'g') from private.csv_cells(header, separator) c order by c.place
  );
  select string_agg(name, ', ') into missing from unnest(names) as name where cardinality(array_positions(columns, name)) is distinct from 1;
  if missing is not null then
    raise exception 'The first row has to name each of these columns once: %.', missing
      using errcode = 'invalid_parameter_value', detail = 'columns_missing',
        hint = 'The columns are email, student_number, faculty, year and residence, in any order, with a comma or a semicolon between them.';
  end if;
  return query
  with records as materialized (
    select
      c.number,
      max(c.place) filter (where c.content <> '') as cells,
      bool_or(c.content is null) as broken,
      nullif(max(c.content) filter (where c.place = array_position(columns, 'email')), '') as address,
      nullif(max(c.content) filter (where c.place = array_position(columns, 'student_number')), '') as student_number,
      nullif(max(c.content) filter (where c.place = array_position(columns, 'faculty')), '') as faculty,
      nullif(max(c.content) filter (where c.place = array_position(columns, 'year')), '') as year,
      nullif(max(c.content) filter (where c.place = array_position(columns, 'residence')), '') as residence
    from private.csv_cells(cleaned, separator) c
    where c.number > 1
    group by c.number
  ),
  named as materialized (
    select
      r.*, private.mailbox_of(coalesce(private.plain_mail_address(r.address), r.address)) as email,
      concat_ws(E'\n', r.address, r.student_number, r.faculty, r.year, r.residence) as whole
    from records r
  ),
  counted as (
    select
      n.*,
      min(n.number) over (partition by n.email) as first_email,
      min(n.number) over (partition by n.student_number) as first_number
    from named n
  )
  select c.number, c.email, c.student_number, c.faculty, c.year, c.residence, p.found[1], p.found[2]
  from counted c
  cross join lateral (
    select case
      when c.broken then array['quotes', 'A quote is not closed or stands in the middle of a cell, or the row is longer than 4,000 characters.']
      when c.cells > cardinality(columns) then array['too_many_cells', 'The row has more cells than the first one.']
      when c.whole ~ '(?n)^[=+@-]' then array['formula', 'A cell begins with =, +, - or @, which a spreadsheet would run.']
      when c.whole ~ '[\u0001-\u0009\u000b-\u001f\u007f-\u009f]' then array['control_character', 'A cell has an invisible character.']
      when c.email is null then array['email_missing', 'There is no email address.']
      when not private.is_mail_address(c.email) then
        array['email_invalid', 'This is no email address.']
      when c.first_email < c.number then array['email_duplicate', format('The address is in row %s already.', c.first_email)]
      when c.student_number is null then array['student_number_missing', 'There is no student number.']
      when c.student_number !~ '^[[:alnum:]][[:alnum:] ./_-]{0,39}$' then
        array['student_number_invalid', 'A student number has up to 40 letters, digits, spaces and . / _ -.']
      when c.first_number < c.number then
        array['student_number_duplicate', format('The student number is in row %s already.', c.first_number)]
      when char_length(c.faculty) > 100 then array['faculty_too_long', 'A faculty has up to 100 characters.']
      when char_length(c.year) > 20 then array['year_too_long', 'A year has up to 20 characters.']
      when char_length(c.residence) > 100 then array['residence_too_long', 'A residence has up to 100 characters.']
    end as found
  ) as p
  order by c.number;
end
$$;
comment on function private.enrolment_rows is 'The rows of a file of enrolments, each with what is wrong with it; an error when it cannot be read as such a file. Called by private.import_enrolments.';

-- Planned anew each time, by how many rows this file has.
create function private.import_enrolments(university text, csv text, apply boolean) returns jsonb
language plpgsql security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  shown constant integer := 20;
  listed private.enrolment_row[];
  counts jsonb;
  examples jsonb;
begin
  perform private.require_administrator(coalesce(university, ''));
  if not exists (select from public.universities where id = university) then
    raise exception 'There is no university %.', university using errcode = 'PT404';
  end if;
  if octet_length(csv) > 5242880 then
    raise exception 'The file is larger than 5 MB.' using errcode = 'PT413', detail = 'file_too_large';
  elsif char_length(csv) - char_length(translate(csv, E'\r\n', '')) > 60000 then
    raise exception 'The file has more than 20,000 rows.' using errcode = 'PT413', detail = 'too_many_rows';
  end if;
  listed := array(select r from private.enrolment_rows(csv) r);
  if cardinality(listed) > 20000 then
    raise exception 'The file has more than 20,000 rows.' using errcode = 'PT413', detail = 'too_many_rows';
  end if;
  if apply then
    -- One at a time, so that each compares with what the other left.
    perform pg_advisory_xact_lock(94, hashtext(university));
  end if;

  with compared as (
    select
      case
        when f.code is not null then 'invalid'
        when e.email is null then 'new'
        when f.email is null then 'missing'
        when (f.student_number, f.faculty, f.year_of_study, f.residence)
          is distinct from (e.student_number, e.faculty, e.year_of_study, e.residence) then 'changed'
        else 'unchanged'
      end as becomes,
      f.number,
      case when f.code is not null then jsonb_build_object('row', f.number, 'code', f.code, 'problem', f.problem)
        else jsonb_strip_nulls(jsonb_build_object(
          'row', f.number, 'email', coalesce(f.email, e.email), 'student_number', coalesce(f.student_number, e.student_number)
        )) || jsonb_build_object(
          'faculty', case when f.email is null then e.faculty else f.faculty end,
          'year', case when f.email is null then e.year_of_study else f.year_of_study end,
          'residence', case when f.email is null then e.residence else f.residence end
        ) || case when f.email is not null and e.email is not null then jsonb_build_object('before', jsonb_build_object(
          'student_number', e.student_number, 'faculty', e.faculty, 'year', e.year_of_study, 'residence', e.residence
        )) else '{}' end
      end as example,
      e.email as known
    from unnest(listed) f
    full join (select * from private.enrolments where university_id = university) e on e.email = f.email and f.code is null
  ),
  ordered as (
    select c.becomes, c.example, row_number() over (partition by c.becomes order by c.number, c.known) as place from compared c
  ),
  kinds as (
    select k.name, count(o.place) as found, coalesce(jsonb_agg(o.example order by o.place) filter (where o.place <= shown), '[]') as first
    from unnest('{new, changed, unchanged, missing, invalid}'::text[]) as k (name)
    left join ordered o on o.becomes = k.name
    group by k.name
  )
  select jsonb_object_agg(k.name, k.found), jsonb_object_agg(k.name, k.first) into counts, examples from kinds k;

  if apply then
    if (counts ->> 'invalid')::integer > 0 then
      raise exception 'Nothing was imported: % of the rows are invalid.', counts ->> 'invalid'
        using errcode = 'invalid_parameter_value', detail = (examples -> 'invalid')::text, hint = 'The details have the first of them.';
    elsif cardinality(listed) = 0 then
      raise exception 'Nothing was imported: the file has no rows.' using errcode = 'invalid_parameter_value', detail = 'no_rows';
    end if;
    insert into private.enrolment_registers as r (university_id) values (university)
    on conflict on constraint enrolment_registers_pkey do update set imported_at = excluded.imported_at;
    delete from private.enrolments e
    where e.university_id = university and not exists (select from unnest(listed) f where f.email = e.email);
    insert into private.enrolments as e (university_id, email, student_number, faculty, year_of_study, residence)
    select university, f.email, f.student_number, f.faculty, f.year_of_study, f.residence from unnest(listed) f
    on conflict on constraint enrolments_pkey do update
    set student_number = excluded.student_number, faculty = excluded.faculty, year_of_study = excluded.year_of_study,
      residence = excluded.residence
    where (e.student_number, e.faculty, e.year_of_study, e.residence)
      is distinct from (excluded.student_number, excluded.faculty, excluded.year_of_study, excluded.residence);
    if counts - 'unchanged' - 'invalid' <> '{"new": 0, "changed": 0, "missing": 0}' then
      perform private.audit_at_end('enrolments_imported', university, 'enrolments', details => counts - 'invalid');
    end if;
  end if;
  return counts || jsonb_build_object('applied', apply, 'rows', examples);
end
$$;
comment on function private.import_enrolments is 'Implementation of public.import_enrolments, which calls it.';

create function public.import_enrolments(university_id text, csv text, apply boolean default false) returns jsonb
language sql set search_path = ''
begin atomic select private.import_enrolments(university_id, csv, coalesce(apply, false)); end;
comment on function public.import_enrolments is 'Compares a file of enrolments with the register of a university, and with apply makes the register that of the file, all or nothing: {new, changed, unchanged, missing, invalid, applied, rows}, rows with the first 20 of each. Called by administrators of the university and security administrators.';

create function private.read_register(university text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_administrator(university);
  return (
    select jsonb_build_object(
      'imported_at', r.imported_at,
      'students', (select count(*) from private.enrolments e where e.university_id = university),
      'kept_until', r.imported_at + (select t.keep from private.retention_rules t where t.kind = 'enrolments')
    )
    from private.enrolment_registers r
    where r.university_id = university
  );
end
$$;
comment on function private.read_register is 'Implementation of public.read_register, which calls it.';

create function public.read_register(university_id text) returns jsonb
language sql stable set search_path = ''
begin atomic select private.read_register(university_id); end;
comment on function public.read_register is 'When a university''s register was imported last, how many students it has, and until when it is kept without another file: {imported_at, students, kept_until}; null before the first file. Called by administrators of the university and security administrators; an error for others.';
