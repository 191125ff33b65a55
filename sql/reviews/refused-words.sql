-- A call that is refused may hold the words of somebody in danger: of an account without a role, a banned one, from a blocked address,
-- over a rate limit, refused by a security policy, with a body that is not valid.

create function private.hear_refused_words(account uuid, ended boolean) returns table (heard boolean, resources jsonb)
language plpgsql security definer set search_path = '' as $$
begin
  return query
  select private.has_consent(account, 'text') and l.allowed, private.crisis_resources(account)
  from private.consume_user_rate_limit(account, 'refused-words') l
  where not ended or exists (select from auth.users u where u.id = account and u.banned_until > now());
end
$$;
comment on function private.hear_refused_words is 'Whether the words of a call that was refused are looked at, and the help that is named in any case; no row when the account was deleted, or signed out. Called by the edge functions.';

-- Words that belong to nothing have the account for a source, so that their repetition is one.
create function private.act_on_refused_words(account uuid, level checkin.risk_level, check_in uuid, session uuid) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from checkin.check_ins c where c.id = check_in and c.user_id = account) then
    perform private.keep_crisis_level(check_in, account, level);
    return;
  end if;
  perform from auth.users where id = account for key share;
  if exists (select from public.assessment_sessions s where s.id = session and s.user_id = account) then
    perform private.open_clinical_review(account, 'session', session, level);
  else
    perform private.open_clinical_review(account, 'transcript', account, level);
  end if;
end
$$;
comment on function private.act_on_refused_words is 'Opens the review of somebody whose call was refused and held crisis language of moderate level or more. Called by the edge functions.';
