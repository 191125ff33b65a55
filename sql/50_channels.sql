create function private.owns_check_in_channel(topic text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from checkin.check_ins
    where user_id = (select auth.uid())
      and id = case
        when topic ~ '^check-in:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 10)::uuid
      end
  )
$$;
comment on function private.owns_check_in_channel is 'Whether a topic is the channel of one of the caller''s check-ins. Called by the policy on realtime.messages.';

create function private.owns_session_channel(topic text)
returns boolean
language sql
stable
security definer
set search_path = ''
as $$
  select exists (
    select from public.assessment_sessions
    where user_id = (select auth.uid())
      and id = case
        when topic ~ '^assessment:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(topic, 12)::uuid
      end
  )
$$;
comment on function private.owns_session_channel is 'Whether a topic is the channel of one of the caller''s sessions. Called by the policies on realtime.messages.';
