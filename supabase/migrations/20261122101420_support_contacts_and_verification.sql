SET local check_function_bodies = off;

REVOKE ALL ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

ALTER TABLE "private"."support_alert_plan"
  DROP CONSTRAINT "support_alert_plan_position_range";

ALTER TABLE "private"."support_settings"
  DROP CONSTRAINT "support_settings_positive";

CREATE TABLE "private"."buddy_refusals" (
  "user_id"      uuid                     NOT NULL,
  "address_hash" text                     NOT NULL,
  "refused_at"   timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "buddy_refusals_address_hash_form" CHECK ((address_hash ~ '^[0-9a-f]{64}$'::text)),
  CONSTRAINT "buddy_refusals_pkey" PRIMARY KEY (user_id, address_hash)
);

ALTER TABLE "private"."support_settings"
  ADD COLUMN "daily_verifications" smallint NOT NULL DEFAULT 10;

ALTER TABLE "private"."support_settings"
  ADD COLUMN "max_contacts" smallint NOT NULL DEFAULT 50;

CREATE OR REPLACE FUNCTION private.audit_expiry (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select private.audit_verification(asked, 'verification_expired', null, null, '{}', at)
  where not asked.verified
    and asked.declined_at is null
    and not exists (
      select from public.buddy_verification_audit a
      where a.buddy_contact_id = asked.id
        and a.event_type = 'verification_expired'
        and a.created_at >= asked.verification_token_expires_at
    )
$function$;

CREATE OR REPLACE FUNCTION private.audit_verification (
  asked   public.buddy_contacts,
  event   text,
  ip      inet,
  agent   text,
  details jsonb,
  at      timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  insert into public.buddy_verification_audit (buddy_contact_id, user_id, event_type, ip_address, user_agent, metadata, created_at)
  values (asked.id, asked.user_id, event, ip, left(agent, 500), jsonb_strip_nulls(details), at)
$function$;

CREATE OR REPLACE FUNCTION private.cancel_all_to (
  contact uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.cancel_messages_to(contact);
  update private.buddy_links l
  set expires_at = now()
  from public.buddy_check_in_requests r
  where r.id = l.request_id and r.buddy_contact_id = contact and l.expires_at > now() and r.response_type is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_all_to_changed_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.cancel_all_to(old.id);
  return coalesce(new, old);
end
$function$;

CREATE OR REPLACE FUNCTION private.cancel_messages_to (
  contact uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update private.outbox o
  set status = 'cancelled', ended_at = now(), error_code = 'not_reachable'
  where o.contact_id = contact and o.status = 'queued'
$function$;

CREATE OR REPLACE FUNCTION private.contact_of_token (
  token_hash text
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select c.id
  from public.buddy_contacts c
  where c.verification_token = token_hash and private.has_consent(c.user_id, 'support_circle')
$function$;

CREATE OR REPLACE FUNCTION private.decide_verification (
  token_hash     text,
  accepted       boolean,
  reason         text,
  last_digits    text,
  time_zone      text,
  texts_at_night boolean,
  wording        jsonb,
  ip             inet,
  agent          text,
  method         text,
  at             timestamp with time zone
)
  RETURNS text
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(private.contact_of_token(token_hash));
  own_digits text := right(asked.phone, 4);
  state text;
begin
  -- Another link may have been sent before the contact was locked.
  if asked.verification_token is distinct from token_hash then
    return 'unknown';
  end if;
  state := private.verification_state(asked, at);
  if state = 'expired' then
    perform private.audit_expiry(asked, at);
  end if;
  if state <> 'open' then
    return state;
  end if;

  if not accepted then
    perform private.refuse_contact(asked, at);
    perform private.audit_verification(
      asked, 'verification_declined', ip, agent,
      jsonb_build_object('method', method, 'reason', nullif(btrim(left(reason, 500)), '')), at
    );
    return 'declined';
  end if;

  if asked.confirmation_tries >= 3 then
    return 'too_many_tries';
  end if;
  if last_digits is distinct from own_digits and not (method = 'link' and last_digits is null) then
    update public.buddy_contacts
    set confirmation_tries = confirmation_tries + 1
    where id = asked.id;
    return case when asked.confirmation_tries < 2 then 'wrong_digits' else 'too_many_tries' end;
  end if;
  -- An unknown zone is an error here rather than in every text that asks for the contact's time.
  perform at at time zone decide_verification.time_zone;
  update public.buddy_contacts
  set verified = true,
    verified_at = at,
    phone_confirmed_at = case when last_digits is not null then at end,
    time_zone = decide_verification.time_zone,
    texts_at_night = coalesce(decide_verification.texts_at_night, false)
  where id = asked.id;
  perform private.audit_verification(
    asked, 'verification_accepted', ip, agent,
    jsonb_build_object(
      'method', method,
      'wording', wording,
      'number_ends_in', own_digits,
      'number_confirmed', last_digits is not null,
      'time_zone', decide_verification.time_zone,
      'texts_at_night', coalesce(decide_verification.texts_at_night, false)
    ),
    at
  );
  return 'accepted';
end
$function$;

CREATE OR REPLACE FUNCTION private.end_alert (
  alert      uuid,
  new_status text,
  at         timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  update public.support_alerts a
  set status = new_status, ended_at = at
  where a.id = alert and a.status = 'open'
$function$;

CREATE OR REPLACE FUNCTION private.end_support_circle()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.lock_contacts_of(new.user_id);
  perform private.cancel_all_to(c.id) from public.buddy_contacts c where c.user_id = new.user_id;
  update public.buddy_contacts
  set verification_token = null, verification_token_expires_at = null
  where user_id = new.user_id and verification_token is not null;
  perform private.end_alert(a.id, 'resolved', now())
  from public.support_alerts a
  where a.user_id = new.user_id and a.status = 'open';
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_contact()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  activated boolean := new.is_active and (tg_op = 'INSERT' or not old.is_active);
begin
  -- Row-level security refuses this next; until then, nothing may be learned of another student.
  if new.user_id <> auth.uid() then
    return new;
  end if;
  if activated then
    if not private.has_consent(new.user_id, 'support_circle') then
      perform private.refuse(403, 'consent_required', 'Agree to the support circle first: consent support_circle.');
    end if;
    if new.declined_at is not null then
      perform private.refuse(409, 'buddy_unavailable', 'This person declined, and cannot be asked again.');
    end if;
    if new.priority_rank is null then
      select min(rank) into new.priority_rank
      from generate_series(1, 5) as rank
      where not exists (select from public.buddy_contacts c where c.user_id = new.user_id and c.priority_rank = rank);
    end if;
    if new.priority_rank is null then
      perform private.refuse(409, 'buddy_limit', 'A support circle has at most five active people. Deactivate one first.');
    end if;
  end if;
  if tg_op = 'INSERT' then
    perform private.refuse(409, 'buddy_limit', format('At most %s people are kept. Delete some first.', s.max_contacts))
    from private.support_settings s
    where (select count(*) from public.buddy_contacts c where c.user_id = new.user_id) >= s.max_contacts;
    return new;
  end if;

  if not new.is_active then
    new.priority_rank := null;
  end if;
  if (new.phone, new.email) is distinct from (old.phone, old.email) then
    new.verified := false;
    new.verified_at := null;
    new.phone_confirmed_at := null;
    new.confirmation_tries := 0;
    new.time_zone := null;
    new.texts_at_night := false;
    new.verification_token := null;
    new.verification_token_expires_at := null;
  end if;
  -- Somebody who declined can still read what they decided.
  if old.is_active and not new.is_active and new.declined_at is null then
    new.verification_token := null;
    new.verification_token_expires_at := null;
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.guard_pause()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.refuse(
    400, 'invalid_value', format('Alerts can be paused for %s days at most.', round(extract(epoch from s.longest_student_pause) / 86400))
  )
  from private.support_settings s
  where new.alerts_paused_until > now() + s.longest_student_pause;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_contact (
  contact uuid
)
  RETURNS public.buddy_contacts
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  locked public.buddy_contacts;
  student uuid := (select c.user_id from public.buddy_contacts c where c.id = contact);
begin
  perform from auth.users u where u.id = student for key share;
  perform private.lock_contacts_of(student);
  select * into locked from public.buddy_contacts c where c.id = contact for update;
  return locked;
end
$function$;

CREATE OR REPLACE FUNCTION private.lock_contacts_of (
  student uuid
)
  RETURNS void
  LANGUAGE sql
  SET search_path TO ''
  AS $function$
  select pg_advisory_xact_lock(54, hashtext(student::text))
$function$;

CREATE OR REPLACE FUNCTION private.lock_own_contacts()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if auth.uid() is not null then
    perform private.lock_contacts_of(auth.uid());
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.mailbox_hash (
  address text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select private.hash_of_number(private.mailbox_of(address))
$function$;

CREATE OR REPLACE FUNCTION private.personal_data_of (
  student uuid,
  page    integer
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with paging as (
    select 50 as size, greatest(page, 0)::bigint * 50 as skipped
  ),
  consents as (
    select to_jsonb(c) as consent, row_number() over (order by c.granted_at, c.id) as place
    from public.consents c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  check_ins as (
    select c, row_number() over (order by c.created_at, c.id) as place
    from checkin.check_ins c
    where c.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  transcripts as (
    select to_jsonb(t) - 'user_id' as transcript, row_number() over (order by t.created_at, t.id) as place
    from private.transcript_results t
    where t.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  verifications as (
    select to_jsonb(a) - array['ip_address', 'user_agent'] as verification, row_number() over (order by a.created_at, a.id) as place
    from public.buddy_verification_audit a
    where a.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  ),
  sessions as (
    select s, row_number() over (order by s.created_at, s.id) as place
    from public.assessment_sessions s
    where s.user_id = student
    order by place
    limit (select size from paging) offset (select skipped from paging)
  )
  select jsonb_build_object(
    'exported_at', now(),
    'page', greatest(page, 0),
    'next_page', (
      select case
        when p.size + p.skipped < greatest(
          (select count(*) from public.consents c where c.user_id = student),
          (select count(*) from checkin.check_ins c where c.user_id = student),
          (select count(*) from private.transcript_results t where t.user_id = student),
          (select count(*) from public.buddy_verification_audit a where a.user_id = student),
          (select count(*) from public.assessment_sessions s where s.user_id = student)
        ) then greatest(page, 0) + 1
      end
      from paging p
    ),
    'profile', (select to_jsonb(p) from public.profiles p where p.user_id = student),
    'enrolment', (select to_jsonb(s) from public.students s where s.user_id = student),
    'roles', (select coalesce(jsonb_agg(to_jsonb(r) - 'id' order by r.created_at, r.id), '[]') from public.user_roles r where r.user_id = student),
    'baseline', (select to_jsonb(b) from checkin.user_baselines b where b.user_id = student),
    'consents', (select coalesce(jsonb_agg(c.consent order by c.place), '[]') from consents c),
    'check_ins', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.c) || jsonb_build_object(
            'audio_analysis', to_jsonb(a), 'visual_analysis', to_jsonb(v), 'text_analysis', to_jsonb(t), 'result', to_jsonb(f)
          )
          order by i.place
        ),
        '[]'
      )
      from check_ins i
      left join checkin.audio_analysis a on a.check_in_id = (i.c).id
      left join checkin.visual_analysis v on v.check_in_id = (i.c).id
      left join checkin.text_analysis t on t.check_in_id = (i.c).id
      left join checkin.fusion_results f on f.check_in_id = (i.c).id
    ),
    'transcripts', (select coalesce(jsonb_agg(t.transcript order by t.place), '[]') from transcripts t),
    'contacts', (
      select coalesce(jsonb_agg(to_jsonb(c) - 'verification_token' order by c.created_at, c.id), '[]')
      from public.buddy_contacts c
      where c.user_id = student
    ),
    'contact_verifications', (select coalesce(jsonb_agg(v.verification order by v.place), '[]') from verifications v),
    'support_preferences', (select to_jsonb(p) from public.support_preferences p where p.user_id = student),
    'sessions', (
      select coalesce(
        jsonb_agg(
          to_jsonb(i.s) || jsonb_build_object(
            'analyses', (
              select coalesce(jsonb_agg(to_jsonb(a) order by a.modality), '[]')
              from public.session_analyses a
              where a.session_id = (i.s).id
            ),
            'score', (select to_jsonb(r) from public.session_scores r where r.session_id = (i.s).id)
          )
          order by i.place
        ),
        '[]'
      )
      from sessions i
    )
  )
$function$;

CREATE OR REPLACE FUNCTION private.purge_declined_contacts()
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  delete from public.buddy_contacts c
  using private.support_settings s
  where c.declined_at < now() - s.keep_declined
$function$;

CREATE OR REPLACE FUNCTION private.read_verification (
  token_hash text,
  at         timestamp with time zone
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  contact uuid := private.contact_of_token(token_hash);
  asked public.buddy_contacts;
  state text;
begin
  select * into asked from public.buddy_contacts c where c.id = contact;
  state := private.verification_state(asked, at);
  if state = 'expired' then
    asked := private.lock_contact(contact);
    perform private.audit_expiry(asked, at) where asked.verification_token = token_hash;
  end if;
  return jsonb_build_object('state', state, 'resources', private.crisis_resources(asked.user_id))
    || case
      when asked.id is null then '{}'
      else jsonb_build_object(
        'contact_name', private.name_in_message(asked.name, 'there'),
        'student_name', private.student_in_message(asked.user_id),
        'tries_left', 3 - asked.confirmation_tries
      )
    end
    || case
      when state <> 'decided' then '{}'
      else jsonb_build_object('decision', case when asked.verified then 'accepted' else 'declined' end)
    end;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse (
  status  integer,
  code    text,
  message text
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  raise exception '%', message using errcode = 'PT' || status, hint = code;
end
$function$;

CREATE OR REPLACE FUNCTION private.refuse_contact (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
begin
  insert into private.buddy_refusals (user_id, address_hash, refused_at)
  select asked.user_id, address_hash, at
  from (
    values (private.mailbox_hash(asked.email)), (case when asked.verified then private.hash_of_number(asked.phone) end)
  ) as refused (address_hash)
  where address_hash is not null
  on conflict do nothing;
  update public.buddy_contacts
  set declined_at = at, is_active = false, verified = false
  where id = asked.id;
end
$function$;

CREATE OR REPLACE FUNCTION private.reorder_contacts (
  contact_ids uuid[]
)
  RETURNS uuid[]
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  student uuid := (select private.current_account());
begin
  if exists (
    select from unnest(contact_ids) as named
    where not exists (select from public.buddy_contacts c where c.id = named and c.user_id = student)
  ) then
    raise exception 'Only your own contacts can be ordered.' using errcode = 'insufficient_privilege';
  end if;
  -- In this order, as the deletion of the account takes them.
  perform from auth.users u where u.id = student for key share;
  perform private.lock_contacts_of(student);
  if (select array_agg(id order by id) from unnest(contact_ids) as id)
    is distinct from (select array_agg(c.id order by c.id) from public.buddy_contacts c where c.user_id = student and c.is_active)
  then
    perform private.refuse(400, 'invalid_value', 'Name each of your active contacts once, in the new order.');
  end if;
  update public.buddy_contacts c
  set priority_rank = o.place
  from unnest(contact_ids) with ordinality as o (id, place)
  where c.id = o.id and c.user_id = student and c.is_active;
  return contact_ids;
end
$function$;

CREATE OR REPLACE FUNCTION private.send_verification (
  student       uuid,
  contact       uuid,
  checked_phone text,
  ip            inet,
  agent         text,
  at            timestamp with time zone
)
  RETURNS TABLE (
    outcome       text,
    retry_after_s integer
  )
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(contact);
  settings private.support_settings;
  mailbox text := private.mailbox_hash(asked.email);
  token text := private.new_link_token();
  sent record;
begin
  select * into strict settings from private.support_settings;
  select
    count(*) filter (where s.mailbox_hash = mailbox) as to_mailbox,
    max(s.sent_at) filter (where s.mailbox_hash = mailbox) as last_to_mailbox,
    count(*) filter (where s.sent_at > at - interval '1 day') as today,
    min(s.sent_at) filter (where s.sent_at > at - interval '1 day') as first_today
  into sent
  from private.buddy_verification_sends s
  where s.user_id = student;

  outcome := case
    when asked.user_id is distinct from student then 'not_found'
    when asked.phone <> checked_phone then 'changed'
    when not private.has_consent(student, 'support_circle') then 'no_consent'
    when asked.verified then 'verified'
    when not asked.is_active then 'unavailable'
    when asked.email is null then 'no_email'
    when exists (
      select from private.buddy_refusals r
      where r.user_id = student and r.address_hash in (mailbox, private.hash_of_number(asked.phone))
    ) then 'unavailable'
    when sent.to_mailbox >= settings.max_verifications then 'exhausted'
    when sent.last_to_mailbox > at - settings.verification_pause or sent.today >= settings.daily_verifications then 'too_soon'
    when sent.to_mailbox = 0 then 'sent'
    else 'resent'
  end;
  if outcome = 'too_soon' then
    retry_after_s := ceil(extract(epoch from greatest(
      sent.last_to_mailbox + settings.verification_pause,
      case when sent.today >= settings.daily_verifications then sent.first_today + interval '1 day' end
    ) - at));
  end if;
  if outcome in ('sent', 'resent') then
    perform private.cancel_messages_to(contact);
    update public.buddy_contacts
    set verification_token = private.link_token_hash(token),
      verification_token_expires_at = at + settings.link_valid,
      confirmation_tries = 0
    where id = contact;
    insert into private.buddy_verification_sends (user_id, mailbox_hash, sent_at) values (student, mailbox, at);
    insert into private.outbox (channel, purpose, user_id, contact_id, recipient, subject, body)
    select 'email', 'buddy_verification', student, contact, asked.email, e.subject, e.body
    from private.verification_email(asked, token) e;
    perform private.audit_verification(asked, 'verification_' || outcome, ip, agent, '{}', at);
  end if;
  return next;
end
$function$;

CREATE OR REPLACE FUNCTION private.student_in_message (
  student uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select private.name_in_message(
    (select p.first_name || ' ' || p.last_name from public.profiles p where p.user_id = student), 'A student whom you know'
  )
$function$;

CREATE OR REPLACE FUNCTION private.verification_email (
  asked public.buddy_contacts,
  token text
)
  RETURNS TABLE (
    subject text,
    body    text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select
    format('%s would like you in their support circle', n.student),
    format(
      E'Hi %s,\n\n'
      '%s named you as somebody they trust, and asks whether you would be one of up to five people in their support circle'
      ' on the student wellbeing service%s.\n\n'
      'If you agree, you may now and then get a text message that asks you to check in on them: because they ask for it, or'
      ' because they have seemed to be struggling for some days. You call or write to them as you would anyway. You learn'
      ' nothing else about them, and you are never responsible for them.\n\n'
      'Read more and decide here, within %s days:\n%s\n\n'
      'If you do not want this, or do not know who this is, say no on that page or ignore this email: nobody is texted who has not'
      ' agreed. You can also stop later, at any time, by replying STOP to a text.\n\n'
      'If somebody is in danger now, call the emergency services.',
      n.contact, n.student, coalesce(' of ' || n.university, ''),
      round(extract(epoch from s.link_valid) / 86400),
      private.pages_url() || '/api/buddy/verify?token=' || token
    )
  from private.support_settings s
  cross join lateral (
    select
      private.name_in_message(asked.name, 'there') as contact,
      private.student_in_message(asked.user_id) as student,
      (
        select private.name_in_message(u.name, u.short_name)
        from public.profiles p
        join public.universities u on u.id = p.university_id
        where p.user_id = asked.user_id
      ) as university
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.verification_state (
  asked public.buddy_contacts,
  at    timestamp with time zone
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
      when asked.id is null then 'unknown'
      when at >= asked.verification_token_expires_at then 'expired'
      when asked.verified or asked.declined_at is not null then 'decided'
      else 'open'
    end
$function$;

CREATE OR REPLACE FUNCTION private.withdraw_contact (
  contact  uuid,
  heard_by text,
  at       timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  asked public.buddy_contacts := private.lock_contact(contact);
begin
  if asked.id is null or asked.declined_at is not null then
    return;
  end if;
  perform private.refuse_contact(asked, at);
  perform private.audit_verification(
    asked, 'verification_declined', null, null, jsonb_build_object('method', heard_by, 'withdrawn', asked.verified), at
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.reorder_buddies (
  contact_ids uuid[]
)
  RETURNS uuid[]
  LANGUAGE sql
  SET search_path TO ''
BEGIN ATOMIC
 SELECT private.reorder_contacts(contact_ids)
  AS reorder_contacts;
END;

REVOKE ALL ON FUNCTION "public"."reorder_buddies"(uuid[]) FROM PUBLIC, "anon", "service_role";

ALTER TABLE "private"."buddy_refusals"
  ADD CONSTRAINT "buddy_refusals_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

ALTER TABLE "private"."support_alert_plan"
  ADD CONSTRAINT "support_alert_plan_position_range" CHECK (((("position" >= 1) AND ("position" <= 5)) AND ((step >= 1) AND (step <= "position"))));

ALTER TABLE "private"."support_settings"
  ADD CONSTRAINT "support_settings_positive"
    CHECK
    (((link_valid > '00:00:00'::interval) AND (verification_pause > '00:00:00'::interval) AND (max_verifications > 0) AND (daily_verifications > 0) AND (max_contacts >= 5) AND
    (request_pause > '00:00:00'::interval) AND (alert_pause > '00:00:00'::interval) AND (response_time > '00:00:00'::interval) AND (contacts_at_once > 0) AND
    (alert_valid > response_time) AND (longest_student_pause > '00:00:00'::interval) AND (keep_declined > '00:00:00'::interval)));

CREATE CONSTRAINT TRIGGER audit_settings
  AFTER INSERT OR DELETE OR UPDATE ON private.support_settings DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  EXECUTE FUNCTION private.audit_settings('only_row');

CREATE TRIGGER cancel_all_to_changed_contact
  AFTER UPDATE ON public.buddy_contacts
  FOR EACH ROW
  WHEN (((old.is_active AND (NOT new.is_active)) OR ((old.phone IS DISTINCT FROM new.phone) OR (old.email IS DISTINCT FROM new.email))))
  EXECUTE FUNCTION private.cancel_all_to_changed_contact();

CREATE TRIGGER cancel_all_to_deleted_contact
  BEFORE DELETE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.cancel_all_to_changed_contact();

CREATE TRIGGER guard_contact
  BEFORE INSERT OR UPDATE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_contact();

CREATE TRIGGER lock_own_contacts
  BEFORE INSERT OR UPDATE OF is_active ON public.buddy_contacts
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.lock_own_contacts();

CREATE TRIGGER touch_updated_at
  BEFORE UPDATE ON public.buddy_contacts
  FOR EACH ROW
  EXECUTE FUNCTION private.touch_updated_at();

CREATE TRIGGER end_support_circle
  AFTER UPDATE ON public.consents
  FOR EACH ROW
  WHEN (((new.kind = 'support_circle'::public.consent_kind) AND (old.withdrawn_at IS NULL) AND (new.withdrawn_at IS NOT NULL)))
  EXECUTE FUNCTION private.end_support_circle();

CREATE TRIGGER guard_pause
  BEFORE INSERT OR UPDATE OF alerts_paused_until ON public.support_preferences
  FOR EACH ROW
  EXECUTE FUNCTION private.guard_pause();

COMMENT ON COLUMN "private"."buddy_refusals"."address_hash" IS 'private.hash_of_number of the mailbox and, of somebody who had agreed, of the number.';

COMMENT ON COLUMN "private"."buddy_refusals"."refused_at" IS 'When they declined or withdrew.';

COMMENT ON COLUMN "private"."buddy_refusals"."user_id" IS 'The student.';

COMMENT ON COLUMN "private"."support_settings"."daily_verifications" IS 'Verification emails of a student within 24 hours, to whomever.';

COMMENT ON COLUMN "private"."support_settings"."max_contacts" IS 'Contacts that a student may keep, inactive ones included.';

COMMENT ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp with time zone) IS 'Stores, once a link, that it expired before a decision. Called by private.read_verification and private.decide_verification, which lock the contact.';

COMMENT ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp with time zone) IS 'Stores what became of a verification. Called by the functions that send and decide it.';

COMMENT ON FUNCTION "private"."cancel_all_to"(uuid) IS 'Cancels what is queued to a contact and ends the links that wait for an answer. Called when a contact may no longer be reached as before.';

COMMENT ON FUNCTION "private"."cancel_all_to_changed_contact"() IS 'Trigger: nothing more goes to a contact who was deactivated, declined, got another number or address, or is deleted.';

COMMENT ON FUNCTION "private"."cancel_messages_to"(uuid) IS 'Cancels every message to a contact that waits. Called when the contact may no longer be reached.';

COMMENT ON FUNCTION "private"."contact_of_token"(text) IS 'The contact whom the link of a verification leads to; null when it leads nowhere. Called by private.read_verification and private.decide_verification.';

COMMENT ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp with time zone) IS 'Decides a verification, once a link: accepted, declined, wrong_digits, too_many_tries, expired, decided or unknown. Whoever accepts by the form gives the last four digits of the number, three times at most a link; the method "link" may leave them out. "wording" is what was agreed to: {version, text}. Called by the edge functions.';

COMMENT ON FUNCTION "private"."end_alert"(uuid, text, timestamp with time zone) IS 'Ends an open alert. Called by private.end_support_circle.';

COMMENT ON FUNCTION "private"."end_support_circle"() IS 'Trigger: with the consent ends what is under way: queued messages, links, verifications and an alert. Contacts stay as they are, for a new consent.';

COMMENT ON FUNCTION "private"."guard_contact"() IS 'Trigger: an active contact needs the student''s consent and gets the lowest free rank; who declined stays inactive; a change of phone or email needs a new verification.';

COMMENT ON FUNCTION "private"."guard_pause"() IS 'Trigger: alerts are paused for as long as private.support_settings allows.';

COMMENT ON FUNCTION "private"."link_token_hash"(text) IS 'What is stored of a link''s token: its SHA-256, hexadecimal. Called where a link is made, and by the edge functions where one is opened.';

COMMENT ON FUNCTION "private"."lock_contact"(uuid) IS 'Locks a contact and returns it as it is then; null when there is none. Called by the functions that decide about contacts.';

COMMENT ON FUNCTION "private"."lock_contacts_of"(uuid) IS 'Lets one transaction at a time give ranks to a student''s contacts or send their verifications. Called before a contact is locked.';

COMMENT ON FUNCTION "private"."lock_own_contacts"() IS 'Trigger: of a student''s parallel calls each sees the ranks that the others took. The constraint on the ranks alone holds for the service''s own changes.';

COMMENT ON FUNCTION "private"."mailbox_hash"(text) IS 'Hash of the mailbox that an address leads to, under the project''s own key. Called where an address must be known again after its contact is gone.';

COMMENT ON FUNCTION "private"."name_in_message"(text, text) IS 'A name as messages and pages show it: without links, line breaks and control characters, 40 characters at most; "otherwise" when nothing is left. Called wherever a message or a page shows a name.';

COMMENT ON FUNCTION "private"."pages_url"() IS 'Where people see the pages: the address that links in messages begin with; null until Vault has it. Called wherever a contact is sent a link.';

COMMENT ON FUNCTION "private"."purge_declined_contacts"() IS 'Deletes contacts who declined longer ago than keep_declined. Called by cron.';

COMMENT ON FUNCTION "private"."read_verification"(text, timestamp with time zone) IS 'What the page of a link shows: {state: open, expired, decided or unknown, contact_name, student_name, tries_left, decision: accepted or declined, resources}. Changes nothing, except that the first look at an expired link is in the audit. Called by the edge functions.';

COMMENT ON FUNCTION "private"."refuse"(integer, text, text) IS 'Raises an error with a status, a code of docs/errors.md and a message without values of rows. Called by rules that clients run into.';

COMMENT ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp with time zone) IS 'Ends a contact who declined or withdrew; the number counts only of somebody who had agreed with it. Called by private.decide_verification and private.withdraw_contact, which lock the contact.';

COMMENT ON FUNCTION "private"."reorder_contacts"(uuid[]) IS 'Implementation of public.reorder_buddies, which calls it.';

COMMENT ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp with time zone) IS 'Emails a contact the link to decide: sent, resent, or why not (not_found, changed, no_consent, verified, unavailable, no_email, exhausted, too_soon). "checked_phone" is the number that was found valid. Called by the edge functions.';

COMMENT ON FUNCTION "private"."student_in_message"(uuid) IS 'The whole name of a student, for somebody who has yet to agree and must know who asks. Called by private.verification_email and private.read_verification.';

COMMENT ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) IS 'The email that asks a contact whether they agree; its link alone decides nothing. Called by private.send_verification.';

COMMENT ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp with time zone) IS 'State of a link that leads to this contact: open, decided, expired or unknown. Called by private.read_verification and private.decide_verification.';

COMMENT ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp with time zone) IS 'Ends a contact who stops on a page, as if they had declined; nothing more goes to them. Called by the edge functions.';

COMMENT ON FUNCTION "public"."reorder_buddies"(uuid[]) IS 'Ranks the caller''s active contacts in the order given, which names each of them once. Called by students after drag-and-drop.';

COMMENT ON TABLE "private"."buddy_refusals" IS 'Who declined or withdrew, by student, so that they are not asked again when the contact is deleted and added again.';

REVOKE ALL ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_expiry"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."audit_verification"(public.buddy_contacts, text, inet, text, jsonb, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_all_to"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_all_to"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_all_to"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_all_to_changed_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_all_to_changed_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_all_to_changed_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."cancel_messages_to"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."cancel_messages_to"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."cancel_messages_to"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."contact_of_token"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."contact_of_token"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."contact_of_token"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."decide_verification"(text, boolean, text, text, text, boolean, jsonb, inet, text, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_alert"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_alert"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_alert"(uuid, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."end_support_circle"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_support_circle"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."end_support_circle"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_contact"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_contact"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_contact"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."guard_pause"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."guard_pause"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."guard_pause"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_contact"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_contact"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_contact"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_contacts_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_contacts_of"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_contacts_of"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."lock_own_contacts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_own_contacts"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."lock_own_contacts"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."mailbox_hash"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mailbox_hash"(text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."mailbox_hash"(text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."purge_declined_contacts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."purge_declined_contacts"() FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."purge_declined_contacts"() TO "postgres";

REVOKE ALL ON FUNCTION "private"."read_verification"(text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."read_verification"(text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."read_verification"(text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse"(integer, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse"(integer, text, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse"(integer, text, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."refuse_contact"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."reorder_contacts"(uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."reorder_contacts"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."reorder_contacts"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."reorder_contacts"(uuid[]) TO "postgres";

REVOKE ALL ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."send_verification"(uuid, uuid, text, inet, text, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."student_in_message"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."student_in_message"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."student_in_message"(uuid) TO "postgres";

REVOKE ALL ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."verification_email"(public.buddy_contacts, text) TO "postgres";

REVOKE ALL ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."verification_state"(public.buddy_contacts, timestamp WITH time zone) TO "postgres";

REVOKE ALL ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "private"."withdraw_contact"(uuid, text, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."reorder_buddies"(uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."reorder_buddies"(uuid[]) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."reorder_buddies"(uuid[]) TO "postgres";

REVOKE ALL ("buddy_contact_id") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("buddy_contact_id") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("created_at") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("created_at") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("event_type") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("event_type") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("metadata") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("metadata") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

REVOKE ALL ("user_id") ON TABLE "public"."buddy_verification_audit" FROM "authenticated";

GRANT SELECT ("user_id") ON TABLE "public"."buddy_verification_audit" TO "authenticated";

SELECT cron.schedule_in_database('purge-declined-contacts', '57 3 * * *', 'select private.purge_declined_contacts()', 'postgres', NULL, true);

-- No policies: this file holds rows, not tables.

-- Rows that the schema needs. Each statement can be run again; every migration ends with them, because a diff contains no rows.
insert into private.audit_head default values on conflict do nothing;
insert into private.audit_proof default values on conflict do nothing;
insert into private.cohort_settings default values on conflict do nothing;
insert into private.pipeline_settings default values on conflict do nothing;
insert into private.messaging_settings default values on conflict do nothing;
insert into private.student_limits default values on conflict do nothing;
insert into private.support_settings default values on conflict do nothing;
select vault.create_secret(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'number_hash_key')
where not exists (select from vault.secrets where name = 'number_hash_key');
insert into private.rate_limit_rules (scope, requests, daily_requests)
values
  ('data-api', 100, null),
  ('file-upload', 10, 200),
  ('bulk', 5, null),
  ('analyze-audio', 10, 500),
  ('analyze-visual', 5, 500),
  ('analyze-text', 20, 500),
  ('calculate-wellbeing-score', 10, 500),
  ('textmodel', 20, 200),
  ('check-in-start', 10, 10),
  ('check-in-complete', 10, 60),
  ('check-in-get', 120, null)
on conflict do nothing;
insert into private.rate_limit_rules (scope, requests, period)
values
  ('sign-in', 10, '5 minutes'),
  ('sign-up', 5, '1 hour'),
  ('refresh', 30, '5 minutes'),
  ('audit', 600, '1 hour')
on conflict do nothing;
insert into private.mailboxes (mailbox, user_id)
select distinct on (private.mailbox_of(email)) private.mailbox_of(email), id
from auth.users
where email is not null and email_confirmed_at is not null
order by private.mailbox_of(email), email_confirmed_at, id
on conflict do nothing;
insert into public.students (user_id, university_id, counselor_access)
select p.user_id, p.university_id, private.has_consent(p.user_id, 'counselor_access')
from public.profiles p
where exists (select from public.user_roles r where r.user_id = p.user_id and r.role = 'student')
on conflict do nothing;

select cron.schedule('dispatch-due-jobs', '5 seconds', 'select private.dispatch_due_jobs()');
select cron.schedule('expire-check-ins', '*/5 * * * *', 'select private.expire_check_ins()');
select cron.schedule('dispatch-due-messages', '10 seconds', 'select private.dispatch_due_messages()');
select cron.schedule('daily-rollup', '12 * * * *', $$ select private.roll_up_days((now() at time zone 'UTC')::date - 1) $$);
select cron.schedule('purge-rate-limit-uses', '47 3 * * *', 'select private.purge_rate_limit_uses()');
select cron.schedule('purge-sent-messages', '27 3 * * *', 'select private.purge_sent_messages()');
select cron.schedule('purge-declined-contacts', '57 3 * * *', 'select private.purge_declined_contacts()');
select cron.schedule('purge-transcript-results', '37 3 * * *', 'select private.purge_transcript_results()');
select cron.schedule('verify-audit-log', '*/10 * * * *', 'select public.verify_audit_chain()');
select cron.schedule('send-review-digests', '22 * * * *', 'select private.send_review_digests()');
select cron.schedule(
  'purge-cron-runs',
  '17 3 * * *',
  $$ delete from cron.job_run_details where end_time < now() - interval '7 days' $$
);

-- PostgREST reads its settings from this role, which is the cluster's: not set again, so that databases do not wait for each other.
do $$
begin
  if not exists (
    select from pg_roles where rolname = 'authenticator' and 'pgrst.db_pre_request=public.check_request' = any (rolconfig)
  ) then
    alter role authenticator set pgrst.db_pre_request = 'public.check_request';
  end if;
  notify pgrst, 'reload config';
end
$$;
