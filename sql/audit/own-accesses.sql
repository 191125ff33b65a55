-- What people are told of reads of their own data: from the entries that staff must write before they read.

create function private.accesses_to_own_data(before_entry bigint, page_limit integer)
returns table (entry bigint, occurred_at timestamptz, action public.audit_action, university_id text, role public.app_role, name text)
language sql stable security definer set search_path = '' as $$
  with person as materialized (
    select p.user_id, p.university_id from public.profiles p where p.user_id = (select private.current_account())
  ),
  page as (select least(greatest(page_limit, 0), 200) as size),
  entries as (
    (
      select e.id, e.occurred_at, e.action, e.university_id
      from person p
      join private.audit_identities i on i.account_id = p.user_id and i.party = 'subject'
      join public.audit_logs e on e.id = i.entry
      -- A claim that ends by itself is nobody's access.
      where e.action in ('student_read', 'account_read', 'review_changed', 'student_nudged') and e.actor_hash is not null
        and (before_entry is null or i.entry < before_entry)
      order by i.entry desc
      limit (select size from page)
    )
    union all
    -- Lists in which the person may have been: while counselors of the university could see them.
    (
      select e.id, e.occurred_at, e.action, e.university_id
      from person p
      join public.consents c on c.user_id = p.user_id and c.kind = 'counselor_access'
      join private.audit_log e
        on e.action = 'students_listed' and e.university_id = p.university_id
        and e.occurred_at between c.granted_at and coalesce(c.withdrawn_at, 'infinity')
      where before_entry is null or e.id < before_entry
      order by e.occurred_at desc
      limit (select size from page)
    )
    union all
    (
      select e.id, e.occurred_at, e.action, r.university_id
      from person p
      join public.clinical_reviews r on r.user_id = p.user_id
      join private.audit_log e
        on e.action = 'reviews_listed' and e.occurred_at between r.opened_at and coalesce(r.closed_at + private.closed_reviews_listed(), 'infinity')
      where e.details -> 'universities' ? r.university_id and (before_entry is null or e.id < before_entry)
      order by e.occurred_at desc
      limit (select size from page)
    )
  )
  select distinct on (e.id) e.id, e.occurred_at, e.action, e.university_id, staff.role, staff.name
  from entries e
  left join private.audit_identities actor on actor.entry = e.id and actor.party = 'actor'
  left join lateral (
    select s.role, nullif(btrim(f.first_name || ' ' || f.last_name), '') as name
    from public.user_roles s
    join public.profiles f on f.user_id = s.user_id
    where s.user_id = actor.account_id and s.role <> 'student'
      and (s.university_id = e.university_id or e.action = 'account_read' and s.role = 'security_admin')
    order by s.role
    limit 1
  ) staff on true
  where actor.account_id is distinct from (select user_id from person)
  order by e.id desc
  limit (select size from page)
$$;
comment on function private.accesses_to_own_data is 'Implementation of public.list_own_accesses, which calls it.';

create function public.list_own_accesses(before_entry bigint default null, page_limit integer default 50)
returns table (entry bigint, occurred_at timestamptz, action public.audit_action, university_id text, role public.app_role, name text)
language sql stable set search_path = ''
begin atomic
  select a.entry, a.occurred_at, a.action, a.university_id, a.role, a.name from private.accesses_to_own_data(before_entry, page_limit) a;
end;
comment on function public.list_own_accesses is 'Who of the staff read or handled what is stored of the caller, the newest first, at most 200 a page; the next page is before the last entry. The name is that of somebody who works at the university now. Called by everybody who is signed in and has a role.';
