create function private.has_feature(account uuid, feature text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return not exists (
    select
    from public.profiles p
    join public.universities u on u.id = p.university_id
    where p.user_id = account and not feature = any (u.features_enabled)
  );
end
$$;
comment on function private.has_feature is 'Whether the account''s university has switched a feature on; true without a university. Called by private.has_consent and private.guard_feature.';

create function private.guard_feature() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not private.has_feature(new.user_id, tg_argv[0]) then
    perform private.refuse(403, 'feature_disabled', 'Your university does not offer this.');
  end if;
  return new;
end
$$;
comment on function private.guard_feature is 'Trigger: what belongs to a feature is begun only where the university has switched it on.';
