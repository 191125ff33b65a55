create function private.universities_for_domain(domain text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    jsonb_agg(
      jsonb_build_object(
        'id', u.id,
        'name', u.name,
        'short_name', u.short_name,
        'branding', jsonb_strip_nulls(
          jsonb_build_object('logo_url', u.logo_url, 'primary_color', u.primary_color, 'secondary_color', u.secondary_color)
        ),
        'languages', u.languages,
        'crisis_resources', private.university_crisis_resources(u.id)
      )
    ),
    '[]'
  )
  from public.universities u
  where u.id = private.university_for('@' || universities_for_domain.domain, null)
$$;
comment on function private.universities_for_domain is 'What anybody may know of the university to which a sign-up with an address of this domain leads: an array of one {id, name, short_name, branding, languages, crisis_resources}, or of none. Called by api.';
