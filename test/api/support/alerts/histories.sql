-- The world of the histories: a scratch database whose clock a test sets, students with contacts, and what may happen to them.
-- Facts are logged here as they happen, and violations are found from them.
create schema tests;

create table tests.students (id uuid primary key, n integer not null);
create table tests.opt_outs (number text primary key);
create table tests.frozen (alert_id uuid, contact_id uuid, step integer);
create index on tests.frozen (alert_id);
create table tests.texts (alert_id uuid, contact_id uuid, called_at timestamptz);
create index on tests.texts (alert_id);
create table tests.violations (rule text not null, detail text, at timestamptz not null default now());
create table tests.counts (fact text primary key, n bigint not null);

create function tests.count(fact text, n bigint default 1)
returns void
language sql
as $$
  insert into tests.counts as c values (fact, n) on conflict on constraint counts_pkey do update set n = c.n + excluded.n
$$;

-- Whom an alert may ask is what its plan held when it was opened.
create function tests.freeze_plan() returns trigger language plpgsql as $$
begin
  insert into tests.frozen select n.alert_id, n.contact_id, n.step from added n;
  return null;
end
$$;
create trigger freeze_plan after insert on private.support_alert_plan
referencing new table as added for each statement execute function tests.freeze_plan();

-- Between any two statements: a lost connection ends the whole run, another error one student's part of it.
create function tests.break_off() returns trigger language plpgsql as $$
declare
  rate double precision := coalesce(nullif(current_setting('tests.faults', true), '')::double precision, 0);
begin
  if rate > 0 and random() < rate then
    if random() < 0.3 then
      raise exception 'killed' using errcode = 'query_canceled';
    end if;
    raise exception 'broken' using errcode = 'internal_error';
  end if;
  return null;
end
$$;
create trigger break_off after insert or update on private.outbox for each row execute function tests.break_off();
create trigger break_off after insert or update on private.support_alert_plan for each row execute function tests.break_off();
create trigger break_off after insert or update on public.support_alerts for each row execute function tests.break_off();
create trigger break_off after insert or update on public.buddy_check_in_requests for each row execute function tests.break_off();
create trigger break_off after insert on public.clinical_reviews for each row execute function tests.break_off();

create function tests.chance(probability double precision)
returns boolean
language sql
volatile
as $$ select random() < probability $$;

create function tests.new_number()
returns text
language sql
volatile
as $$
  select case when random() < 0.1 then '+120255501' || lpad(floor(random() * 100)::text, 2, '0')
    else '+447700900' || lpad(floor(random() * 1000)::text, 3, '0') end
$$;

create function tests.new_contact(student uuid, rank integer)
returns void
language sql
as $$
  insert into public.buddy_contacts (
    user_id, name, phone, email, priority_rank, verified, verified_at, phone_confirmed_at, phone_confirmed_by, time_zone, texts_at_night
  )
  select student, 'Robin', number, 'robin' || rank || '@example.com', rank, agreed, case when agreed then now() end,
    case when confirmed then now() end, case when confirmed then 'reply' end,
    (array['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'])[1 + floor(random() * 5)],
    tests.chance(0.4)
  from (select tests.new_number() as number, tests.chance(0.85) as agreed, tests.chance(0.9) as confirmed) as made
  -- Without the consent nobody names a contact; those named before a withdrawal stay.
  where private.has_consent(student, 'support_circle')
  on conflict (user_id, phone) where is_active do nothing
$$;

create function tests.make_students(amount integer)
returns void
language plpgsql
as $$
begin
  insert into public.universities (id, name, short_name, domain, support_email)
  values ('hillside', 'Hillside University (invented)', 'Hillside', 'hillside.example.edu', 'help@hillside.example.edu');
  insert into auth.users (id, email, aud, role, raw_user_meta_data, email_confirmed_at)
  select gen_random_uuid(), 'student' || n || '@hillside.example.edu', 'authenticated', 'authenticated', '{}', now()
  from generate_series(1, amount) n;
  -- All these students' texts would cost more than one service's may.
  update private.support_settings set daily_text_cost = 10000000, daily_first_text_cost = 10000000;
  insert into tests.students select id, row_number() over (order by email) from auth.users;
  insert into auth.sessions (id, user_id) select id, id from tests.students;
end
$$;

-- Histories are stored whole, with what people agreed to themselves.
alter table public.consents disable trigger require_student, disable trigger refuse_emptying;
alter table public.buddy_contacts disable trigger require_answer, disable trigger require_answer_changed;
alter table public.support_preferences disable trigger require_own_choice;
alter table private.text_opt_outs disable trigger require_answer, disable trigger refuse_emptying;

-- The same accounts with another past: one history each.
create function tests.begin_histories()
returns void
language plpgsql
as $$
begin
  -- Reviews are kept otherwise.
  set local session_replication_role = replica;
  truncate tests.opt_outs, tests.frozen, tests.texts, private.text_opt_outs, private.outbox, private.worrying_days,
    public.support_preferences, public.buddy_contacts, public.support_alerts, public.buddy_check_in_requests, checkin.check_ins,
    public.consents, public.clinical_reviews, private.support_standstills, realtime.messages cascade;
  set local session_replication_role = origin;
  insert into public.consents (user_id, kind, version) select id, 'support_circle', '2026-11' from tests.students where tests.chance(0.95);
  perform tests.new_contact(s.id, rank)
  from (select id, case when tests.chance(0.1) then 0 else 1 + floor(random() * 5)::integer end as contacts from tests.students) s
  cross join lateral generate_series(1, s.contacts) rank;
  insert into private.worrying_days (user_id, day)
  select s.id, now()::date - ago
  from tests.students s cross join generate_series(1, 5) ago
  where tests.chance(0.3);
  perform tests.count('histories', count(*)) from tests.students;
end
$$;

create function tests.report_all_right(person uuid)
returns void
language plpgsql
as $$
begin
  perform set_config(
    'request.jwt.claims',
    jsonb_build_object('sub', person, 'session_id', person, 'role', 'authenticated', 'aud', 'authenticated')::text, true
  );
  perform set_config('request.jwt.claim.sub', person::text, true);
  if public.report_all_right() is not null then
    perform tests.count('all right');
  end if;
end
$$;

create function tests.happen()
returns void
language plpgsql
as $$
begin
  insert into checkin.check_ins (user_id, type, status, risk_level, submitted_at, completed_at)
  select id, 'daily', 'complete',
    (array['none', 'mild', 'moderate', 'moderate', 'high'])[1 + floor(random() * 5)]::checkin.risk_level, now(), now()
  from tests.students
  where tests.chance(0.01);

  with stopped as (
    insert into tests.opt_outs select distinct phone from public.buddy_contacts where tests.chance(0.002)
    on conflict do nothing returning number
  )
  insert into private.text_opt_outs (number_hash, heard_by) select private.hash_of_number(number), 'reply' from stopped
  on conflict do nothing;
  with started as (
    delete from tests.opt_outs where tests.chance(0.03) returning number
  )
  delete from private.text_opt_outs o using started s where o.number_hash = private.hash_of_number(s.number);

  update public.consents set withdrawn_at = now() where withdrawn_at is null and granted_at <= now() and tests.chance(0.002);
  insert into public.consents (user_id, kind, version)
  select s.id, 'support_circle', '2026-11'
  from tests.students s
  where not exists (select from public.consents c where c.user_id = s.id and c.withdrawn_at is null) and tests.chance(0.05);
  insert into public.support_preferences (user_id, alerts_paused_until, pass_on_all_right)
  select id, now() + random() * interval '14 days', tests.chance(0.7) from tests.students where tests.chance(0.0005)
  on conflict do nothing;

  delete from public.buddy_contacts where tests.chance(0.003);
  update public.buddy_contacts set is_active = false, priority_rank = null, updated_at = now() where is_active and tests.chance(0.003);
  update public.buddy_contacts
  set verified = false, verified_at = null, updated_at = now()
  where verified and tests.chance(0.003);
  perform tests.new_contact(s.id, free.rank)
  from tests.students s
  cross join lateral (
    select min(rank) as rank
    from generate_series(1, 5) rank
    where not exists (select from public.buddy_contacts c where c.user_id = s.id and c.priority_rank = rank)
  ) as free
  where free.rank is not null and tests.chance(0.003);

  update public.buddy_check_in_requests
  set delivery_status = case when tests.chance(0.1) then 'undelivered' else 'delivered' end
  where delivery_status = 'sent' and tests.chance(0.2);

  perform tests.report_all_right(a.user_id) from public.support_alerts a where a.status = 'open' and tests.chance(0.01);
end
$$;

-- As private.answer_request: the first answer is stored, then takes effect. Each in a transaction of its own.
create procedure tests.answer_some(share double precision, student uuid default null)
language plpgsql
as $$
declare
  request uuid;
  chosen text;
begin
  for request in
    select array_agg(r.id)
    from public.buddy_check_in_requests r
    join private.outbox o on o.request_id = r.id and o.status in ('sent', 'unconfirmed')
    where r.response_type is null and r.user_id = coalesce(student, r.user_id) and tests.chance(share)
    group by r.id
  loop
    chosen := (array['called', 'messaged', 'unavailable', 'unavailable', 'unavailable'])[1 + floor(random() * 5)];
    update public.buddy_check_in_requests
    set response_type = chosen, response_received_at = now()
    where id = request and response_type is null;
    if found then
      perform private.answer_alert(request, chosen, now());
      perform tests.count('answers');
    end if;
    commit;
  end loop;
end
$$;

create function tests.forbidden(message private.outbox)
returns text
language plpgsql
as $$
begin
  return (select case
      when message.channel = 'email' then null
      when c.id is null then 'a text to a deleted contact'
      when not c.is_active then 'a text to an inactive contact'
      when not c.verified or c.phone <> message.recipient then 'a text to an unverified contact'
      when c.phone_confirmed_at is null then 'a text to a number that has not agreed'
      when exists (select from tests.opt_outs o where o.number = message.recipient) then 'a text after a stop'
      when not exists (
        select from public.consents k where k.user_id = message.user_id and k.kind = 'support_circle' and k.withdrawn_at is null
      ) then 'a text without consent'
      when not c.texts_at_night and (now() at time zone c.time_zone)::time not between '08:00' and '21:00' then 'a text at night'
      when message.purpose <> 'support_alert' then null
      when a.id is null then 'a text of no alert'
      when a.all_right_at is not null then 'a text after the student was all right'
      when exists (
        select
        from public.buddy_check_in_requests r
        join private.support_alert_plan q on q.request_id = r.id
        where q.alert_id = a.id and r.response_type in ('called', 'messaged')
      ) then 'a text after an answer'
      when a.status <> 'open' then 'a text after the end'
      when not exists (select from tests.frozen f where f.alert_id = a.id and f.contact_id = c.id) then 'a text beyond the plan'
      when exists (select from tests.texts t where t.alert_id = a.id and t.contact_id = c.id) then 'a second text'
    end
  from (select) as once
  left join public.buddy_contacts c on c.id = message.contact_id
  left join private.support_alert_plan p on p.request_id = message.request_id
  left join public.support_alerts a on a.id = p.alert_id);
end
$$;

-- As deliver-messages, one message a time, but that it may be killed before and after it calls the provider.
create procedure tests.send_due()
language plpgsql
as $$
declare
  message private.outbox;
  wrong text;
  fate double precision;
  outcome private.delivery_outcome;
begin
  update private.outbox set status = 'sent', ended_at = now() where channel = 'email' and status = 'queued' and send_at <= now();
  perform private.dispatch_due_messages();
  commit;
  loop
    select * into message from private.claim_messages(1);
    exit when message.id is null;
    commit;
    fate := random();
    continue when fate < 0.03;
    -- What the call before the provider's is for; the other connection does it too rarely just then.
    if fate > 0.95 then
      perform tests.report_all_right(message.user_id);
      commit;
    elsif fate > 0.80 then
      call tests.answer_some(1, message.user_id);
    end if;
    wrong := tests.forbidden(message);
    if not private.mark_provider_call(message.id, message.attempts) then
      -- Others were cancelled as they were claimed.
      if message.status = 'sending' then
        perform tests.count('texts held back');
      end if;
      commit;
      continue;
    end if;
    insert into tests.texts
    select p.alert_id, message.contact_id, now() from private.support_alert_plan p where p.request_id = message.request_id;
    if wrong is not null then
      insert into tests.violations (rule, detail) values (wrong, message.id);
    end if;
    perform tests.count(message.purpose);
    commit;
    continue when fate < 0.06;
    outcome := case when message.channel = 'email' then 'sent' when fate < 0.10 then 'unconfirmed' when fate < 0.15 then 'rejected' when fate < 0.25 then 'not_sent' else 'sent' end;
    if outcome = 'not_sent' then
      delete from tests.texts t using private.support_alert_plan p
      where p.request_id = message.request_id and t.alert_id = p.alert_id and t.contact_id = p.contact_id;
    end if;
    perform private.record_delivery(message.id, message.attempts, outcome, 'test', 'sent as', null, null);
    commit;
    update public.buddy_check_in_requests r
    set delivery_status = case o.status when 'sent' then 'sent' when 'dead' then 'failed' when 'unconfirmed' then 'unconfirmed' else r.delivery_status end,
      sent_at = case when o.status = 'sent' then now() end
    from private.outbox o
    where o.id = message.id and r.id = o.request_id;
    commit;
  end loop;
end
$$;

-- When the clock was last set to, which goes on from there: before the run that came then.
create function tests.set_to()
returns timestamptz
language sql
stable
as $$ select current_setting('tests.now')::timestamptz $$;

-- After a run that nothing disturbed.
create function tests.check()
returns void
language sql
as $$
  insert into tests.violations (rule, detail)
  select 'standstill: ' || f.kind, concat_ws(' ', f.user_id, to_jsonb(a), (
      select jsonb_agg(to_jsonb(r) || jsonb_build_object('message', o.status, 'step', p.step) order by p.position)
      from private.support_alert_plan p
      left join public.buddy_check_in_requests r on r.id = p.request_id
      left join private.outbox o on o.request_id = r.id
      where p.alert_id = f.alert_id
    ))
  from private.standstills_at(now()) f
  left join public.support_alerts a on a.id = f.alert_id
  -- What a clock that was set back makes look wrong is no fault of the service.
  where f.kind not in ('text_stuck', 'crisis_mail_stuck', 'clock_wrong') and (a.ended_at is null or a.ended_at between a.opened_at and now())
    and not exists (
      select from public.buddy_check_in_requests r where r.user_id = a.user_id and r.created_at > a.step_began_at
    )
    and not exists (
      select
      from public.consents c
      where c.user_id = a.user_id and c.withdrawn_at > a.ended_at and c.withdrawn_at < a.ended_at + interval '1 hour'
    )
  union all
  select 'open after its time', id::text from public.support_alerts a where a.status = 'open' and a.opened_at + interval '48 hours' <= tests.set_to()
  union all
  -- Contacts of the step before, who are still awaited.
  select 'asked the next too soon', a.id::text
  from public.support_alerts a
  join private.support_alert_plan p on p.alert_id = a.id and p.step = a.step - 1
  join public.buddy_check_in_requests r on r.id = p.request_id
  join public.buddy_contacts c on c.id = p.contact_id and c.is_active and c.verified and c.phone_confirmed_at is not null
  where a.status = 'open' and a.step_began_at between tests.set_to() and now() and r.response_type is null
    and r.delivery_status in ('queued', 'sent', 'delivered', 'unconfirmed')
    and not exists (select from tests.opt_outs o where o.number = c.phone)
    and exists (select from private.outbox o where o.request_id = r.id and o.status not in ('dead', 'cancelled'))
    and not exists (
      select
      from private.support_alert_plan b
      join public.buddy_check_in_requests r2 on r2.id = b.request_id
      left join private.outbox o on o.request_id = r2.id
      where b.alert_id = a.id and b.step = p.step
        and coalesce(r2.sent_at, case when o.status = 'unconfirmed' then o.ended_at end) <= now() - interval '6 hours'
    )
$$;

create function tests.check_at_end()
returns void
language sql
as $$
  insert into tests.violations (rule, detail)
  select 'never ended', id::text from public.support_alerts where status = 'open' and opened_at + interval '48 hours' <= tests.set_to()
  union all
  select 'two alerts in 72 hours', a.id::text
  from public.support_alerts a
  join public.support_alerts b on b.user_id = a.user_id and b.id > a.id
  where b.opened_at - a.opened_at < interval '72 hours' and a.opened_at - b.opened_at < interval '72 hours'
  union all
  select 'more than two in a step', alert_id::text from tests.frozen group by alert_id, step having count(*) > 2
  union all
  select 'the student was not told', r.id::text
  from public.buddy_check_in_requests r
  where not exists (
    select from private.outbox o
    where o.user_id = r.user_id and o.purpose = 'support_alert_notice' and o.created_at = r.created_at
  )
  union all
  select 'the crisis contact was not told once', a.id::text
  from public.support_alerts a
  where (select count(*) from private.outbox o where o.user_id = a.user_id and o.purpose = 'support_alert_escalation' and o.created_at = a.crisis_contact_told_at)
    <> (a.crisis_contact_told_at is not null)::integer
    or (a.crisis_contact_told_at is null and a.status in ('escalated', 'expired'));
  select tests.count(status, count(*)) from public.support_alerts group by status
$$;
