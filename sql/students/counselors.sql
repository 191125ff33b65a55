create type private.student_sort as enum ('name', 'last_check_in', 'score', 'risk');
comment on type private.student_sort is 'Sort orders of a list of students.';

create type private.listed_student as (
  user_id uuid,
  first_name text,
  last_name text,
  university_id text,
  faculty text,
  year_of_study text,
  residence text,
  from_register text[],
  check_ins integer,
  last_check_in_at timestamptz,
  last_score numeric,
  last_uncertainty numeric,
  last_direction_of_change checkin.direction_of_change,
  risk_level checkin.risk_level,
  latest_risk_level checkin.risk_level,
  latest_risk_source public.history_source,
  signs_of_life jsonb
);
comment on type private.listed_student is 'A student as counselors see them.';

create function private.student_query(search text, sort private.student_sort, descending boolean) returns text
language plpgsql immutable set search_path = '' as $$
declare
  pattern text := '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%';
  direction text := case when descending then 'desc' else 'asc' end;
  empty text := case when descending then 'nulls last' else 'nulls first' end;
begin
  return format(
    $query$
      select
        s.user_id, p.first_name, p.last_name, s.university_id, s.faculty, s.year_of_study, s.residence, s.from_register,
        s.check_ins, s.last_check_in_at, s.last_score, s.last_uncertainty, s.last_direction_of_change, s.risk_level,
        s.latest_risk_level, s.latest_risk_source, private.signs_of_life(s.user_id)
      from public.students s
      join public.profiles p on p.user_id = s.user_id
      where s.university_id = $1 and p.university_id = $1 and s.counselor_access
        %s
      order by %s
      limit $2
      offset $3
    $query$,
    case when pattern is not null then format('and (p.first_name || '' '' || p.last_name) ilike %L', pattern) end,
    case sort
      when 'name' then format('p.last_name %1$s, p.first_name %1$s, p.user_id %1$s', direction)
      when 'last_check_in' then format('s.last_check_in_at %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'score' then format('s.last_score %1$s %2$s, s.user_id %1$s', direction, empty)
      when 'risk' then format('s.latest_risk_level %1$s, s.user_id %1$s', direction)
    end
  );
end
$$;
comment on function private.student_query is 'The query of a page of the students of a university who consented to counselor_access; its parameters are the university, limit and offset. Called by private.student_page.';

-- Checks access once per page instead of once per row, which takes two thirds of the time that policies on both tables would
-- take. Runs the query itself: a function that returned the rows would copy them.
create function private.student_page(
  university text, search text, sort private.student_sort, descending boolean, page_limit integer, page_offset integer
) returns setof private.listed_student
language plpgsql stable security definer set search_path = '' as $$
declare
  account uuid := private.current_account();
begin
  if exists (
    select
    from public.user_roles
    where user_id = account and role = 'counselor' and university_id = university
  ) then
    perform private.require_access_log(
      'students_listed',
      private.access_arguments(university, null, search, sort::text, descending, page_limit, page_offset),
      account
    );
    return query execute private.student_query(search, sort, descending) using university, page_limit, page_offset;
  end if;
end
$$;
comment on function private.student_page is 'A page of the students that the caller may list at a university as its counselor. Called by public.list_students.';

-- Only private.student_page requires the entry in the access log: without it, the call that asks for both fails as a whole.
create function private.students_found(university text, search text) returns bigint
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.universities_counseled() as counseled where counseled = university) then
    return 0;
  end if;
  return (
    select count(*)
    from public.students s
    join public.profiles p on p.user_id = s.user_id
    where s.university_id = university and s.counselor_access
      and (p.first_name || ' ' || p.last_name) ilike '%' || regexp_replace(search, '([\\%_])', '\\\1', 'g') || '%'
  );
end
$$;
comment on function private.students_found is 'How many students that the caller may list have a matching name. Called by public.list_students.';

create function private.students_listed(university text) returns bigint
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (
      select students
      from private.listed_students
      where university_id = university and university in (select private.universities_counseled())
    ),
    0
  )
$$;
comment on function private.students_listed is 'How many students the caller may list at a university as its counselor. Called by public.list_students.';

create function public.list_students(
  university_id text, search text default null, sort text default 'name', descending boolean default false,
  page_limit integer default 50, page_offset integer default 0
) returns jsonb
language sql stable set search_path = ''
begin atomic
  select jsonb_build_object(
    'students', coalesce(
      (
        select jsonb_agg(to_jsonb(s) - 'place' order by s.place)
        from private.student_page(
          university_id,
          nullif(btrim(search), ''),
          sort::private.student_sort, descending,
          least(greatest(page_limit, 0), 200),
          greatest(page_offset, 0)
        ) with ordinality as s (
          user_id, first_name, last_name, university_id, faculty, year_of_study, residence, from_register,
          check_ins, last_check_in_at, last_score, last_uncertainty, last_direction_of_change, risk_level,
          latest_risk_level, latest_risk_source, signs_of_life, place
        )
      ),
      '[]'
    ),
    'total', case
      when nullif(btrim(search), '') is null then private.students_listed(university_id)
      else private.students_found(university_id, btrim(search))
    end
  );
end;
comment on function public.list_students is 'Students of a university who consented to counselor_access: {students, total}, at most 200 a page, sorted by name, last_check_in, score or risk. Called by its counselors within a minute of log_access(''students_listed'') with the same arguments. Empty for others.';

-- With the student's consent, a counselor sees scores and risk. Without it, a counselor sees only the name, and only while a
-- review of the student is not closed.
create function private.student_record(student uuid, scores integer) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
      'user_id', s.user_id,
      'first_name', p.first_name,
      'last_name', p.last_name,
      'university_id', s.university_id,
      'counselor_access', s.counselor_access
    )
    || case when not s.counselor_access then '{}'::jsonb else jsonb_build_object(
      'faculty', s.faculty,
      'year_of_study', s.year_of_study,
      'residence', s.residence,
      'from_register', s.from_register,
      'check_ins', s.check_ins,
      'last_check_in_at', s.last_check_in_at,
      'last_score', s.last_score,
      'last_uncertainty', s.last_uncertainty,
      'last_direction_of_change', s.last_direction_of_change,
      'risk_level', s.risk_level,
      'latest_risk_level', s.latest_risk_level,
      'latest_risk_source', s.latest_risk_source,
      'signs_of_life', private.signs_of_life(s.user_id),
      'history', (
        select coalesce(jsonb_agg(to_jsonb(h) order by h.at desc, h.id desc), '[]')
        from private.history_of(student, '-infinity', null, null, scores) h
      ),
      'scores', coalesce(
        (
          select jsonb_agg(to_jsonb(f) order by f.created_at desc)
          from (
            select check_in_id, created_at, score, uncertainty, direction_of_change, significance, risk_level
            from checkin.fusion_results
            where user_id = student
            order by created_at desc
            limit scores
          ) f
        ),
        '[]'
      )
    ) end
  from public.students s
  join public.profiles p on p.user_id = s.user_id
  where s.user_id = student
    and s.university_id in (select private.universities_counseled())
    and (s.counselor_access or s.user_id in (select private.students_in_review()))
$$;
comment on function private.student_record is 'What the caller may see of a student as a counselor; null when nothing. Called by private.read_student_as_counselor.';

create function private.read_student_as_counselor(student uuid, scores integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.universities_counseled()) then
    return null;
  end if;
  perform private.require_access_log('student_read', private.access_arguments(student => student));
  return private.student_record(student, scores);
end
$$;
comment on function private.read_student_as_counselor is 'Implementation of public.read_student, which calls it.';

create function public.read_student(student_id uuid, scores integer default 50) returns jsonb
language sql stable set search_path = ''
begin atomic select private.read_student_as_counselor(student_id, least(greatest(scores, 0), 200)); end;
comment on function public.read_student is 'A student with the latest scores and risk levels, never transcripts or media; null when the caller may not see the student. Called by counselors within a minute of log_access(''student_read'').';

create function private.review_context(review public.clinical_reviews) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'lapses_at', (
      select coalesce(review.claim_reminded_at, review.note_due_since + t.remind_after) + t.lapse_after
      from private.claim_terms(review.university_id, review.risk_level) t
    ),
    'reopens_until', private.reopens_until(review),
    'claimed_by_name', private.name_of(review.claimed_by),
    'university_name', (select u.name from public.universities u where u.id = review.university_id),
    'signs_of_life', private.signs_of_life(review.user_id)
  );
end
$$;
comment on function private.review_context is 'What lists and screens show of a review beside its columns: {lapses_at, reopens_until, claimed_by_name, university_name, signs_of_life}. Called where counselors see one.';

create function private.list_reviews_as_counselor(page_limit integer, page_offset integer) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from private.universities_counseled()) then
    return '[]';
  end if;
  perform private.require_access_log('reviews_listed', private.access_arguments());
  return (
    select coalesce(
      jsonb_agg(
        to_jsonb(page) || (select private.review_context(r) from public.clinical_reviews r where r.id = page.id)
        order by page.risk_level desc, page.opened_at, page.id
      ),
      '[]'
    )
    from (
      select *
      from public.open_clinical_reviews r
      where r.university_id in (select private.universities_counseled()) and r.user_id <> (select private.current_account())
      order by r.risk_level desc, r.opened_at, r.id
      limit page_limit
      offset page_offset
    ) as page
  );
end
$$;
comment on function private.list_reviews_as_counselor is 'Implementation of public.list_open_reviews, which calls it.';

create function public.list_open_reviews(page_limit integer default 100, page_offset integer default 0) returns jsonb
language sql stable set search_path = ''
begin atomic select private.list_reviews_as_counselor(least(greatest(page_limit, 0), 200), greatest(page_offset, 0)); end;
comment on function public.list_open_reviews is 'Open and claimed reviews with the students'' names, highest risk first, then oldest first: an array, at most 200 a page. Called by counselors within a minute of log_access(''reviews_listed'').';
