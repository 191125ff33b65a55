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
create function private.act_on_refused_words(
  account uuid, level checkin.risk_level, check_in uuid, session uuid, refused jsonb default '{}'
) returns void
language plpgsql security definer set search_path = '' as $$
declare
  own_check_in constant uuid := (select c.id from checkin.check_ins c where c.id = check_in and c.user_id = account);
  own_session constant uuid := (
    select s.id from public.assessment_sessions s where own_check_in is null and s.id = session and s.user_id = account
  );
begin
  if not private.hold_consents(account) then
    return;
  end if;
  if own_check_in is not null then
    perform private.keep_crisis_level(own_check_in, account, level);
  elsif own_session is not null then
    perform private.open_clinical_review(account, 'session', own_session, level);
  else
    perform private.open_clinical_review(account, 'transcript', account, level);
  end if;
  -- The consent was asked for before the lock.
  if private.has_consent(account, 'text') then
    perform private.queue_reading(account, refused, session => own_session, check_in => own_check_in);
  end if;
end
$$;
comment on function private.act_on_refused_words is 'Opens the review of somebody whose call was refused and held crisis language of moderate level or more, and queues the reading of the words, {"words": {transcript, trace_id}}. Called by the edge functions.';
