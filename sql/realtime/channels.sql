select private.declare_term('channel_messages', '3 days', 'Messages of Realtime: from their sending.');

create function private.purge_channel_messages(cutoff timestamptz, at timestamptz, most integer) returns integer
language sql set search_path = '' as $$
  with gone as (
    delete from realtime.messages m
    where (m.id, m.inserted_at) in (
      select d.id, d.inserted_at from realtime.messages d where d.inserted_at < cutoff at time zone 'UTC' limit most
    )
    returning 1
  )
  select count(*)::integer from gone
$$;
comment on function private.purge_channel_messages is
  'Deletes messages from before the cutoff, by their key, as the table has partitions; returns how many. Called by private.purge_kind.';

create function private.id_in_topic(topic text, kind text) returns uuid
language sql immutable set search_path = '' as $$
  select case
    when topic ~ ('^' || kind || ':[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$') then substr(topic, length(kind) + 2)::uuid
  end
$$;
comment on function private.id_in_topic is 'The id in the topic of a channel of a kind, check-in or assessment; null in any other topic. Called where a channel''s owner is looked up.';

create function private.owns_session_channel(topic text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.assessment_sessions
    where user_id = (select private.current_account()) and id = private.id_in_topic(topic, 'assessment')
  )
$$;
comment on function private.owns_session_channel is 'Whether a topic is the channel of one of the caller''s sessions. Called by the policies on realtime.messages.';

create function private.owns_channel(topic text) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.owns_session_channel(topic)
    or exists (
      select from checkin.check_ins
      where user_id = (select private.current_account()) and id = private.id_in_topic(topic, 'check-in')
    )
    or coalesce(
      topic in (
        'support:' || (select private.current_account()), 'account:' || (select private.current_account()),
        'reviews:' || (select private.current_account())
      ),
      false
    )
$$;
comment on function private.owns_channel is 'Whether a topic is the channel of one of the caller''s check-ins or sessions, of the alerts about the caller, the caller''s own, or that of the reviews that they may handle. Called by the policies on realtime.messages.';

create function private.purge_messages(topics text[], purged_event text) returns void
language plpgsql set search_path = '' as $$
begin
  delete from realtime.messages m where m.topic = any (topics) and m.event = purged_event;
exception
  -- Of a platform that keeps the table to itself, and deletes what is older than three days.
  when insufficient_privilege then
    null;
end
$$;
comment on function private.purge_messages is 'Deletes the messages with an event from channels. Called by the withdrawal of consents.';

create function private.is_orphaned_topic(topic text) returns boolean
language sql stable set search_path = '' as $$
  select (
      private.id_in_topic(topic, 'check-in') is not null
      and not exists (select from checkin.check_ins c where c.id = private.id_in_topic(topic, 'check-in'))
    ) or (
      private.id_in_topic(topic, 'assessment') is not null
      and not exists (select from public.assessment_sessions s where s.id = private.id_in_topic(topic, 'assessment'))
    )
$$;
comment on function private.is_orphaned_topic is 'Whether a topic is the channel of a check-in or session that is gone, so that nothing says any more whose it was. Called by erasure.';

create function private.broadcast_account(account uuid, event text, payload jsonb) returns void
language sql security definer set search_path = '' as $$
  select realtime.send(payload, event, 'account:' || account, true)
$$;
comment on function private.broadcast_account is 'Broadcasts on a person''s own channel when the transaction commits. Called by exports.';

create function private.broadcast_check_in(check_in uuid, event text, payload jsonb) returns void
language sql security definer set search_path = '' as $$
  select realtime.send(payload, event, 'check-in:' || check_in, true)
$$;
comment on function private.broadcast_check_in is 'Broadcasts on the channel of a check-in when the transaction commits. Called by the pipeline.';

create function private.broadcast_session(session uuid, event text, payload jsonb) returns void
language sql security definer set search_path = '' as $$
  select realtime.send(payload || jsonb_build_object('session_id', session), event, 'assessment:' || session, true)
$$;
comment on function private.broadcast_session is 'Broadcasts on the channel of a session when the transaction commits. Called by the functions that store results of sessions.';

create function private.broadcast_session_error(session uuid, student uuid, failure jsonb) returns void
language sql set search_path = '' as $$
  select private.broadcast_session(session, 'error', failure)
  from public.assessment_sessions
  where id = session and user_id = student
$$;
comment on function private.broadcast_session_error is 'Broadcasts that a request for the session failed: {error, analysis_type?}. Called by the analysis functions.';
